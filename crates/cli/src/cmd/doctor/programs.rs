//! Checks of external programs: whether the arena can start them, and which optional ones are installed.

use std::process::Command;

use tussle_engine::Guard;

use super::Check;
use crate::guard::ISOLATES;

/// Optional programs: name, use and installation.
const OPTIONAL: [(&str, &str); 4] = [
    ("gnugo", "opponent for Go, as gtp:gnugo --mode gtp; Debian: apt-get install gnugo"),
    ("python3", "needed for agents in Python and for bench/run"),
    ("xdg-open", "opens the browser for serve --open; Debian: apt-get install xdg-utils"),
    ("chromium", "./test needs it to test the web board; Debian: apt-get install chromium"),
];

pub(super) fn checks(guard: &Guard) -> Vec<Check> {
    let mut checks = vec![isolation(guard)];
    checks.extend(OPTIONAL.iter().map(|&(name, use_)| match tussle_engine::find_program(name) {
        Some(path) => Check::ok(name, path.display().to_string()),
        None => Check::note(name, "not found", use_),
    }));
    checks
}

/// Checks in another process whether namespaces are available, because entering one cannot be undone.
fn isolation(guard: &Guard) -> Check {
    let asked = Command::new(guard.executable()).args(guard.args()).arg(ISOLATES).output();
    match asked {
        Ok(output) if output.status.success() => {
            Check::ok("guard", "programs run in their own namespace and end with it")
        }
        Ok(_) => Check::note(
            "guard",
            "namespaces are not allowed on this machine",
            "programs run without them; a malicious program may leave a process behind",
        ),
        Err(error) => Check::problem(
            "guard",
            format!("cannot start itself: {error}"),
            "programs (ugi:, gtp:, json:) cannot be started; do not move or delete the binary while it runs",
        ),
    }
}
