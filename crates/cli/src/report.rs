//! stub
use tussle_arena::{Store, Summary};

use crate::failure::Failure;
use crate::output;

pub(crate) fn print(_store: &Store, summary: &Summary) -> Result<(), Failure> {
    output::line(&format!("{summary:#?}"))
}

pub(crate) fn json(_store: &Store, summary: &Summary) -> Result<(), Failure> {
    output::json(summary)
}
