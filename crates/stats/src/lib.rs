//! Statistics of game results: Elo differences with intervals, sequential tests and ratings.
//!
//! Counts go in and numbers come out; the crate knows neither games nor agents.
//!
//! | to find out | use |
//! |---|---|
//! | the Elo difference of two players, with its error | [`Estimate`] of [`Wdl`] or [`Pentanomial`] counts |
//! | when a match may stop | [`Sprt`]; [`SequentialTest`] for games that finish in any order |
//! | the ratings of a field | [`Pool`] of [`RatedGame`]s, which gives [`Ratings`] |
//! | the next pairing that tells most about the ranking | [`RatingPosterior`] |
//! | the number of games to play | [`Power`] |
//! | the interval of a mean or a proportion | [`ClusteredSamples`], [`student95`], [`wilson_interval`] |
//! | the strength as a function of an agent's settings | [`GaussianProcess`] |
//! | quantiles of move times | [`LatencyHistogram`] |
//!
//! Games are best played in pairs: two games from one opening, with the seats swapped. The pair, not the
//! game, is then the independent sample, because an opening that favours one seat cancels out. The
//! figures of a match are those of `fastchess`.
//!
//! A match of 100 games, and the Elo difference that it shows:
//!
//! ```
//! use tussle_stats::{Estimate, Wdl};
//!
//! let games = Wdl { wins: 60, draws: 20, losses: 20 };
//! let estimate = Estimate::from_games(&games);
//! let (elo, error) = (estimate.elo.value.unwrap(), estimate.elo.error.unwrap());
//! assert_eq!(format!("{elo:+.0} ± {error:.0} Elo"), "+147 ± 66 Elo");
//! assert!(estimate.los.unwrap() > 0.999);
//! ```
//!
//! A sequential test of "equal" against "at least 50 Elo stronger", after 100 pairs of games:
//!
//! ```
//! use tussle_stats::{Hypothesis, Pentanomial, Sprt};
//!
//! let sprt = Sprt::new(0.0, 50.0)?;
//! let pairs = Pentanomial([5, 12, 40, 28, 15]); // by points: 0, ½, 1, 1½ and 2
//! let llr = sprt.llr(&pairs).expect("two pairs or more");
//! assert_eq!(sprt.decision(llr), Some(Hypothesis::H1));
//! # Ok::<(), tussle_stats::SprtError>(())
//! ```

mod counts;
mod elo;
mod gaussian_process;
mod latency;
mod mean;
mod normal;
#[cfg(test)]
mod oracle;
mod posterior;
mod power;
mod proportion;
mod ratings;
mod sequential;
mod sprt;

pub use counts::{GameResult, Pentanomial, Wdl, is_repetitive};
pub use elo::{Elo, Estimate};
pub use gaussian_process::{GaussianProcess, SettingKind, SharePrediction, ShareSample};
pub use latency::LatencyHistogram;
pub use mean::{ClusteredSamples, Mean};
pub use normal::student95;
pub use posterior::RatingPosterior;
pub use power::{ExpectedGames, Power, PowerError};
pub use proportion::{sign_test, wilson_interval};
pub use ratings::{Pool, RatedGame, Ratings};
pub use sequential::{PairedGame, SequentialTest, SprtStatus};
pub use sprt::{EloModel, Hypothesis, Sprt, SprtError};
