//! Groups of options that several commands share.

mod conditions;
mod limits;
mod picture;
mod position;
mod terms;

pub(crate) use conditions::Conditions;
pub(crate) use limits::SearchLimits;
pub(crate) use picture::{Picture, Theme};
pub(crate) use position::StartPosition;
pub(crate) use terms::{Style, Terms};
