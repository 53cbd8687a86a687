//! Counts of results: single games and pairs of games.

/// Result of one game for one player.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum GameResult {
    /// The player won.
    Win,
    /// Neither side won, or the player shared the win.
    Draw,
    /// The player lost.
    Loss,
}

impl GameResult {
    /// Returns the result in half points: 2 for a win, 1 for a draw, 0 for a loss.
    pub fn half_points(self) -> u8 {
        match self {
            Self::Win => 2,
            Self::Draw => 1,
            Self::Loss => 0,
        }
    }
}

/// Returns true if fewer than half of the games are distinct.
///
/// Then the others must not count as evidence: a deterministic agent that repeats a game shows nothing
/// new the second time.
pub fn is_repetitive(distinct: u64, games: u64) -> bool {
    2 * distinct < games
}

/// Games won, drawn and lost.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Wdl {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
}

impl Wdl {
    /// Counts one more game.
    pub fn add(&mut self, result: GameResult) {
        match result {
            GameResult::Win => self.wins += 1,
            GameResult::Draw => self.draws += 1,
            GameResult::Loss => self.losses += 1,
        }
    }

    /// Returns the number of games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// Returns the points: 1 per win, ½ per draw.
    pub fn points(&self) -> f64 {
        self.wins as f64 + 0.5 * self.draws as f64
    }

    /// Returns the counts from the opponent's point of view.
    #[must_use]
    pub fn reversed(&self) -> Self {
        Self { wins: self.losses, draws: self.draws, losses: self.wins }
    }
}

impl std::ops::AddAssign for Wdl {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Pairs of games by the points they brought: 0, ½, 1, 1½ and 2.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize))]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Counts one more pair.
    pub fn add(&mut self, [first, second]: [GameResult; 2]) {
        self.0[usize::from(first.half_points() + second.half_points())] += 1;
    }

    /// Returns the number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Returns the counts from the opponent's point of view.
    #[must_use]
    pub fn reversed(&self) -> Self {
        let [ll, ld, even, wd, ww] = self.0;
        Self([ww, wd, even, ld, ll])
    }

    /// Returns the share of pairs that neither side won; `None` without pairs.
    pub fn draw_ratio(&self) -> Option<f64> {
        (self.pairs() > 0).then(|| self.0[2] as f64 / self.pairs() as f64)
    }

    /// Returns the number of pairs won per pair lost; `None` if no pair was lost.
    pub fn pairs_ratio(&self) -> Option<f64> {
        let [ll, ld, _, wd, ww] = self.0;
        (ll + ld > 0).then(|| (ww + wd) as f64 / (ll + ld) as f64)
    }
}

impl std::ops::AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.0.iter_mut().zip(other.0) {
            *count += more;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_opponent_sees_the_same_games_reversed() {
        use GameResult::{Draw, Loss, Win};
        let (mut games, mut pairs) = (Wdl::default(), Pentanomial::default());
        for pair in [[Win, Win], [Win, Draw], [Draw, Loss], [Win, Loss], [Win, Win]] {
            for result in pair {
                games.add(result);
            }
            pairs.add(pair);
        }
        assert_eq!(games, Wdl { wins: 6, draws: 2, losses: 2 });
        assert_eq!(pairs, Pentanomial([0, 1, 1, 1, 2]));
        assert_eq!((games.games(), games.points(), pairs.pairs()), (10, 7.0, 5));
        assert_eq!(games.reversed().points(), 3.0);
        assert_eq!(pairs.reversed(), Pentanomial([2, 1, 1, 1, 0]));
        assert_eq!((pairs.draw_ratio(), pairs.pairs_ratio()), (Some(0.2), Some(3.0)));
        assert_eq!(Pentanomial::default().draw_ratio(), None);
    }
}
