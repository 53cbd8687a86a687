//! Every command in the README, the contribution guide and the book works.
//!
//! In ```` ```sh ```` blocks each line is a command; it must succeed. In ```` ```console ````
//! blocks lines after `$ ` are commands and the others are what they print; a line `...` stands
//! for any number of lines, and `...` at the end of a line for the rest of it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// One command and, in a console block, its output.
struct Step {
    place: String,
    command: String,
    output: Option<String>,
}

fn steps(path: &Path) -> Vec<Step> {
    let text = std::fs::read_to_string(path).expect("the page can be read");
    let mut steps: Vec<Step> = Vec::new();
    let mut block = None;
    for (n, line) in text.lines().enumerate() {
        let place = format!("{}:{}", path.display(), n + 1);
        if let Some(language) = line.strip_prefix("```") {
            block = if block.is_some() { None } else { Some(language.to_owned()) };
            continue;
        }
        let step = |command: &str, output| Step { place, command: command.to_owned(), output };
        match block.as_deref() {
            Some("sh") if !line.trim().is_empty() && !line.starts_with('#') => {
                steps.push(step(line, None));
            }
            Some("console") => {
                if let Some(command) = line.strip_prefix("$ ") {
                    steps.push(step(command, Some(String::new())));
                } else {
                    let output = steps.last_mut().and_then(|step| step.output.as_mut());
                    let output = output.expect("a console block begins with a command");
                    output.push_str(line);
                    output.push('\n');
                }
            }
            _ => {}
        }
    }
    steps
}

/// Returns true if the printed lines are the expected ones; `...` stands for any.
fn matches(expected: &[&str], printed: &[&str]) -> bool {
    match expected {
        [] => printed.is_empty(),
        ["...", rest @ ..] => (0..=printed.len()).any(|n| matches(rest, &printed[n..])),
        [line, rest @ ..] => {
            // A line that ends in `...` is only a beginning.
            let fits = |p: &&str| match line.strip_suffix("...") {
                Some(beginning) => p.starts_with(beginning),
                None => p.trim_end() == line.trim_end(),
            };
            printed.first().is_some_and(fits) && matches(rest, &printed[1..])
        }
    }
}

/// Starts a server, checks that it prints its address and answers, and stops it. The port and `--open` are
/// ignored.
fn serves(tussle: &Path, flags: &str, folder: &Path) {
    let mut words = flags.split_whitespace().filter(|word| *word != "--open");
    let mut flags = vec!["serve", "--port", "0"];
    while let Some(word) = words.next() {
        if word == "--port" {
            words.next();
        } else {
            flags.push(word);
        }
    }
    let mut server = Command::new(tussle);
    server.args(flags).current_dir(folder).stdout(Stdio::piped()).stderr(Stdio::null());
    let mut server = server.spawn().expect("the server starts");
    let mut address = String::new();
    let mut printed = BufReader::new(server.stdout.take().expect("it is piped"));
    printed.read_line(&mut address).expect("it says where it is");
    let host = address.trim().strip_prefix("http://").expect("an address");
    let mut page = String::new();
    let mut socket = TcpStream::connect(host).expect("it listens");
    write!(socket, "GET / HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n")
        .expect("it reads");
    socket.read_to_string(&mut page).expect("it answers");
    assert!(page.starts_with("HTTP/1.1 200"), "{page}");
    let interrupted = Command::new("kill").args(["-INT", &server.id().to_string()]).status();
    assert!(interrupted.expect("kill runs").success());
    assert!(server.wait().expect("it ends").success());
}

fn pages(root: &Path) -> Vec<PathBuf> {
    let mut pages = vec![root.join("README.md"), root.join("CONTRIBUTING.md")];
    let mut folders = vec![root.join("docs"), root.join("examples")];
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("the book is there").flatten() {
            let path = entry.path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|e| e == "md") {
                pages.push(path);
            }
        }
    }
    pages.sort();
    pages
}

/// Runs the commands of one page. They may write files, so they run in a folder of their own that sees the examples.
fn run(page: &Path, root: &Path, tussle: &Path) -> usize {
    static FOLDERS: AtomicUsize = AtomicUsize::new(0);
    let number = FOLDERS.fetch_add(1, Ordering::Relaxed);
    let folder = format!("tussle-readme-{}-{number}", std::process::id());
    let folder = std::env::temp_dir().join(folder);
    std::fs::create_dir_all(&folder).expect("a folder can be made");
    let examples = folder.join("examples");
    let _ = std::fs::remove_file(&examples);
    std::os::unix::fs::symlink(root.join("examples"), &examples).expect("a link can be made");
    let debug = tussle.parent().expect("it lies in a folder");
    let release = debug.with_file_name("release");
    let path = std::env::var("PATH").unwrap_or_default();
    let path = format!("{}:{}:{path}", debug.display(), release.display());

    let mut ran = 0;
    for step in steps(page) {
        // These commands run this test itself, so only check that the script exists.
        if step.command == "./test" || step.command.starts_with("cargo test") {
            assert!(root.join("test").exists());
            continue;
        }
        if let Some((_, flags)) = step.command.split_once(" serve") {
            serves(tussle, flags, &folder);
            ran += 1;
            continue;
        }
        let in_root = step.command.starts_with("cargo ");
        let began = Instant::now();
        let output = Command::new("bash")
            .args(["-euo", "pipefail", "-c", &step.command])
            .current_dir(if in_root { root } else { &folder })
            .env("PATH", &path)
            .env("TUSSLE", tussle)
            .env_remove("COLUMNS")
            .output()
            .expect("bash runs");
        println!("{:6.1} s  {}: {}", began.elapsed().as_secs_f64(), step.place, step.command);
        let printed = String::from_utf8_lossy(&output.stdout);
        let told = String::from_utf8_lossy(&output.stderr);
        assert!(
            output.status.success(),
            "{}: `{}` failed:\n{printed}{told}",
            step.place,
            step.command
        );
        if let Some(expected) = &step.output {
            let (expected, lines): (Vec<_>, Vec<_>) =
                (expected.lines().collect(), printed.lines().collect());
            assert!(
                matches(&expected, &lines),
                "{}: `{}` printed:\n{printed}",
                step.place,
                step.command
            );
        }
        ran += 1;
    }
    std::fs::remove_dir_all(&folder).expect("the folder can be removed");
    ran
}

/// Largest number of pages whose commands run at once. More would make the clocks of matches unfair.
const MAX_PAGES_AT_ONCE: usize = 4;

#[test]
fn every_command_of_the_documentation_works() {
    let root = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."));
    let root = root.canonicalize().expect("the repository is where it was built");
    let tussle = Path::new(env!("CARGO_BIN_EXE_tussle"));
    let pages = pages(&root);
    let (next, ran) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(page) = pages.get(next.fetch_add(1, Ordering::Relaxed)) {
            ran.fetch_add(run(page, &root, tussle), Ordering::Relaxed);
        }
    };
    let at_once = std::thread::available_parallelism().map_or(1, usize::from);
    std::thread::scope(|scope| {
        for _ in 0..at_once.min(MAX_PAGES_AT_ONCE) {
            scope.spawn(work);
        }
    });
    let ran = ran.into_inner();
    assert!(ran > 10, "only {ran} commands were found");
}
