//! Measurements of searches: experiments with figures, and published tables run again.
//!
//! | to | use |
//! |---|---|
//! | answer a question about searches by a figure, its numbers and a few sentences | [`EXPERIMENTS`] |
//! | repeat a published table or figure, beside the published numbers | [`REPRODUCTIONS`] |
//! | play a match of two agents as one measurement | [`Duel`] |
//!
//! Measurements are made on a [`Bench`]. It remembers finished ones, so that an interrupted run resumes where it
//! stopped.

mod bench;
mod duel;
mod error;
mod experiment;
mod finding;
mod journal;
mod reproduce;
mod unknown;

pub use bench::{Bench, Watch};
pub use duel::Duel;
pub use error::LabError;
pub use experiment::{EXPERIMENTS, Experiment, ExperimentError, experiment};
pub use finding::{Finding, Table};
pub use journal::Journal;
pub use reproduce::{
    Counted, REPRODUCTIONS, Reproduced, Reproduction, Row, Setting, Told, Verdict, page,
    reproduction,
};
pub use unknown::UnknownName;
