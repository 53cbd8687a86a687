//! Measurements of searches: experiments with figures, and published tables run again.
//!
//! | to | use |
//! |---|---|
//! | answer a question about searches by a figure, its numbers and a few sentences | [`EXPERIMENTS`] |
//! | ask it about your own game and agents | [`Experiment::run_with`] |
//! | repeat a published table or figure, beside the published numbers | [`REPRODUCTIONS`] |
//! | play a match of two agents as one measurement | [`Duel`] |
//! | find the best values of an agent's parameters | [`Tuning`](tune::Tuning) |
//!
//! Measurements are made in an [`ExperimentContext`], whose cache lets an interrupted run resume.
//!
//! Every experiment takes four steps: measure rows, write them as a [`Table`], draw series of them as a figure, and
//! compute sentences from them. A kind of experiment declares the four in one file of `experiment/`; the steps
//! that kinds share are in `measure/`, `table.rs`, `figure.rs` and `sentences.rs`.

mod error;
mod experiment;
mod figure;
mod finding;
mod match_score;
mod mean;
mod measure;
mod reproduce;
mod sentences;
mod table;
pub mod tune;
mod unknown;

pub use error::LabError;
pub use experiment::{
    AgentOption, EXPERIMENTS, Experiment, ExperimentError, ExperimentOptions, StartOption,
    SweepRange, experiment,
};
pub use finding::Finding;
pub use measure::context::{ExperimentContext, ProgressObserver};
pub use measure::duel::Duel;
pub use reproduce::{
    Measurement, Proportion, REPRODUCTIONS, ReportSettings, Reproduction, ReproductionResult, Row,
    Verdict, page, reproduction,
};
pub use table::Table;
pub use unknown::UnknownName;

pub(crate) use error::Result;
