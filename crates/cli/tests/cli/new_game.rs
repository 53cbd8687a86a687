//! `new-game`: the crate that it writes, and what it refuses. `./test` builds such a crate and plays its game.

use std::fs;
use std::path::Path;

use crate::common::{Folder, stdout, tussle};

/// Returns the error of a run that must be refused.
fn refusal(args: &[&str]) -> String {
    let output = tussle(&[&["new-game"], args].concat());
    let message = String::from_utf8(output.stderr).expect("it is UTF-8");
    assert_eq!(output.status.code(), Some(2), "{args:?}: {message}");
    message
}

#[test]
fn the_crate_is_complete_and_names_its_checkout() {
    let folder = Folder::new("new-game");
    let out = folder.path("a crate");
    let said = stdout(&["new-game", "my-game", "--out", &out], "");
    assert!(said.contains("match my-game mcts random") && said.contains('\''), "{said}");
    let read = |name: &str| fs::read_to_string(Path::new(&out).join(name)).expect(name);
    let checkout = Path::new(env!("CARGO_MANIFEST_DIR")).ancestors().nth(2).expect("the checkout");
    let manifest = read("Cargo.toml");
    let path = format!("path = \"{}/crates/cli\"", checkout.display());
    assert!(manifest.contains(&path) && manifest.contains("name = \"my-game\""), "{manifest}");
    assert!(read("src/lib.rs").contains("Entry::new(\"my-game\", MyGameRules)"));
    assert!(read("src/main.rs").contains("tussle_cli::run(my_game::catalog()"));
    assert!(read("tests/rules.rs").contains("tussle_conformance::check"));
    for name in [".gitignore", "Cargo.toml", "src/lib.rs", "src/main.rs", "tests/rules.rs"] {
        assert!(!read(name).contains('@'), "{name}");
    }
    let versions = fs::read_to_string(checkout.join("Cargo.lock")).expect("the checkout has one");
    assert_eq!(read("Cargo.lock"), versions);

    let message = refusal(&["other", "--out", &out]);
    assert!(
        message.contains("exists; choose another --out, or replace it with --force"),
        "{message}"
    );
    assert!(read("Cargo.toml").contains("my-game"));
    stdout(&["new-game", "other", "--out", &out, "--force"], "");
    assert!(read("Cargo.toml").contains("name = \"other\""));
}

#[test]
fn a_name_that_cannot_be_a_game_or_a_crate_is_refused() {
    let folder = Folder::new("new-game-names");
    let out = folder.path("crate");
    for (name, reason) in [
        ("Checkers", "expected lower-case letters, digits and single hyphens"),
        ("a b", "expected lower-case letters"),
        ("../up", "expected lower-case letters"),
        ("9x", "expected lower-case letters"),
        ("go", "Tussle has a game of this name; choose another, as in `my-go`"),
        ("mcts", "Tussle has an agent of this name"),
        ("fn", "a Rust crate cannot have this name"),
        ("core", "a Rust crate cannot have this name"),
        (&"x".repeat(65), "the name has 65 letters"),
    ] {
        let message = refusal(&[name, "--out", &out]);
        assert!(message.contains(reason), "{name}: {message}");
    }
    assert!(!Path::new(&out).exists());
}

#[test]
fn a_folder_that_is_not_a_checkout_is_refused() {
    let folder = Folder::new("new-game-path");
    let (out, path) = (folder.path("crate"), folder.path("elsewhere"));
    let message = refusal(&["my-game", "--out", &out, "--path", &path]);
    assert!(message.contains("expected a checkout of Tussle"), "{message}");
    assert!(!Path::new(&out).exists());
}
