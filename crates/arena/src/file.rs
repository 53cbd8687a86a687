//! Tournament files: a patch of a tournament as TOML, or as JSON.

use std::path::{Path, PathBuf};

use tussle_catalog::file::{ReadError, read_text};

use crate::TournamentPatch;

/// Error of a tournament file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TournamentFileError {
    /// The file cannot be read.
    #[error("{}: {source}", .path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Error of reading it.
        source: ReadError,
    },
    /// The text of the file is invalid.
    #[error("{}: {source}", .path.display())]
    Text {
        /// The file.
        path: PathBuf,
        /// Error of the text.
        source: TournamentTextError,
    },
}

/// Error of a tournament written as TOML or JSON.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TournamentTextError {
    /// The text is not TOML, or a key or a value is invalid.
    #[error("{}", .0.to_string().trim_end())]
    Toml(#[from] toml::de::Error),
    /// A key or a value of the JSON document is invalid.
    #[error("{}", json_message(.key, .value, .source))]
    Json {
        /// Key of the value.
        key: String,
        /// The value.
        value: Box<serde_json::Value>,
        /// Error of the value.
        source: serde_json::Error,
    },
    /// A required key is missing.
    #[error("missing field `{0}`")]
    Missing(&'static str),
}

/// Returns an error message that begins with the key, so that a form can show it beside the field.
fn json_message(key: &str, value: &serde_json::Value, error: &serde_json::Error) -> String {
    let message = error.to_string();
    let names_its_place = ["unknown field", "agent ", key];
    if names_its_place.iter().any(|place| message.starts_with(place)) {
        return message;
    }
    match message.rsplit_once(", expected ").filter(|_| message.starts_with("invalid ")) {
        Some((_, expected)) => {
            let expected = match expected {
                "u32" => "a whole number from 0 to 4294967295",
                "u64" | "usize" => "a whole number, 0 or more",
                "f64" => "a number",
                "a string" => "a text",
                other => other,
            };
            format!("{key}: expected {expected}, found {value}")
        }
        None => format!("{key}: {message}"),
    }
}

/// Reads a tournament file. Paths in it are relative to its folder, in which programs also run.
///
/// # Errors
/// If the file cannot be read or is invalid; the message names the place.
pub fn read_tournament(path: &Path) -> Result<TournamentPatch, TournamentFileError> {
    let unread = |source| TournamentFileError::Read { path: path.to_owned(), source };
    let text = read_text(path).map_err(unread)?;
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let wrong = |source| TournamentFileError::Text { path: path.to_owned(), source };
    let patch = parse_tournament(&text).map_err(wrong)?;
    Ok(patch.in_folder(folder.unwrap_or(Path::new("."))))
}

/// Parses a tournament file. Paths in it stay as they are written.
///
/// # Errors
/// If the text is invalid; the message names the place.
pub fn parse_tournament(text: &str) -> Result<TournamentPatch, TournamentTextError> {
    complete(toml::from_str(text)?)
}

/// Parses a tournament from JSON; the keys are those of the TOML file.
///
/// # Errors
/// If a key or a value is invalid; the message names the key.
pub fn tournament_from_json(
    value: &serde_json::Value,
) -> Result<TournamentPatch, TournamentTextError> {
    let patch = serde_path_to_error::deserialize(value);
    complete(patch.map_err(|error| {
        let path = error.path().to_string();
        let key = path.split(['.', '[']).next().unwrap_or_default().to_owned();
        let value = Box::new(value.get(&key).cloned().unwrap_or_default());
        TournamentTextError::Json { key, value, source: error.into_inner() }
    })?)
}

/// Rejects a patch without games or agents.
fn complete(patch: TournamentPatch) -> Result<TournamentPatch, TournamentTextError> {
    match (&patch.game, &patch.agents) {
        (None, _) => Err(TournamentTextError::Missing("game")),
        (_, None) => Err(TournamentTextError::Missing("agents")),
        (Some(_), Some(_)) => Ok(patch),
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use tussle_core::TimeControl;

    use super::*;
    use crate::{Format, PatchError, TournamentSpec};

    fn spec(text: &str) -> TournamentSpec {
        parse_tournament(text).expect("a patch").into_spec().expect("a tournament")
    }

    #[test]
    fn a_tournament_file_overrides_the_defaults() {
        let text = r#"
            game = "keep-on-moving:board=0..1"
            rounds = 4
            clock = "15s+1s"
            memory = "500MB"
            store = "class.db"
            anchors = { random = 1500, mine = 1620.5 }
            agents = ["random", "random", { name = "mine", agent = "json:python3 a.py", folder = "b" }]
        "#;
        let patch = parse_tournament(text).expect("a patch").in_folder(Path::new("class"));
        assert_eq!(patch.store.as_deref(), Some(Path::new("class/class.db")));
        let anchors = patch.anchors.clone().unwrap_or_default();
        let given: Vec<_> = anchors.iter().map(|a| (a.agent.as_str(), a.elo)).collect();
        assert_eq!(given, [("mine", 1620.5), ("random", 1500.0)]);
        assert_eq!(patch.jobs, None);
        let spec = patch.into_spec().expect("a tournament");
        assert_eq!(spec.games, ["keep-on-moving:board=0", "keep-on-moving:board=1"]);
        assert_eq!((spec.rounds, spec.memory), (4, Some(500_000_000)));
        let names: Vec<&str> = spec.agents.iter().map(|agent| agent.name.as_str()).collect();
        assert_eq!(names, ["random", "random#2", "mine"]);
        assert_eq!(spec.agents[0].folder.as_deref(), Some(Path::new("class")));
        assert_eq!(spec.agents[2].folder.as_deref(), Some(Path::new("class/b")));
        assert_eq!((spec.seed, spec.clock.to_string().as_str()), (1, "15s+1s"));
    }

    #[test]
    fn a_file_may_have_every_key_that_the_book_lists() {
        let text = r#"
            game = ["gobblet", "go:size=3..4"]
            format = "swiss"
            rounds = 4
            clock = "30s/2s"
            nodes = 40
            depth = 3
            margin = "0"
            memory = "500MB"
            overrun = "random-move"
            opening-plies = 2
            seed = 9
            strikes = 0
            store = "all.db"
            jobs = 2
            agents = ["random", { agent = "greedy", name = "mine", folder = "class" }]
            [anchors]
            random = 1500
        "#;
        let agents = parse_tournament(text).expect("a patch").agents;
        let expected = TournamentPatch {
            game: Some(["gobblet", "go:size=3..4"].map(str::to_owned).to_vec()),
            agents,
            format: Some(Format::Swiss),
            rounds: Some(4),
            clock: "30s/2s".parse().ok(),
            nodes: Some(40),
            depth: Some(3),
            margin: Some(Duration::ZERO),
            memory: Some(500_000_000),
            overrun: Some(tussle_engine::Overrun::RandomMove),
            opening_plies: Some(2),
            seed: Some(9),
            strikes: Some(0),
            store: Some("all.db".into()),
            jobs: Some(2),
            anchors: Some(vec![crate::Anchor { agent: "random".to_owned(), elo: 1500.0 }]),
            ..TournamentPatch::default()
        };
        assert_eq!(parse_tournament(text).expect("a patch"), expected);
        let other = "game = \"go\"\nagents = []\ngames = 7\nsprt = \"elo0=0,elo1=5\"\n\
                     openings = \"o.txt\"";
        let TournamentPatch { games, sprt, openings, .. } =
            parse_tournament(other).expect("a patch");
        assert_eq!((games, openings), (Some(7), Some("o.txt".into())));
        assert_eq!(sprt, "elo0=0,elo1=5".parse().ok());
    }

    #[test]
    fn the_format_and_the_limits_of_moves_decide_the_default_length_and_clock() {
        let agents = "agents = [\"a\", \"b\", \"c\", \"d\", \"e\"]\ngame = \"go\"\n";
        let length = |more: &str| {
            let TournamentSpec { rounds, limit, .. } = spec(&format!("{agents}{more}"));
            (rounds, limit)
        };
        assert_eq!(length(""), (1, None));
        assert_eq!(length("format = \"gauntlet\"\nrounds = 7"), (7, None));
        assert_eq!(length("format = \"swiss\""), (3, None));
        assert_eq!(length("format = \"adaptive\""), (1, Some(150)));
        assert_eq!(length("format = \"adaptive\"\ngames = 40"), (1, Some(40)));
        let error = |more: &str| {
            let patch = parse_tournament(&format!("{agents}{more}")).expect("a patch");
            patch.into_spec().expect_err(more)
        };
        let rounds = error("format = \"adaptive\"\nrounds = 3");
        assert!(matches!(rounds, PatchError::Rounds(Format::Adaptive)), "{rounds}");
        assert_eq!(
            rounds.to_string(),
            "rounds: an adaptive tournament has no rounds; give a number of games instead"
        );
        let games = error("format = \"swiss\"\ngames = 40");
        assert!(matches!(games, PatchError::Games(Format::Swiss)), "{games}");
        let clock = |more: &str| spec(&format!("{agents}{more}")).clock.to_string();
        assert_eq!(
            [clock(""), clock("nodes = 9"), clock("depth = 2\nclock = \"1s\"")],
            ["2s", "60s", "1s"]
        );
    }

    #[test]
    fn a_patch_over_a_file_replaces_the_settings_it_gives() {
        let file = || {
            let text = "game = \"go\"\nagents = [\"a\", \"b\"]\nclock = \"1s\"\nmargin = \"5ms\"\n\
                        openings = \"none.txt\"\nrounds = 3\nseed = 7";
            parse_tournament(text).expect("a patch")
        };
        let over = TournamentPatch {
            nodes: Some(50),
            opening_plies: Some(2),
            rounds: Some(4),
            ..TournamentPatch::default()
        };
        let spec = file().overlaid(over).into_spec().expect("no file is opened");
        assert_eq!(spec.clock, TimeControl::PerMove(Duration::from_mins(1)), "limited moves");
        assert_eq!((spec.rounds, spec.seed, spec.opening_plies), (4, 7, 2));
        assert_eq!(spec.margin, Duration::from_millis(5));
        assert_eq!(file().overlaid(TournamentPatch::default()), file());
    }

    #[test]
    fn json_has_the_same_keys_as_toml() {
        let toml = r#"
            game = ["gobblet", "keep-on-moving:board=0..1"]
            nodes = 50
            opening-plies = 2
            sprt = "elo0=0,elo1=20"
            agents = ["random", { name = "mine", agent = "greedy" }]
        "#;
        let json = serde_json::json!({
            "game": ["gobblet", "keep-on-moving:board=0..1"],
            "nodes": 50,
            "opening-plies": 2,
            "sprt": "elo0=0,elo1=20",
            "rounds": null,
            "agents": ["random", { "name": "mine", "agent": "greedy" }],
        });
        let toml = parse_tournament(toml).expect("a tournament");
        let json = tournament_from_json(&json).expect("a tournament");
        assert_eq!(toml, json);
        let typo = serde_json::json!({ "game": "go", "agents": [], "round": 3 });
        let message = tournament_from_json(&typo).expect_err("a typo").to_string();
        assert!(message.starts_with("unknown field `round`"), "{message}");
        for (key, value, begin) in [
            (
                "rounds",
                serde_json::json!(-1),
                "rounds: expected a whole number, 0 or more, found -1",
            ),
            (
                "depth",
                serde_json::json!(1_u64 << 32),
                "depth: expected a whole number from 0 to 4294967295, found 4294967296",
            ),
            ("clock", serde_json::json!(5), "clock: expected a text, found 5"),
            ("clock", serde_json::json!("soon"), "clock: `soon` is not a time"),
            ("overrun", serde_json::json!("never"), "overrun: unknown variant `never`"),
            ("format", serde_json::json!("cup"), "format: unknown format `cup`"),
            ("game", serde_json::json!(7), "game: expected one spec or a list of specs, found 7"),
            ("agents", serde_json::json!("x"), "agents: expected a list of agents, found \"x\""),
        ] {
            let mut wrong = serde_json::json!({ "game": "go", "agents": [] });
            wrong[key] = value;
            let message = tournament_from_json(&wrong).expect_err(key).to_string();
            assert!(message.starts_with(begin), "{message}");
        }
    }

    #[test]
    fn an_error_message_names_the_typo_and_its_place() {
        let cases = [
            ("game = \"go\"\nagents = []\nround = 3", "unknown field `round`"),
            (
                "game = \"go\"\nagents = [{ nmae = \"x\", agent = \"y\" }]",
                "agent 1: unknown field `nmae`",
            ),
            (
                "game = \"go\"\nagents = [7]",
                "agent 1: invalid type: integer `7`, expected a spec or a table with `agent`",
            ),
            ("game = 7\nagents = []", "one spec or a list"),
            ("agents = [", "array"),
            ("game = \"go\"", "missing field `agents`"),
            ("game = \"go\"\nagents = []\nformat = \"knockout\"", "knockout"),
            ("game = \"go\"\nagents = []\nmemory = \"much\"", "memory:"),
        ];
        for (text, part) in cases {
            let message = parse_tournament(text).expect_err(text).to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
        let message = parse_tournament("game = \"go\"\nagents = []\nround = 3")
            .expect_err("typo")
            .to_string();
        assert!(message.contains("line 3"), "{message}");
    }
}
