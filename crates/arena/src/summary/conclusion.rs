//! What the games of a pool say, in a sentence.

use super::Summary;
use crate::Elo;

impl Summary {
    /// Who is first of three and more, if anybody; none if there is nobody to compare.
    pub fn pool_conclusion(&self) -> Option<String> {
        let ratings = &self.ratings;
        let mut order: Vec<usize> =
            (0..self.agents.len()).filter(|&agent| ratings.games[agent] > 0).collect();
        order.sort_by(|&a, &b| ratings.elo[b].total_cmp(&ratings.elo[a]));
        let (&first, others) = order.split_first()?;
        if self.agents.len() < 3 {
            return None;
        }
        let is_close = |&&other: &&usize| {
            let Elo { value, error } = ratings.difference(first, other);
            value <= error
        };
        // Not always the second: somebody with few games may be farther away and less certain.
        let rival = others.iter().find(is_close);
        let second = *rival.or(others.first())?;
        let Elo { value: Some(value), error: Some(error) } = ratings.difference(first, second)
        else {
            return None;
        };
        if error == 0.0 {
            return None; // both are given
        }
        let [a, b] = [first, second].map(|agent| &self.agents[agent]);
        let difference = format!("{value:+.0} ± {error:.0} Elo");
        Some(match rival {
            None => format!("{a} is first: {difference} over {b}"),
            Some(_) => format!("{a} and {b} cannot be told apart at the top: {difference}"),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::super::tests::{DRAW, LOSS, WIN, game, sum};
    use crate::Record;

    /// Everybody meets everybody; who is configured later wins both games, as far as it is told to.
    fn round_robin(rounds: u64, beats: impl Fn(usize, usize) -> bool) -> Vec<Record> {
        let mut games = Vec::new();
        for round in 0..rounds {
            for [a, b] in [[0, 1], [0, 2], [1, 2]] {
                let id = games.len() as u64;
                let (one, two) = match (beats(b, a), round % 3) {
                    (true, 0 | 1) => (LOSS, WIN),
                    (true, _) => (WIN, DRAW),
                    (false, _) => (WIN, WIN),
                };
                games.push(game(id, &[a, b], &one));
                games.push(game(id + 1, &[b, a], &two));
            }
        }
        games
    }

    #[test]
    fn the_first_is_named_if_the_games_tell_who_it_is() {
        let clear = sum(3, &round_robin(30, |_, _| true)).pool_conclusion().unwrap();
        assert!(clear.starts_with("a2 is first: +"), "{clear}");
        assert!(clear.contains(" ± ") && clear.ends_with(" Elo over a1"), "{clear}");
        // The last one is worse, the first two are alike.
        let close = sum(3, &round_robin(30, |_, loser| loser == 0)).pool_conclusion().unwrap();
        assert!(close.contains(" cannot be told apart at the top: +0 ± "), "{close}");
        assert!(close.contains("a1") && close.contains("a2"), "{close}");
    }

    #[test]
    fn nothing_is_said_where_there_is_nothing_to_compare() {
        assert_eq!(sum(3, &[]).pool_conclusion(), None);
        let duel = [game(0, &[0, 1], &WIN), game(1, &[1, 0], &LOSS)];
        assert_eq!(sum(2, &duel).pool_conclusion(), None);
    }
}
