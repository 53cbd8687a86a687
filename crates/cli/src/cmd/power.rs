//! `tussle power`

use clap::{ArgGroup, Args};
use serde::Serialize;
use tussle_core::format::{decimal, grouped};
use tussle_stats::{ExpectedGames, Power as Needed};

use crate::failure::Failure;
use crate::layout::Table;
use crate::output;

/// Calculate how many games show a given difference in strength
///
/// Choose the number of games before a match. If you watch the score and stop when it looks good, you will
/// find differences that do not exist. The sequential test of `match --sprt` may stop at any time.
///
/// Examples:
///   tussle power --elo 20
///   tussle power --score 0.55
///   tussle power --elo 10 --draws 0.4 --power 0.9
///   tussle power --elo 20 --sprt
#[derive(Args)]
#[command(verbatim_doc_comment)]
#[command(group(ArgGroup::new("difference").required(true).args(["elo", "score"])))]
pub(crate) struct Power {
    /// Difference in Elo, of either sign
    #[arg(long, value_name = "E", allow_negative_numbers = true)]
    elo: Option<f64>,
    /// Difference as the share of points of the stronger agent, such as 0.55
    #[arg(long, value_name = "SHARE", allow_negative_numbers = true)]
    score: Option<f64>,
    /// Share of drawn games; with more draws, fewer games are needed
    #[arg(long, value_name = "RATIO", default_value_t = 0.0, allow_negative_numbers = true)]
    draws: f64,
    /// Probability of finding a difference between equal agents
    #[arg(long, default_value_t = 0.05, allow_negative_numbers = true)]
    alpha: f64,
    /// Probability of finding the difference if it exists
    #[arg(
        long = "power",
        value_name = "POWER",
        default_value_t = 0.8,
        allow_negative_numbers = true
    )]
    chance: f64,
    /// Also print the expected length of a sequential test (`tussle match --sprt`)
    #[arg(long)]
    sprt: bool,
    /// Print one JSON document
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Document {
    #[serde(flatten)]
    wanted: Row,
    /// Games for a two-sided test, which the conclusion of a match uses.
    games_two_sided: u64,
    draws: f64,
    alpha: f64,
    power: f64,
    /// Numbers for half and for twice the difference.
    others: Vec<Row>,
    #[serde(skip_serializing_if = "Option::is_none")]
    sprt: Option<Sequential>,
}

/// Games needed for one difference.
#[derive(Serialize)]
struct Row {
    elo: f64,
    score: f64,
    games: u64,
    /// Half of the width of the 95 % interval of the difference after `games`.
    error: f64,
}

/// Expected number of games of a sequential test.
#[derive(Serialize)]
struct Sequential {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    model: &'static str,
    games_if_h0: f64,
    games_if_h1: f64,
    games_between: f64,
}

impl From<&Needed> for Row {
    fn from(needed: &Needed) -> Self {
        let games = needed.games();
        Self { elo: needed.elo(), score: needed.score(), games, error: needed.error(games) }
    }
}

impl Power {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let Self { draws, alpha, chance: power, .. } = *self;
        let of_elo = |elo| Needed::of_elo(elo, draws, alpha, power);
        let needed = match (self.elo, self.score) {
            (Some(elo), _) => of_elo(elo),
            (None, Some(score)) => Needed::new(score, draws, alpha, power),
            (None, None) => {
                return Err(Failure::usage(
                    "expected a difference, such as --elo 20 or --score 0.55",
                ));
            }
        };
        let needed = needed.map_err(|error| Failure::usage(error.to_string()))?;
        // With many draws, twice the difference may be impossible.
        let factors = [0.5, 2.0].into_iter();
        let others = factors.filter_map(|factor| of_elo(factor * needed.elo()).ok());
        let document = Document {
            wanted: Row::from(&needed),
            games_two_sided: needed.two_sided().games(),
            draws,
            alpha,
            power,
            others: others.map(|other| Row::from(&other)).collect(),
            sprt: self.sprt.then(|| {
                let ExpectedGames { h0, h1, between } = needed.sequential();
                Sequential {
                    elo0: 0.0,
                    elo1: needed.elo(),
                    alpha,
                    // Rounds off the error of the subtraction.
                    beta: ((1.0 - power) * 1e12).round() / 1e12,
                    model: "logistic",
                    games_if_h0: h0,
                    games_if_h1: h1,
                    games_between: between,
                }
            }),
        };
        if self.json { output::json(&document) } else { output::report(&text(&document)) }
    }
}

fn text(document: &Document) -> String {
    let Document { wanted, games_two_sided, draws, alpha, power, others, sprt } = document;
    let percent = |share: f64| format!("{} %", decimal(100.0 * share, 2));
    let drawn =
        if *draws > 0.0 { format!(" with {} draws", percent(*draws)) } else { String::new() };
    let mut text = format!(
        "To find a difference of {} Elo ({:.1} % of the points){drawn}, play {} games.\n\
         Of such matches, {} between equal agents look like a difference, and {} find the stronger agent.\n\
         If you do not know beforehand which agent may be stronger, play {} games.\n\n",
        signed(wanted.elo),
        100.0 * wanted.score,
        grouped(wanted.games),
        percent(*alpha),
        percent(*power),
        grouped(*games_two_sided),
    );
    let mut rows: Vec<&Row> = others.iter().chain([wanted]).collect();
    rows.sort_by(|a, b| a.elo.total_cmp(&b.elo));
    let mut shown = Table::new(["Elo", "score", "games", "± Elo"]);
    shown.numbers(0..4);
    for row in rows {
        shown.add_row([
            signed(row.elo),
            format!("{:.1} %", 100.0 * row.score),
            grouped(row.games),
            format!("{:.1}", row.error),
        ]);
    }
    text += &shown.text();
    if let Some(sprt) = sprt {
        let games = |games: f64| grouped(games.ceil() as u64);
        text += &format!(
            "\nA sequential test ends by itself, after about {} games if the agents are equal, {} if the \
             difference is {} Elo, and {} if it is half of that:\n  \
             --sprt elo0=0,elo1={},alpha={},beta={},model=logistic\n",
            games(sprt.games_if_h0),
            games(sprt.games_if_h1),
            signed(sprt.elo1),
            games(sprt.games_between),
            decimal(sprt.elo1, 2),
            sprt.alpha,
            sprt.beta,
        );
    }
    text
}

fn signed(elo: f64) -> String {
    format!("+{}", decimal(elo, 2))
}
