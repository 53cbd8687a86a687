//! Go: the size of the board decides how much room a state needs.

use std::sync::Arc;

use tussle_core::{Described, Evaluations};
use tussle_games::Go;
use tussle_games::go::Options;

use super::Entry;
use crate::erased::Rules;
use crate::params::settle;
use crate::{AnyGame, Error, Spec};

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

/// The rules of Go that a spec asks for; nothing if it asks for another game.
///
/// # Errors
/// If its parameters are wrong.
pub fn go_options(spec: &str) -> Result<Option<Options>, Error> {
    let spec = Spec::parse(spec)?;
    if spec.name != GO.name {
        return Ok(None);
    }
    let options = Options::from_args(&settle(&spec, GO.params, &[])?);
    options.map(Some).map_err(|reason| Error::Rules { spec: spec.name, reason })
}

fn erase<const N: usize>(spec: String, go: Go<N>) -> Arc<dyn AnyGame> {
    Rules::duel(spec, go).agents(Go::<N>::AGENTS).erase()
}
