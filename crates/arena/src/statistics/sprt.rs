//! The sequential probability ratio test: a match ends as soon as its question is answered.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::Pentanomial;

/// What is tested: is the difference rather `elo0` or rather `elo1`?
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// The difference of the hypothesis H0.
    pub elo0: f64,
    /// The difference of the hypothesis H1.
    pub elo1: f64,
    /// How often H1 may be accepted although H0 is true.
    pub alpha: f64,
    /// How often H0 may be accepted although H1 is true.
    pub beta: f64,
    /// What kind of Elo is meant.
    pub model: Model,
}

/// Kinds of Elo.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Model {
    /// Normalized: in units of how much games vary, whatever the share of draws.
    #[default]
    Normalized,
    /// Logistic: from the share of the points.
    Logistic,
}

/// The answer of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Hypothesis {
    /// The difference is rather `elo0`.
    H0,
    /// The difference is rather `elo1`.
    H1,
}

impl Sprt {
    /// The log-likelihood ratio at which H0 and at which H1 is accepted.
    pub fn bounds(&self) -> [f64; 2] {
        let Self { alpha, beta, .. } = self;
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    /// The log-likelihood ratio of these pairs; none without pairs.
    pub fn llr(&self, pairs: &Pentanomial) -> Option<f64> {
        let _ = pairs;
        None
    }

    /// The answer at this ratio, if there is one.
    pub fn decision(&self, llr: f64) -> Option<Hypothesis> {
        let [lower, upper] = self.bounds();
        match llr {
            llr if llr <= lower => Some(Hypothesis::H0),
            llr if llr >= upper => Some(Hypothesis::H1),
            _ => None,
        }
    }
}

impl FromStr for Sprt {
    type Err = String;

    /// Reads `elo0=0,elo1=10,alpha=.05,beta=.05,model=normalized`; only `elo0` and `elo1` must be there.
    fn from_str(text: &str) -> Result<Self, String> {
        Err(format!("`{text}`: not yet"))
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta, model } = self;
        let model = match model {
            Model::Normalized => "normalized",
            Model::Logistic => "logistic",
        };
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={model}")
    }
}
