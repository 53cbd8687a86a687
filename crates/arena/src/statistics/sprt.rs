//! The sequential probability ratio test: a match ends as soon as its question is answered.

use std::fmt;
use std::str::FromStr;

use serde::{Deserialize, Serialize};

use super::elo::expected;
use super::{Pentanomial, likelihood};

/// What a test looks like.
const EXAMPLE: &str = "elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalized";

/// No two are further apart than this.
const LARGEST: f64 = 4000.0;

/// Normalized Elo to the t-value of pairs, which vary by a factor of the root of 2 less than games.
const T_OF_ELO: f64 = std::f64::consts::SQRT_2 * std::f64::consts::LN_10 / 800.0;

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

    /// The log-likelihood ratio of these pairs; none with fewer than two.
    pub fn llr(&self, pairs: &Pentanomial) -> Option<f64> {
        if pairs.pairs() < 2 {
            return None;
        }
        // What did not happen is not impossible: `fastchess` counts a thousandth of a pair.
        let counts = pairs.0.map(|n| if n == 0 { 1e-3 } else { n as f64 });
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|n| n / total);
        let likelihood = |elo: f64| match self.model {
            Model::Normalized => likelihood::with_t(&shares, elo * T_OF_ELO),
            Model::Logistic => likelihood::with_score(&shares, expected(elo)),
        };
        let llr = total * (likelihood(self.elo1)? - likelihood(self.elo0)?);
        llr.is_finite().then_some(llr + 0.0) // no -0
    }

    /// Whether this is a test at all.
    fn check(&self) -> Result<(), String> {
        let Self { elo0, elo1, alpha, beta, .. } = *self;
        for (key, elo) in [("elo0", elo0), ("elo1", elo1)] {
            // Beyond this the expected score is 0 or 1 for all that games can show. NaN is beyond.
            if !(-LARGEST..=LARGEST).contains(&elo) {
                return Err(format!("{key} is {elo}; write a number from -{LARGEST} to {LARGEST}"));
            }
        }
        if elo0 >= elo1 {
            return Err(format!(
                "elo0 is {elo0} and elo1 is {elo1}; elo0 must be less than elo1, as in {EXAMPLE}"
            ));
        }
        for (key, share) in [("alpha", alpha), ("beta", beta)] {
            if !(share > 0.0 && share < 0.5) {
                return Err(format!(
                    "{key} is {share}; write a number between 0 and 0.5, as in {key}=0.05"
                ));
            }
        }
        Ok(())
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
        let (mut elo0, mut elo1, mut alpha, mut beta, mut model) = (None, None, None, None, None);
        for part in text.split(',').map(str::trim) {
            let Some((key, value)) = part.split_once('=') else {
                return Err(format!("`{part}`: write key=value, as in {EXAMPLE}"));
            };
            let (key, value) = (key.trim(), value.trim());
            let place = match key {
                "elo0" => &mut elo0,
                "elo1" => &mut elo1,
                "alpha" => &mut alpha,
                "beta" => &mut beta,
                "model" => {
                    if model.replace(value.parse()?).is_some() {
                        return Err("model is given twice".to_owned());
                    }
                    continue;
                }
                _ => {
                    return Err(format!(
                        "`{key}` is unknown; there are elo0, elo1, alpha, beta and model, as in {EXAMPLE}"
                    ));
                }
            };
            let number: f64 = value.parse().map_err(|_| {
                format!("{key}: `{value}` is no number; write one, as in {EXAMPLE}")
            })?;
            // No -0.
            if place.replace(number + 0.0).is_some() {
                return Err(format!("{key} is given twice"));
            }
        }
        let missing = |key| format!("{key} is missing; write for example {EXAMPLE}");
        let sprt = Self {
            elo0: elo0.ok_or_else(|| missing("elo0"))?,
            elo1: elo1.ok_or_else(|| missing("elo1"))?,
            alpha: alpha.unwrap_or(0.05),
            beta: beta.unwrap_or(0.05),
            model: model.unwrap_or_default(),
        };
        sprt.check()?;
        Ok(sprt)
    }
}

impl FromStr for Model {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "normalized" => Ok(Self::Normalized),
            "logistic" => Ok(Self::Logistic),
            _ => Err(format!("model: `{text}` is unknown; write normalized or logistic")),
        }
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

#[cfg(test)]
mod tests;
