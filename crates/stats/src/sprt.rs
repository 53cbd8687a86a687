//! The sequential probability ratio test (SPRT), which ends a match as soon as it has an answer.

mod likelihood;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use crate::Pentanomial;
use crate::elo::expected_score;

/// Text form of a test, for error messages.
const EXAMPLE: &str = "elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalized";

/// Largest Elo difference of a hypothesis. Beyond it the expected score is 0 or 1 for all that games can show.
const MAX_ELO: f64 = 4000.0;

/// Factor from normalized Elo to the t-value of pairs, whose standard deviation is √2 smaller than that of games.
const T_PER_ELO: f64 = std::f64::consts::SQRT_2 * std::f64::consts::LN_10 / 800.0;

/// Sequential test of two hypotheses about an Elo difference: H0, that it is `elo0`, against H1, that it
/// is `elo1`.
///
/// Its text form is `elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalized`. Only `elo0` and `elo1` are
/// required.
///
/// ```
/// use tussle_stats::{EloModel, Sprt};
///
/// let sprt: Sprt = "elo0=0,elo1=10,model=logistic".parse()?;
/// assert_eq!(sprt, Sprt { model: EloModel::Logistic, ..Sprt::new(0.0, 10.0)? });
/// # Ok::<(), tussle_stats::SprtError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Sprt {
    /// Elo difference of the hypothesis H0.
    pub elo0: f64,
    /// Elo difference of the hypothesis H1.
    pub elo1: f64,
    /// Probability that H1 is accepted although H0 is true.
    pub alpha: f64,
    /// Probability that H0 is accepted although H1 is true.
    pub beta: f64,
    /// Unit of `elo0` and `elo1`.
    pub model: EloModel,
}

/// Unit of an Elo difference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum EloModel {
    /// Normalized Elo: in units of the standard deviation of a game, whatever the share of draws.
    #[default]
    Normalized,
    /// Logistic Elo: from the share of the points.
    Logistic,
}

/// Hypothesis that a test accepts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub enum Hypothesis {
    /// The difference is `elo0` rather than `elo1`.
    H0,
    /// The difference is `elo1` rather than `elo0`.
    H1,
}

/// Error in the description of a sequential test.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum SprtError {
    /// A part of the text is not `key=value`.
    NotKeyValue {
        /// The part.
        part: String,
    },
    /// A key is unknown.
    UnknownKey {
        /// The key.
        key: String,
    },
    /// The model is unknown.
    UnknownModel {
        /// Name that was given.
        text: String,
    },
    /// A value is not a number.
    NotANumber {
        /// Key of the value.
        key: String,
        /// The value.
        value: String,
    },
    /// A key is given twice.
    Repeated {
        /// The key.
        key: String,
    },
    /// A required key is missing.
    Missing {
        /// The key.
        key: &'static str,
    },
    /// An Elo difference is out of range.
    EloRange {
        /// `elo0` or `elo1`.
        key: &'static str,
        /// Difference that was given.
        elo: f64,
    },
    /// The hypotheses are not in ascending order.
    Order {
        /// Difference of H0.
        elo0: f64,
        /// Difference of H1.
        elo1: f64,
    },
    /// An error probability is out of range.
    ErrorRate {
        /// `alpha` or `beta`.
        key: &'static str,
        /// Probability that was given.
        share: f64,
    },
}

impl fmt::Display for SprtError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NotKeyValue { part } => write!(f, "`{part}`: write key=value, as in {EXAMPLE}"),
            Self::UnknownKey { key } => write!(
                f,
                "`{key}` is unknown; there are elo0, elo1, alpha, beta and model, as in {EXAMPLE}"
            ),
            Self::UnknownModel { text } => {
                write!(f, "model: `{text}` is unknown; write normalized or logistic")
            }
            Self::NotANumber { key, value } => {
                write!(f, "{key}: expected a number, found `{value}`; write for example {EXAMPLE}")
            }
            Self::Repeated { key } => write!(f, "{key} is given twice"),
            Self::Missing { key } => write!(f, "{key} is missing; write for example {EXAMPLE}"),
            Self::EloRange { key, elo } => {
                write!(f, "{key} is {elo}; write a number from -{MAX_ELO} to {MAX_ELO}")
            }
            Self::Order { elo0, elo1 } => write!(
                f,
                "elo0 is {elo0} and elo1 is {elo1}; elo0 must be less than elo1, as in {EXAMPLE}"
            ),
            Self::ErrorRate { key, share } => {
                write!(f, "{key} is {share}; write a number between 0 and 0.5, as in {key}=0.05")
            }
        }
    }
}

impl std::error::Error for SprtError {}

