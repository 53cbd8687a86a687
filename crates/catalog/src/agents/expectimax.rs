//! Keys of `expectimax`, and files of weights for its opponent model.

use std::sync::Arc;

use tussle_core::{Game, ParseError};
use tussle_search::{Expectimax, ExpectimaxOptions, OpponentModel};

use super::shared::{
    ByDepth, EVAL, contract, dedupe, deepen, depth, draw, evaluation, nodes, partial, terminal,
};
use super::{AgentInfo, checked_seat};
use crate::AnyAgent;
use crate::erased::Rules;
use crate::keys::{Key, options, params};
use crate::param::{Args, Param, ParamKind, Setting};

type Spec = ByDepth<ExpectimaxOptions>;

const OPPONENT: Param = Param {
    key: "opponent",
    kind: ParamKind::ChoiceOrFile(&["best", "uniform", "course"]),
    default: "",
    help: "opponent model: best moves, uniform moves, moves weighted by class (course, or a file of weights) \
           [default: best if the game has chance, else uniform]",
};

const KEYS: [Key<Spec>; 11] = [
    depth(),
    nodes(),
    Key::elsewhere(EVAL),
    Key::elsewhere(OPPONENT),
    Key::choice(
        "prune",
        &["none", "star1"],
        "none",
        |o, word| o.options.star1 = word == "star1",
        "star1: prune chance nodes whose mean cannot reach the window",
    ),
    deepen(),
    contract(),
    partial(),
    draw(|o, value| o.options.draw = value),
    terminal(),
    dedupe("on"),
];
const PARAMS: [Param; 11] = params(&KEYS);

pub(super) const EXPECTIMAX: AgentInfo = AgentInfo {
    name: "expectimax",
    summary: "averages over chance and over an opponent model",
    params: &PARAMS,
};

pub(super) fn make<G: Game + 'static>(
    rules: &Arc<Rules<G>>,
    args: &Args,
) -> Result<Box<dyn AnyAgent>, ParseError> {
    let Spec { query, options, .. } = options(&KEYS, args);
    let (index, eval) = evaluation(rules, args);
    let opponent = opponent(&*rules.game, args.get(OPPONENT.key))?;
    checked_seat(
        rules,
        Expectimax::new(ExpectimaxOptions { opponent, ..options }, eval),
        query,
        index,
    )
}

#[cfg(test)]
pub(super) fn defaults_agree(args: &Args) -> bool {
    options(&KEYS, args) == Spec::default()
}

fn opponent<G: Game>(
    game: &G,
    setting: Option<&Setting>,
) -> Result<Option<OpponentModel>, ParseError> {
    Ok(match setting {
        Some(Setting::Choice("best")) => Some(OpponentModel::Best),
        Some(Setting::Choice("uniform")) => Some(OpponentModel::Uniform),
        Some(Setting::Choice(_)) => {
            reject_classless(game, "opponent=course")?;
            let weights = game.move_classes().iter().map(|class| course_weight(class)).collect();
            Some(OpponentModel::Weighted(weights))
        }
        Some(Setting::File { path, text }) => {
            reject_classless(game, &format!("opponent={path}"))?;
            let wrong = |error| ParseError::new(format!("opponent={path}: {error}"));
            Some(OpponentModel::Weighted(read(game, text).map_err(wrong)?))
        }
        _ => None,
    })
}

/// Returns the weight of a move class with `opponent=course`: the opponent of the Gobblet course prefers to cover
/// pieces and to move small ones.
fn course_weight(class: &str) -> f64 {
    match class {
        "over-rival" | "over-own" | "small" => 2.0,
        _ => 1.0,
    }
}

fn reject_classless<G: Game>(game: &G, what: &str) -> Result<(), ParseError> {
    if game.move_classes().is_empty() {
        return Err(ParseError::new(format!(
            "{what}: this game has no move classes; use best or uniform"
        )));
    }
    Ok(())
}

/// Parses one weight for every move class. The error names the line.
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
            return Err(wrong(format!("expected class = weight, found `{line}`")));
        };
        let (name, weight) = (name.trim(), weight.trim());
        let Some(class) = classes.iter().position(|&class| class == name) else {
            return Err(wrong(format!(
                "unknown class `{name}`; expected one of {}",
                classes.join(", ")
            )));
        };
        let Some(weight) = weight.parse().ok().filter(|x| (0.0..=1e9).contains(x)) else {
            return Err(wrong(format!("expected a weight from 0 to 1000000000, found `{weight}`")));
        };
        if weights[class].replace(weight).is_some() {
            return Err(wrong(format!("`{name}` is given twice")));
        }
    }
    let weights: Vec<f64> = weights.into_iter().map(|weight| weight.unwrap_or(1.0)).collect();
    if weights.iter().all(|&weight| weight == 0.0) {
        let why = format!("line {last}: all weights are 0; at least one must be higher");
        return Err(ParseError::new(why));
    }
    Ok(weights)
}
