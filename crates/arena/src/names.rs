//! Names of agents: the characters they may contain, and the short form of long names.

use tussle_catalog::text::{is_unprintable, visible};

use crate::contestant::with_distinct_names;
use crate::{Anchor, Contestant, TournamentSpec};

/// Maximum length of an agent's name, in characters. An agent without a name has its spec as its name, which may be
/// longer and is shown shortened.
pub const MAX_NAME_CHARS: usize = 100;

/// Error of the name of an agent, or of a text that results show.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NameError {
    /// A text contains a character that could forge output.
    #[error(
        "the {what} `{}` contains U+{:04X}, a control or invisible character: leave it out",
        shown(.text), u32::from(*.found)
    )]
    Unprintable {
        /// Kind of text: game, name or spec.
        what: &'static str,
        /// The text.
        text: String,
        /// The character.
        found: char,
    },
    /// The name has no visible character.
    #[error("the name is empty: write at least one visible character")]
    Blank,
    /// The name exceeds [`MAX_NAME_CHARS`].
    #[error(
        "the name `{}` has {} characters: write at most {MAX_NAME_CHARS}",
        shortened(.0), .0.chars().count()
    )]
    TooLong(String),
}

/// Rejects a name or spec that could forge output, and a name that is blank or too long.
pub(crate) fn check(agent: &Contestant) -> Result<(), NameError> {
    check_text("spec", &agent.spec)?;
    let name = base(&agent.name);
    if name == agent.spec {
        return Ok(());
    }
    check_text("name", &agent.name)?;
    if is_blank(name) {
        return Err(NameError::Blank);
    }
    if name.chars().count() > MAX_NAME_CHARS {
        return Err(NameError::TooLong(name.to_owned()));
    }
    Ok(())
}

/// Rejects a text that could forge output.
pub(crate) fn check_text(what: &'static str, text: &str) -> Result<(), NameError> {
    match text.chars().find(|c| is_unprintable(*c)) {
        None => Ok(()),
        Some(found) => Err(NameError::Unprintable { what, text: text.to_owned(), found }),
    }
}

/// Returns a name without the `#2` of a second agent with the same name.
pub(crate) fn base(name: &str) -> &str {
    match name.rsplit_once('#') {
        Some((base, number)) if number.parse::<u64>().is_ok() => base,
        _ => name,
    }
}

/// Returns true if a name has no visible character. U+2800 is a braille pattern without dots.
fn is_blank(name: &str) -> bool {
    name.chars().all(|c| c.is_whitespace() || c == '\u{2800}')
}

/// Returns a name as it is shown: unprintable characters escaped, at most [`MAX_NAME_CHARS`] long.
fn shown(name: &str) -> String {
    shortened(&visible(name, |_| false))
}

/// Leaves out the middle of a long name, because command lines differ at their ends.
fn shortened(name: &str) -> String {
    let count = name.chars().count();
    if count <= MAX_NAME_CHARS {
        return name.to_owned();
    }
    let end = MAX_NAME_CHARS / 3;
    let start: String = name.chars().take(MAX_NAME_CHARS - 1 - end).collect();
    let end: String = name.chars().skip(count - end).collect();
    format!("{start}…{end}")
}

/// Replaces names in a store of an older version that are not allowed any more.
pub(crate) fn repair(agents: &mut Vec<Contestant>) {
    let mut is_changed = false;
    for (i, agent) in agents.iter_mut().enumerate() {
        if check(agent).is_ok() {
            continue;
        }
        is_changed = true;
        agent.name = match shown(&agent.name) {
            name if is_blank(&name) => format!("agent {}", i + 1),
            name => name,
        };
    }
    if is_changed {
        *agents = with_distinct_names(std::mem::take(agents));
    }
}

