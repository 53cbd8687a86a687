//! Go: the size of the board decides how much room a state needs.

use std::sync::Arc;

use tussle_core::{Described, Evaluations};
use tussle_games::Go;
use tussle_games::go::Options;

use super::Entry;
use crate::AnyGame;
use crate::erased::Rules;

pub(super) const GO: Entry = Entry {
    name: Go::<1>::NAME,
    summary: Go::<1>::SUMMARY,
    params: Go::<1>::PARAMS,
    evaluations: Go::<1>::EVALUATIONS,
    build: |spec, args| {
        let options = Options::from_args(args)?;
        Ok(match options.words() {
            1 => erase(spec, Go::<1>::new(&options)?),
            2 => erase(spec, Go::<2>::new(&options)?),
            _ => erase(spec, Go::<8>::new(&options)?),
        })
    },
};

fn erase<const N: usize>(spec: String, go: Go<N>) -> Arc<dyn AnyGame> {
    Rules::duel(spec, go).agents(Go::<N>::AGENTS).erase()
}
