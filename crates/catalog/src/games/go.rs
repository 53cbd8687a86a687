//! Go: the size of the board decides how much room a state needs.

use std::sync::Arc;

use tussle_core::{Described, Evaluations};
use tussle_games::Go;
use tussle_games::go::Options;

use crate::entry::{Build, Capabilities, GameEntry};
use crate::params::settle;
use crate::{AnyGame, Error, Spec};

type AnyGo = Go<1>;

pub(super) fn go() -> GameEntry {
    GameEntry {
        name: AnyGo::NAME,
        summary: AnyGo::SUMMARY,
        params: AnyGo::PARAMS,
        evaluations: AnyGo::EVALUATIONS.to_vec(),
        build: Arc::new(|request: Build<'_>| {
            let options = Options::from_args(request.args)?;
            Ok(match options.words() {
                1 => finish(request, Go::<1>::new(&options)?),
                2 => finish(request, Go::<2>::new(&options)?),
                _ => finish(request, Go::<8>::new(&options)?),
            })
        }),
    }
}

fn finish<const N: usize>(request: Build<'_>, go: Go<N>) -> Arc<dyn AnyGame> {
    let capabilities = Capabilities::new().complete().zero_sum().agent_defaults(Go::<N>::AGENTS);
    request.finish(Arc::new(go), Arc::new(capabilities))
}

/// The rules of Go that a spec asks for; nothing if it asks for another game.
///
/// # Errors
/// If its parameters are wrong.
pub fn go_options(spec: &str) -> Result<Option<Options>, Error> {
    let spec = Spec::parse(spec)?;
    if spec.name != AnyGo::NAME {
        return Ok(None);
    }
    let options = Options::from_args(&settle(&spec, AnyGo::PARAMS, &[])?);
    options.map(Some).map_err(|reason| Error::Rules { spec: spec.name, reason })
}
