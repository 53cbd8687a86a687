//! Go: the size of the board decides how much room a state needs.

use tussle_core::{Described, Evaluations};
use tussle_games::Go;
use tussle_games::go::Options;

use super::{Entry, erase_described};

pub(super) const GO: Entry = Entry {
    name: Go::<1>::NAME,
    summary: Go::<1>::SUMMARY,
    params: Go::<1>::PARAMS,
    evaluations: Go::<1>::EVALUATIONS,
    build: |spec, args| {
        let options = Options::from_args(args)?;
        Ok(match options.words() {
            1 => erase_described(spec, Go::<1>::new(&options)?),
            2 => erase_described(spec, Go::<2>::new(&options)?),
            _ => erase_described(spec, Go::<8>::new(&options)?),
        })
    },
};