impl Sprt {
    /// Creates a test of two normalized Elo differences with error probabilities of 5 %.
    ///
    /// # Errors
    /// If a difference is out of range, or `elo0` is not less than `elo1`.
    pub fn new(elo0: f64, elo1: f64) -> Result<Self, SprtError> {
        let sprt = Self { elo0, elo1, alpha: 0.05, beta: 0.05, model: EloModel::default() };
        sprt.check()?;
        Ok(sprt)
    }

    /// Returns the log-likelihood ratios at which H0 and at which H1 is accepted.
    pub fn bounds(&self) -> [f64; 2] {
        let Self { alpha, beta, .. } = self;
        [(beta / (1.0 - alpha)).ln(), ((1.0 - beta) / alpha).ln()]
    }

    /// Returns the log-likelihood ratio of these pairs; `None` with fewer than two.
    pub fn llr(&self, pairs: &Pentanomial) -> Option<f64> {
        if pairs.pairs() < 2 {
            return None;
        }
        // A score that was not seen is not impossible: `fastchess` counts a thousandth of a pair.
        let counts = pairs.0.map(|n| if n == 0 { 1e-3 } else { n as f64 });
        let total: f64 = counts.iter().sum();
        let shares = counts.map(|n| n / total);
        let likelihood = |elo: f64| match self.model {
            EloModel::Normalized => likelihood::at_t_value(&shares, elo * T_PER_ELO),
            EloModel::Logistic => likelihood::at_score(&shares, expected_score(elo)),
        };
        let llr = total * (likelihood(self.elo1)? - likelihood(self.elo0)?);
        llr.is_finite().then_some(llr + 0.0) // no -0
    }

    /// Returns the hypothesis that is accepted at a log-likelihood ratio; `None` if the test continues.
    pub fn decision(&self, llr: f64) -> Option<Hypothesis> {
        let [lower, upper] = self.bounds();
        match llr {
            llr if llr <= lower => Some(Hypothesis::H0),
            llr if llr >= upper => Some(Hypothesis::H1),
            _ => None,
        }
    }

    /// Checks that the numbers are in range.
    fn check(&self) -> Result<(), SprtError> {
        let Self { elo0, elo1, alpha, beta, .. } = *self;
        for (key, elo) in [("elo0", elo0), ("elo1", elo1)] {
            // NaN is in no range.
            if !(-MAX_ELO..=MAX_ELO).contains(&elo) {
                return Err(SprtError::EloRange { key, elo });
            }
        }
        if elo0 >= elo1 {
            return Err(SprtError::Order { elo0, elo1 });
        }
        for (key, share) in [("alpha", alpha), ("beta", beta)] {
            if !(share > 0.0 && share < 0.5) {
                return Err(SprtError::ErrorRate { key, share });
            }
        }
        Ok(())
    }
}

impl FromStr for Sprt {
    type Err = SprtError;

    /// Parses the text form.
    fn from_str(text: &str) -> Result<Self, SprtError> {
        let (mut elo0, mut elo1, mut alpha, mut beta, mut model) = (None, None, None, None, None);
        for part in text.split(',').map(str::trim) {
            let Some((key, value)) = part.split_once('=') else {
                return Err(SprtError::NotKeyValue { part: part.to_owned() });
            };
            let (key, value) = (key.trim(), value.trim());
            let is_repeated = if key == "model" {
                model.replace(value.parse()?).is_some()
            } else {
                let place = match key {
                    "elo0" => &mut elo0,
                    "elo1" => &mut elo1,
                    "alpha" => &mut alpha,
                    "beta" => &mut beta,
                    _ => return Err(SprtError::UnknownKey { key: key.to_owned() }),
                };
                let number: f64 = value.parse().map_err(|_| SprtError::NotANumber {
                    key: key.to_owned(),
                    value: value.to_owned(),
                })?;
                place.replace(number + 0.0).is_some() // no -0
            };
            if is_repeated {
                return Err(SprtError::Repeated { key: key.to_owned() });
            }
        }
        let sprt = Self {
            elo0: elo0.ok_or(SprtError::Missing { key: "elo0" })?,
            elo1: elo1.ok_or(SprtError::Missing { key: "elo1" })?,
            alpha: alpha.unwrap_or(0.05),
            beta: beta.unwrap_or(0.05),
            model: model.unwrap_or_default(),
        };
        sprt.check()?;
        Ok(sprt)
    }
}

impl FromStr for EloModel {
    type Err = SprtError;

    fn from_str(text: &str) -> Result<Self, SprtError> {
        match text {
            "normalized" => Ok(Self::Normalized),
            "logistic" => Ok(Self::Logistic),
            _ => Err(SprtError::UnknownModel { text: text.to_owned() }),
        }
    }
}

impl fmt::Display for EloModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Normalized => "normalized",
            Self::Logistic => "logistic",
        })
    }
}

impl fmt::Display for Sprt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { elo0, elo1, alpha, beta, model } = self;
        write!(f, "elo0={elo0},elo1={elo1},alpha={alpha},beta={beta},model={model}")
    }
}
