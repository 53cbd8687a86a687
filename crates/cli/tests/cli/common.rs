//! Runs the real binary.

use std::io::Write as _;
use std::path::PathBuf;
use std::process::{Child, Command, Output, Stdio};

use serde_json::Value;

/// Width that wraps no line, for tests of the content.
pub(crate) const UNWRAPPED: &str = "5000";

/// Runs `tussle` in the root of the repository with this input. Lines are not wrapped.
pub(crate) fn tussle_with_input(args: &[&str], input: &str) -> Output {
    tussle_in_columns(args, input, Some(UNWRAPPED))
}

/// Runs `tussle` with this value of `COLUMNS`, or without the variable.
pub(crate) fn tussle_in_columns(args: &[&str], input: &str, columns: Option<&str>) -> Output {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tussle"));
    match columns {
        Some(columns) => command.env("COLUMNS", columns),
        None => command.env_remove("COLUMNS"),
    };
    let mut child = command
        .args(args)
        .current_dir(root)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // A command that does not read its input closes it early, which is its right.
    let _ = child.stdin.take().expect("it has an input").write_all(input.as_bytes());
    child.wait_with_output().expect("the binary ends")
}

/// Runs `tussle` with no input.
pub(crate) fn tussle(args: &[&str]) -> Output {
    tussle_with_input(args, "")
}

/// Returns the standard output of a run that must succeed.
pub(crate) fn stdout(args: &[&str], input: &str) -> String {
    let output = tussle_with_input(args, input);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{args:?}: {stderr}");
    String::from_utf8(output.stdout).expect("the output is UTF-8")
}

/// Returns the JSON document that a run prints.
pub(crate) fn json(args: &[&str]) -> Value {
    let text = stdout(args, "");
    serde_json::from_str(&text).unwrap_or_else(|e| panic!("{args:?}: {e}: {text}"))
}

/// Returns true if recorded files are written anew instead of compared.
pub(crate) fn is_updating() -> bool {
    std::env::var_os("UPDATE_GOLDEN").is_some()
}

/// Compares a text with a file under `tests` and returns the first lines that differ. `UPDATE_GOLDEN=1 cargo test`
/// writes the file anew; look at the difference before you keep it.
pub(crate) fn difference(name: &str, text: &str) -> Option<String> {
    let path = format!("{}/tests/{name}", env!("CARGO_MANIFEST_DIR"));
    if is_updating() {
        std::fs::write(&path, text).expect("the repository can be written");
        return None;
    }
    let recorded = std::fs::read_to_string(&path).unwrap_or_default();
    if recorded == text {
        return None;
    }
    let (recorded, now): (Vec<_>, Vec<_>) = (recorded.lines().collect(), text.lines().collect());
    let same = recorded.iter().zip(&now).take_while(|(old, new)| old == new).count();
    let mut shown = format!("tests/{name}, line {}:\n", same + 1);
    for (mark, lines) in [('-', &recorded), ('+', &now)] {
        for line in lines.iter().skip(same).take(3) {
            shown.push_str(&format!("{mark} {line}\n"));
        }
    }
    Some(shown)
}

/// Asserts that a text is that of a file under `tests/golden`.
pub(crate) fn as_recorded(name: &str, text: &str) {
    if let Some(difference) = difference(&format!("golden/{name}"), text) {
        panic!(
            "no longer as recorded. If that is right, run the tests with UPDATE_GOLDEN=1 and commit the \
             difference.\n{difference}"
        );
    }
}

/// Starts `tussle` in the background.
pub(crate) fn start(args: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_tussle"))
        .args(args)
        .current_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts")
}

/// Returns the document of `results` without the times.
pub(crate) fn results(store: &str) -> Value {
    let mut results = json(&["results", store, "--json"]);
    results.as_object_mut().expect("an object").remove("timing").expect("it has times");
    results
}

/// Temporary folder that is removed after the test.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("tussle-{name}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a folder can be made");
        Self(path)
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }

    /// Returns the names of its files.
    pub(crate) fn files(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).expect("it is there").flatten();
        entries.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}
