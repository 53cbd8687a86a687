//! Programs and commands given in place of an agent.

use std::path::Path;

use crate::Error;

/// Names of the protocols of external programs, as in `json:COMMAND`.
pub const PROTOCOL_NAMES: &[&str] = &["json", "ugi", "gtp"];

/// File name extensions of scripts, and the commands that run them.
const INTERPRETERS: [(&str, &str); 6] = [
    ("py", "python3 "),
    ("js", "node "),
    ("jar", "java -jar "),
    ("rb", "ruby "),
    ("lua", "lua "),
    ("sh", "sh "),
];

/// Returns true if a spec names a program: a protocol, a colon and a command.
///
/// ```
/// use tussle_catalog::is_program;
///
/// assert!(is_program("json:python3 mine.py"));
/// assert!(!is_program("mcts:c=1"));
/// ```
pub fn is_program(spec: &str) -> bool {
    spec.split_once(':').is_some_and(|(name, _)| PROTOCOL_NAMES.contains(&name.trim()))
}

/// Returns the probable spec of a program that was given without its protocol: `json:python3 mine.py` for
/// `python3 mine.py` or `mine.py`.
pub fn program_hint(text: &str) -> Option<String> {
    let text = text.trim();
    let name = text.split(':').next().unwrap_or_default();
    let first = text.split_whitespace().next()?;
    let ending = Path::new(first).extension().and_then(|ending| ending.to_str());
    let interpreter = INTERPRETERS.iter().find(|(known, _)| Some(*known) == ending);
    let has_words = name.contains(char::is_whitespace);
    if let Some((_, interpreter)) = interpreter {
        return Some(format!("json:{interpreter}{text}"));
    }
    if has_words || name.contains('/') {
        return Some(format!("json:{text}"));
    }
    if Path::new(text).is_file() {
        return Some(format!("json:./{text}"));
    }
    let is_word = !text.is_empty() && !text.contains([':', ',', '=']);
    (is_word && is_in_search_path(text)).then(|| format!("json:{text}"))
}

/// Returns true if a folder of the search path has a file of this name.
fn is_in_search_path(name: &str) -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(name).is_file())
}

/// Returns the error for the spec of an unknown agent that is a program or the command of one.
pub(crate) fn program_error(spec: &str) -> Option<Error> {
    let name = spec.split(':').next().unwrap_or_default().trim();
    if name == spec.trim() && PROTOCOL_NAMES.contains(&name) {
        return Some(Error::Spec(format!(
            "`{name}` is a protocol; name a program by `{name}:COMMAND`, or an agent of `tussle agents`"
        )));
    }
    if PROTOCOL_NAMES.contains(&name) {
        return Some(Error::Spec(format!(
            "`{spec}` is a program; expected an agent of `tussle agents`"
        )));
    }
    let hint = program_hint(spec)?;
    let names = PROTOCOL_NAMES.iter().map(|name| format!("{name}:")).collect::<Vec<_>>().join(", ");
    Some(Error::Spec(format!(
        "unknown agent `{spec}`; did you mean `{hint}`? A program is named by its protocol and its command: {names}"
    )))
}

#[cfg(test)]
mod tests {
    use super::{program_error, program_hint};

    #[test]
    fn a_command_without_a_protocol_gets_a_hint() {
        for (text, hint) in [
            ("python3 mine.py", "json:python3 mine.py"),
            ("python3 mine.py --depth 3:4", "json:python3 mine.py --depth 3:4"),
            ("mine.py", "json:python3 mine.py"),
            ("agents/mine.py 7", "json:python3 agents/mine.py 7"),
            ("./mine", "json:./mine"),
            ("/opt/mine -v", "json:/opt/mine -v"),
            ("mine.jar", "json:java -jar mine.jar"),
            ("Cargo.toml", "json:./Cargo.toml"), // a file of this folder
            ("env", "json:env"),                 // a program of the search path
        ] {
            assert_eq!(program_hint(text).as_deref(), Some(hint), "{text}");
        }
        for text in ["mtcs", "mtcs:book=a/b", "minimax-3", "", ":", "mcts:c=1, nodes=3"] {
            assert_eq!(program_hint(text), None, "{text}");
        }
    }

    #[test]
    fn the_error_of_a_program_calls_it_a_program() {
        let why = |spec| program_error(spec).map(|error| error.to_string()).unwrap_or_default();
        assert!(why("json:python3 mine.py").contains("is a program"));
        assert!(why("gtp: gnugo").contains("is a program"));
        assert!(why("gtp").starts_with("`gtp` is a protocol; name a program by `gtp:COMMAND`"));
        assert!(why("mine.py").contains("did you mean `json:python3 mine.py`?"));
        assert_eq!(why("mtcs"), "");
    }
}
