//! Paranoid: one player against all others as one.

mod coalition;

use tussle_core::{
    Args, Bound, Evaluations, Hashed, Outcome, ParseError, Payoffs, Report, Setting,
};

use crate::agent::{no_choice, player_asked};
use crate::{ALPHABETA, Agent, AgentInfo, AlphaBeta, Query};
use coalition::Coalition;

/// [`Paranoid`] in lists.
pub const PARANOID: AgentInfo = AgentInfo {
    name: "paranoid",
    summary: "alpha-beta for any number of players; takes all others for one rival",
    params: ALPHABETA.params,
};

/// Alpha-beta in games of more than two players: the others are thought to do nothing but harm.
#[derive(Clone, Debug)]
pub struct Paranoid {
    args: Args,
    seed: u64,
}

impl Paranoid {
    /// A player with the parameters of [`PARANOID`].
    ///
    /// # Errors
    /// As for [`AlphaBeta`].
    pub fn from_args<G>(game: &G, args: &Args, seed: u64) -> Result<Self, ParseError>
    where
        G: Evaluations + Hashed,
    {
        let agent = Self { args: args.clone(), seed };
        // Whoever will be to move, the same would be wrong.
        agent.search_for(&agent.coalition(game, 0))?;
        Ok(agent)
    }

    fn coalition<'a, G: Evaluations>(&self, game: &'a G, one: usize) -> Coalition<'a, G> {
        let (index, args) = self.args.evaluation("eval");
        Coalition::new(game, one, &game.evaluation(index, args))
    }

    fn search_for<'a, G: Evaluations + Hashed>(
        &self,
        coalition: &Coalition<'a, G>,
    ) -> Result<AlphaBeta<Coalition<'a, G>>, ParseError> {
        let mut args = self.args.clone();
        // A value that is known is told in the terms of the game of many.
        if let Setting::Float(value) = *args.setting("value")
            && let Some(told) = args.clone().with("value", Setting::Float(coalition.score(value)))
        {
            args = told;
        }
        AlphaBeta::from_args(coalition, &args, self.seed)
    }
}

impl<G: Evaluations + Hashed> Agent<G> for Paranoid {
    fn analyse(
        &mut self,
        game: &G,
        state: &G::State,
        query: Query<'_, G::Move>,
    ) -> Report<G::Move> {
        let Some(player) = player_asked(game, state) else { return no_choice() };
        let coalition = self.coalition(game, player);
        let mut search =
            self.search_for(&coalition).expect("it could be made for the first player");
        let told = |report| told(&coalition, &game.payoffs(), report);
        let Query { budget, lines, live, events, keep_tree } = query;
        let mut live = live.map(|live| move |report: &Report<G::Move>| live(&told(report.clone())));
        let query = Query {
            budget,
            lines,
            live: live.as_mut().map(|live| live as _),
            events: events.map(|events| events as _),
            keep_tree,
        };
        told(search.analyse(&coalition, state, query))
    }

    fn is_deterministic(&self) -> bool {
        self.args.int("threads") == 1
    }
}

/// The report in the terms of the game of many: utilities where they are proven.
fn told<G: Evaluations>(
    coalition: &Coalition<'_, G>,
    payoffs: &Payoffs,
    mut report: Report<G::Move>,
) -> Report<G::Move> {
    // A bound is compared with the best move, so that it is told in the same unit.
    let best_is_proven = report.lines.first().is_some_and(|line| line.outcome.is_some());
    for line in &mut report.lines {
        if !line.searched {
            line.value = payoffs.least;
            continue;
        }
        if line.outcome.is_none() && !best_is_proven {
            continue;
        }
        line.value = coalition.utility(line.value);
        let (at_least, at_most) = (line.bound != Bound::Upper, line.bound != Bound::Lower);
        line.outcome = line.outcome.and(match line.value {
            _ if payoffs.points => None,
            x if x >= payoffs.most => at_least.then_some(Outcome::Win),
            x if x <= payoffs.least => at_most.then_some(Outcome::Loss),
            _ => (at_least && at_most).then_some(Outcome::Draw),
        });
    }
    report
}