impl TournamentSpec {
    /// Returns the specification with shortened names, for tables and lines on a terminal, and the anchors with the same
    /// shortened names.
    #[must_use]
    pub fn for_display(&self, anchors: &[Anchor]) -> (Self, Vec<Anchor>) {
        let mut config = self.clone();
        for agent in &mut config.agents {
            agent.name = shown(&agent.name);
        }
        config.agents = with_distinct_names(config.agents);
        let anchors = anchors.iter().map(|anchor| {
            let index = self.agents.iter().position(|agent| agent.name == anchor.agent);
            let agent = index.map_or(&anchor.agent, |index| &config.agents[index].name);
            Anchor { agent: agent.clone(), elo: anchor.elo }
        });
        let anchors = anchors.collect();
        (config, anchors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn checked(name: &str) -> Result<(), NameError> {
        check(&Contestant::new(name, "random"))
    }

    #[test]
    fn names_that_could_forge_output_are_rejected() {
        let long = "x".repeat(MAX_NAME_CHARS);
        for name in ["a", "Zoë 李 שרה", "=1+1", "a#b", "❤\u{fe0f}", "<b>", &long, "random#2"]
        {
            assert_eq!(checked(name), Ok(()), "{name:?}");
        }
        assert_eq!(checked(&format!("{long}#12")), Ok(()), "the second of that name");
        for c in [
            '\0',
            '\t',
            '\n',
            '\r',
            '\u{1b}',
            '\u{7f}',
            '\u{85}',
            '\u{9b}',
            '\u{ad}',
            '\u{61c}',
            '\u{200b}',
            '\u{200d}',
            '\u{200e}',
            '\u{200f}',
            '\u{2028}',
            '\u{2029}',
            '\u{202a}',
            '\u{202e}',
            '\u{2060}',
            '\u{2066}',
            '\u{2069}',
            '\u{feff}',
            '\u{e0041}',
        ] {
            for name in [format!("{c}a"), format!("a{c}b"), format!("a{c}"), format!("a{c}#2")] {
                let message = checked(&name).expect_err("an unprintable character").to_string();
                assert!(message.contains(&format!("U+{:04X}", u32::from(c))), "{message}");
                assert!(!message.contains(c), "{message:?}");
            }
            let spec = format!("json:./agent {c}");
            assert!(check(&Contestant::new("a", spec.clone())).is_err(), "{spec:?}");
            assert!(check(&Contestant::new(spec.clone(), spec.clone())).is_err(), "{spec:?}");
        }
        for blank in ["", " ", "\u{a0}\u{3000}", "\u{2800}", "#2"] {
            assert_eq!(checked(blank), Err(NameError::Blank), "{blank:?}");
        }
        let message = checked(&"y".repeat(100_000)).expect_err("too long").to_string();
        assert!(message.contains("100000 characters: write at most 100"), "{message}");
        assert!(message.len() < 300, "{message}");
    }

    #[test]
    fn a_long_spec_is_a_name_and_is_shown_shortened() {
        let spec = |end: &str| format!("json:./agent {}{end}", "x".repeat(200));
        let specs = [spec("a"), spec("b"), spec("b")];
        let agents = specs.iter().map(|spec| Contestant::new(spec, spec)).collect();
        let mut config =
            TournamentSpec::new(vec!["tictactoe".to_owned()], with_distinct_names(agents));
        assert!(config.agents.iter().all(|agent| check(agent).is_ok()));
        let anchors = [Anchor { agent: config.agents[1].name.clone(), elo: 7.0 }];
        let (shown, anchors) = config.for_display(&anchors);
        let names: Vec<&str> = shown.agents.iter().map(|agent| agent.name.as_str()).collect();
        assert!(names.iter().all(|name| name.chars().count() <= MAX_NAME_CHARS + 2), "{names:?}");
        assert!(names[0].starts_with("json:./agent xx") && names[0].ends_with("xa"), "{names:?}");
        assert!(names[1].ends_with("xb") && names[2].ends_with("xb#2"), "{names:?}");
        assert_eq!(anchors, [Anchor { agent: names[1].to_owned(), elo: 7.0 }]);
        let before = config.agents.clone();
        repair(&mut config.agents);
        assert_eq!(config.agents, before, "a store of long specs can be continued");
    }

    #[test]
    fn unprintable_names_of_old_stores_are_replaced() {
        let old = ["a\nGames: 2", "a\\nGames: 2", "ok", "\u{202e}x", "", &"z".repeat(5000)];
        let mut agents = old.map(|name| Contestant::new(name, "random")).to_vec();
        repair(&mut agents);
        let names: Vec<&str> = agents.iter().map(|agent| agent.name.as_str()).collect();
        assert_eq!(names[..5], ["a\\nGames: 2", "a\\nGames: 2#2", "ok", "\\u{202e}x", "agent 5"]);
        assert_eq!(names[5].chars().count(), MAX_NAME_CHARS);
        assert!(agents.iter().all(|agent| check(agent).is_ok()));
    }
}
