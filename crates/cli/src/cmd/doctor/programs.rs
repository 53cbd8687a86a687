//! Other people's programs: whether the arena can start any, and which of those that are useful are here.

use std::process::Command;

use tussle_engine::Guard;

use super::Check;
use crate::guard::ISOLATES;

/// Programs that something here can use: what for, and how to get them.
const OPTIONAL: [(&str, &str); 4] = [
    ("gnugo", "an opponent for Go, as gtp:gnugo --mode gtp; Debian: apt-get install gnugo"),
    ("python3", "for agents in Python, and for bench/run"),
    ("xdg-open", "serve --open shows the page by it; Debian: apt-get install xdg-utils"),
    ("chromium", "./test tests the pages of the web board in it; Debian: apt-get install chromium"),
];

pub(super) fn checks(guard: &Guard) -> Vec<Check> {
    let mut checks = vec![isolation(guard)];
    checks.extend(OPTIONAL.iter().map(|&(name, use_)| match tussle_engine::find_program(name) {
        Some(path) => Check::ok(name, path.display().to_string()),
        None => Check::note(name, "not found", use_),
    }));
    checks
}

/// Asks another process: whoever tries it cannot go back.
fn isolation(guard: &Guard) -> Check {
    let asked = Command::new(guard.executable()).args(guard.args()).arg(ISOLATES).output();
    match asked {
        Ok(output) if output.status.success() => {
            Check::ok("guard", "programs run in a namespace of their own and end with it")
        }
        Ok(_) => Check::note(
            "guard",
            "namespaces are not allowed here",
            "programs are watched without; one that means harm may leave a process behind",
        ),
        Err(error) => Check::problem(
            "guard",
            format!("cannot start itself: {error}"),
            "no program (ugi:, gtp:, json:) can be started; let the binary be where it was started",
        ),
    }
}
