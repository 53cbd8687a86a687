//! Games between two agents, for experiments and reproductions.

use std::time::Instant;

use tussle_arena::{Config, Contestant, Event, Store, Summary, Tournament, run};
use tussle_catalog::Catalog;
use tussle_core::StopFlag;
use tussle_engine::{Guard, Terms, process_cpu_time};

use crate::{ExperimentContext, LabError};

/// A match of two agents.
#[derive(Clone, Debug)]
pub struct Duel {
    /// The spec of the game.
    pub game: String,
    /// Who plays: names and specs.
    pub agents: [(String, String); 2],
    /// How many games; half of them with swapped seats.
    pub games: u64,
    /// The clock as text, such as `2s` or `15s+1s`; none where agents have limits of their own.
    pub clock: Option<String>,
    /// How much sooner than the clock demands a player is told to answer, as text; as usual if not said. What a
    /// player may think about is the clock less this.
    pub margin: Option<String>,
    /// Random moves before the players take over, the same in both games of a pair.
    pub opening_plies: u32,
    /// Seed of everything random.
    pub seed: u64,
}

impl Duel {
    /// One between agents that have their own limits.
    pub fn new(game: &str, agents: [(&str, &str); 2], games: u64, seed: u64) -> Self {
        let agents = agents.map(|(name, spec)| (name.to_owned(), spec.to_owned()));
        Self {
            game: game.to_owned(),
            agents,
            games,
            clock: None,
            margin: None,
            opening_plies: 0,
            seed,
        }
    }

    /// The tournament of this one match.
    pub(crate) fn tournament(&self) -> Result<Tournament, LabError> {
        let agents = self.agents.iter().map(|(name, spec)| Contestant::new(name, spec)).collect();
        let mut config = Config::new(vec![self.game.clone()], agents);
        config.clock = self.clock.clone().unwrap_or_else(|| Terms::LIMITED_CLOCK.to_string());
        if let Some(margin) = &self.margin {
            config.margin.clone_from(margin);
        }
        config.opening_plies = self.opening_plies;
        config.seed = self.seed;
        config.limit = Some(self.games);
        config.rounds = self.games.div_ceil(2);
        Ok(Tournament::new(config, &Catalog::standard())?)
    }

    /// Plays the games that are not in the store, so many at once, and tells of each that is over.
    pub(crate) fn run(
        &self,
        tournament: &Tournament,
        store: &mut Store,
        jobs: usize,
        stop: &StopFlag,
        finished: &mut dyn FnMut(),
    ) -> Result<(), LabError> {
        // Only agents of this process play here.
        run(tournament, store, &Guard::none(), jobs, stop, &mut |event| {
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
        let tournament = self.tournament()?;
        let mut store = match context.store(&self.key())? {
            Some(path) => Store::open_or_create(&path, tournament.config())?,
            None => Store::in_memory(tournament.config())?,
        };
        context.observer.done(weight * store.len()?, "");
        let stop: StopFlag = context.stop.clone();
        let names: Vec<&str> = self.agents.iter().map(|(name, _)| name.as_str()).collect();
        let label = names.join(" v ");
        let jobs = if self.clock.is_some() { context.timed_jobs } else { context.jobs };
        let is_played = store.len()? < self.games;
        let observer = &mut *context.observer;
        let mut finished = || observer.done(weight, &label);
        let (began, worked) = (Instant::now(), process_cpu_time());
        self.run(&tournament, &mut store, jobs, &stop, &mut finished)?;
        // One game after the other keeps one processor at work. Several leave it idle at their ends.
        if self.clock.is_some() && jobs == 1 {
            let spent = [began.elapsed(), process_cpu_time().saturating_sub(worked)];
            context.take_time(&self.key(), is_played.then_some(spent))?;
        }
        Ok(Summary::of(&store)?)
    }

    /// What two different matches do not share.
    fn key(&self) -> String {
        let Self { game, agents: [(_, a), (_, b)], games, clock, margin, opening_plies, seed } =
            self;
        let clock = clock.as_deref().unwrap_or("own");
        let margin = margin.as_ref().map_or_else(String::new, |margin| format!("-{margin}"));
        format!("{game} {a} {b} {games} {clock}{margin} {opening_plies} {seed}")
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
