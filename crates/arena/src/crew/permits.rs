//! Permits to play: many games in parallel, or one alone.

use std::sync::{PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

/// Lock that lets many games of a machine run in parallel, or one alone.
#[derive(Default)]
pub(super) struct Permits(RwLock<()>);

/// Right to play a game, for as long as the permit lives.
pub(super) enum Permit<'a> {
    Shared { _lock: RwLockReadGuard<'a, ()> },
    Alone { _lock: RwLockWriteGuard<'a, ()> },
}

impl Permits {
    /// Waits until a game may be played. A game that must be played alone is preferred to games that have not begun.
    pub(super) fn take(&self, alone: bool) -> Permit<'_> {
        if alone {
            Permit::Alone { _lock: self.0.write().unwrap_or_else(PoisonError::into_inner) }
        } else {
            Permit::Shared { _lock: self.0.read().unwrap_or_else(PoisonError::into_inner) }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;

    use super::*;

    #[test]
    fn a_game_alone_waits_for_all_others_and_others_wait_for_it() {
        let (permits, playing, alone) =
            (Permits::default(), AtomicUsize::new(0), AtomicUsize::new(0));
        thread::scope(|scope| {
            for worker in 0..4 {
                let (permits, playing, alone) = (&permits, &playing, &alone);
                scope.spawn(move || {
                    for game in 0..200 {
                        let by_itself = (worker + game) % 3 == 0;
                        let permit = permits.take(by_itself);
                        let others = playing.fetch_add(1, Ordering::SeqCst);
                        assert!(others == 0 || (!by_itself && alone.load(Ordering::SeqCst) == 0));
                        alone.fetch_add(usize::from(by_itself), Ordering::SeqCst);
                        thread::yield_now();
                        alone.fetch_sub(usize::from(by_itself), Ordering::SeqCst);
                        playing.fetch_sub(1, Ordering::SeqCst);
                        drop(permit);
                    }
                });
            }
        });
    }
}
