//! What the other players are expected to do.

use tussle_core::{Args, Game, ParseError, Setting};

/// How rivals move.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum Rivals {
    /// Against the player who searches, as well as they can.
    Best,
    /// Every legal move is equally likely.
    Uniform,
    /// Moves are as likely as their class weighs.
    Weighted(Vec<f64>),
}

impl Rivals {
    /// From the parameter `opponent`.
    pub(super) fn from_args<G: Game>(game: &G, args: &Args) -> Result<Self, ParseError> {
        match args.setting("opponent") {
            Setting::Choice("best") => Ok(Self::Best),
            Setting::Choice("uniform") => Ok(Self::Uniform),
            Setting::Choice(_) => {
                refuse_classless(game, "opponent=course")?;
                Ok(Self::Weighted(game.move_classes().iter().map(|class| class.course).collect()))
            }
            Setting::File { path, text } => {
                refuse_classless(game, &format!("opponent={path}"))?;
                let weights = read(game, text);
                let wrong = |error| ParseError::new(format!("opponent={path}: {error}"));
                weights.map(Self::Weighted).map_err(wrong)
            }
            // Dice leave little to chance besides them; without dice, replies are the chance.
            _ if game.has_chance() => Ok(Self::Best),
            _ => Ok(Self::Uniform),
        }
    }

    /// How likely this legal move is, compared with the others.
    #[inline]
    pub(super) fn weight<G: Game>(&self, game: &G, state: &G::State, mv: G::Move) -> f64 {
        match self {
            Self::Weighted(weights) => weights[game.move_class(state, mv)],
            _ => 1.0,
        }
    }
}

fn refuse_classless<G: Game>(game: &G, what: &str) -> Result<(), ParseError> {
    if game.move_classes().is_empty() {
        return Err(ParseError::new(format!(
            "{what}: this game does not tell classes of moves apart; use best or uniform"
        )));
    }
    Ok(())
}

/// One weight for every class. The error names the line.
fn read<G: Game>(game: &G, text: &str) -> Result<Vec<f64>, ParseError> {
    let classes = game.move_classes();
    let mut weights: Vec<Option<f64>> = vec![None; classes.len()];
    let mut last = 1;
    for (n, line) in text.lines().enumerate() {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        last = n + 1;
        let wrong = |why: String| ParseError::new(format!("line {}: {why}", n + 1));
        let Some((name, weight)) = line.split_once('=') else {
            return Err(wrong(format!("`{line}` is not of the form class = weight")));
        };
        let (name, weight) = (name.trim(), weight.trim());
        let Some(class) = classes.iter().position(|class| class.name == name) else {
            let names: Vec<&str> = classes.iter().map(|class| class.name).collect();
            return Err(wrong(format!("unknown class `{name}`; there are {}", names.join(", "))));
        };
        let Some(weight) = weight.parse().ok().filter(|x| (0.0..=1e9).contains(x)) else {
            return Err(wrong(format!("`{weight}` is no number from 0 to 1000000000")));
        };
        if weights[class].replace(weight).is_some() {
            return Err(wrong(format!("`{name}` is weighed twice")));
        }
    }
    let weights: Vec<f64> = weights.into_iter().map(|weight| weight.unwrap_or(1.0)).collect();
    if weights.iter().all(|&weight| weight == 0.0) {
        let why = format!("line {last}: no class is left with a weight above 0");
        return Err(ParseError::new(why));
    }
    Ok(weights)
}
