//! Games between two agents, for experiments and reproductions.

use std::time::Instant;

use tussle_arena::{Contestant, Event, Store, Summary, Tournament, TournamentSpec, run};
use tussle_catalog::{Catalog, is_program};
use tussle_core::{StopFlag, TimeControl, duration_text};
use tussle_engine::{Guard, Terms, process_cpu_time};

use crate::{ExperimentContext, LabError};

/// A match of two agents.
#[derive(Clone, Debug)]
pub struct Duel {
    /// Specification of the match.
    pub spec: TournamentSpec,
    /// Number of games; half of them with swapped seats.
    games: u64,
    /// True if the clock limits the agents, which otherwise have limits of their own.
    is_timed: bool,
}

impl Duel {
    /// Creates a match of agents that have limits of their own, from names and specs.
    pub fn new(game: &str, agents: [(&str, &str); 2], games: u64, seed: u64) -> Self {
        let agents = agents.map(|(name, spec)| Contestant::new(name, spec)).to_vec();
        let spec = TournamentSpec::new(vec![game.to_owned()], agents).with_games(games);
        let spec = TournamentSpec { clock: Terms::LIMITED_CLOCK, seed, ..spec };
        Self { spec, games, is_timed: false }
    }

    /// Lets this clock limit the agents.
    #[must_use]
    pub fn timed(mut self, clock: TimeControl) -> Self {
        self.spec.clock = clock;
        Self { is_timed: true, ..self }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The tournament of this one match.
    pub(crate) fn tournament(&self, catalog: &Catalog) -> Result<Tournament, LabError> {
        Ok(Tournament::new(self.spec.clone(), catalog)?)
    }

    /// Plays the games that are not in the store, `jobs` in parallel, and reports each finished game.
    pub(crate) fn run(
        &self,
        tournament: &Tournament,
        store: &mut Store,
        guard: &Guard,
        jobs: usize,
        stop: &StopFlag,
        finished: &mut dyn FnMut(),
    ) -> Result<(), LabError> {
        run(tournament, store, guard, jobs, stop, &mut |event| {
            if let Event::Finished(..) = event {
                finished();
            }
        })?;
        if stop.is_stopped() && store.len()? < self.games {
            return Err(LabError::Stopped);
        }
        Ok(())
    }

    /// Plays the games that the cache does not have, and gives what they add up to. Each finished game
    /// is `weight` of work.
    ///
    /// # Errors
    /// If the game or an agent is unknown, the games cannot be kept, or the work was stopped.
    pub fn play(
        &self,
        context: &mut ExperimentContext<'_>,
        weight: u64,
    ) -> Result<Summary, LabError> {
        let tournament = self.tournament(&context.catalog)?;
        let guard = context.programs.guard.clone();
        let mut store = match context.store(&self.key())? {
            Some(path) => Store::open_or_create(&path, tournament.spec())?,
            None => Store::in_memory(tournament.spec())?,
        };
        context.observer.done(weight * store.len()?, "");
        let stop: StopFlag = context.stop.clone();
        let names: Vec<&str> = self.spec.agents.iter().map(|agent| agent.name.as_str()).collect();
        let label = names.join(" v ");
        let jobs = if self.is_timed { context.timed_jobs } else { context.jobs };
        let is_played = store.len()? < self.games;
        let observer = &mut *context.observer;
        let mut finished = || observer.done(weight, &label);
        let (began, worked) = (Instant::now(), process_cpu_time());
        self.run(&tournament, &mut store, &guard, jobs, &stop, &mut finished)?;
        // One game after the other keeps one processor at work. Several leave it idle at their ends. Programs work in
        // other processes.
        let is_program = self.spec.agents.iter().any(|agent| is_program(&agent.spec));
        if self.is_timed && jobs == 1 && !is_program {
            let spent = [began.elapsed(), process_cpu_time().saturating_sub(worked)];
            context.take_time(&self.key(), is_played.then_some(spent))?;
        }
        Ok(Summary::of(&store)?)
    }

    /// Returns a text that differs between different matches.
    fn key(&self) -> String {
        let TournamentSpec { games, agents, clock, margin, opening_plies, seed, .. } = &self.spec;
        let specs: Vec<&str> = agents.iter().map(|agent| agent.spec.as_str()).collect();
        let (game, specs) = (games.concat(), specs.join(" "));
        let clock = if self.is_timed { clock.to_string() } else { "own".to_owned() };
        let margin = if *margin == Terms::default().margin {
            String::new()
        } else {
            format!("-{}", duration_text(*margin))
        };
        format!("{game} {specs} {} {clock}{margin} {opening_plies} {seed}", self.games)
    }
}

/// A file name of a key: readable, and its own.
pub(crate) fn file_name(key: &str) -> String {
    let plain: String = key
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() || c == '-' { c } else { '_' })
        .take(60)
        .collect();
    // FNV-1a: two keys that look alike must not share a file.
    let hash = key.bytes().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{plain}-{hash:016x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_different_matches_differ() {
        assert_ne!(file_name("a:b"), file_name("a,b"));
        assert_ne!(file_name(&"x".repeat(100)), file_name(&"x".repeat(101)));
    }

    #[test]
    fn a_match_is_played_once() {
        struct Count(u64);
        impl crate::ProgressObserver for Count {
            fn begin(&mut self, _: &str, _: u64) {}
            fn done(&mut self, weight: u64, _: &str) {
                self.0 += weight;
            }
        }
        let dir = std::env::temp_dir().join(format!("tussle-duel-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&dir);
        let duel = Duel::new("tictactoe", [("greedy", "greedy"), ("random", "random")], 20, 1);
        let mut scores = Vec::new();
        for _ in 0..2 {
            let mut watch = Count(0);
            let mut context = ExperimentContext::with_folder(&dir, &mut watch).unwrap();
            let summary = duel.play(&mut context, 3).unwrap();
            scores.push(summary.duel().unwrap().score);
            assert_eq!(watch.0, 60);
        }
        assert_eq!(scores[0], scores[1]);
        assert_eq!(scores[0].games(), 20);
        std::fs::remove_dir_all(&dir).unwrap();
    }
}
