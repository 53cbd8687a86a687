//! Who may search when. First come, first served; one page takes a few slots and not all; and while
//! others wait nobody keeps a slot for ever.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tussle_core::StopFlag;

use crate::Limits;
use crate::refusal::Refusal;

/// How often somebody who waits looks around.
const LOOK: Duration = Duration::from_millis(50);

/// One slot for every thread that may search.
pub(crate) struct Slots {
    free: Arc<Semaphore>,
    total: usize,
    turn: Duration,
    floor: Mutex<Floor>,
}

#[derive(Default)]
struct Floor {
    begun: u64,
    running: Vec<Running>,
    waiting: usize,
}

struct Running {
    number: u64,
    since: Instant,
    stop: StopFlag,
    /// It was asked to make room.
    leaves: bool,
}

/// The part of the slots that one page, or all scripts together, may have at a time.
#[derive(Clone)]
pub(crate) struct Share(Arc<Semaphore>);

impl Share {
    pub(crate) fn new(searches: usize) -> Self {
        Self(Arc::new(Semaphore::new(searches)))
    }
}

/// Room for one search; dropping it makes room for another.
pub(crate) struct Slot {
    slots: Arc<Slots>,
    number: u64,
    _free: OwnedSemaphorePermit,
    _share: OwnedSemaphorePermit,
}

impl Slots {
    pub(crate) fn new(limits: &Limits) -> Self {
        Self {
            free: Arc::new(Semaphore::new(limits.searches)),
            total: limits.searches,
            turn: limits.turn,
            floor: Mutex::default(),
        }
    }

    /// Waits for room for a search with so many threads. `wait` hears that it takes a while.
    pub(crate) async fn take(
        self: &Arc<Self>,
        share: &Share,
        threads: usize,
        stop: &StopFlag,
        wait: impl FnOnce(),
    ) -> Result<Slot, Refusal> {
        if threads > self.total {
            let total = self.total;
            return Err(Refusal::wrong(format!(
                "threads={threads}: a search of this server has {total} at most"
            )));
        }
        let mut wait = Some(wait);
        let mut tell = || {
            if let Some(wait) = wait.take() {
                wait();
            }
        };
        let share = queue(&share.0, 1, stop, &mut tell).await?;
        let waiting = Waiting::new(self);
        let free = queue(&self.free, threads, stop, || {
            tell();
            self.make_room();
        })
        .await?;
        drop(waiting);
        let mut floor = self.floor();
        floor.begun += 1;
        let number = floor.begun;
        let stop = stop.clone();
        floor.running.push(Running { number, since: Instant::now(), stop, leaves: false });
        drop(floor);
        Ok(Slot { slots: self.clone(), number, _free: free, _share: share })
    }

    /// Ends all searches.
    pub(crate) fn stop_all(&self) {
        self.floor().running.iter().for_each(|running| running.stop.stop());
    }

    /// Whoever has had its turn and more makes room for those who wait.
    fn make_room(&self) {
        let mut floor = self.floor();
        let leaving = floor.running.iter().filter(|running| running.leaves).count();
        if leaving >= floor.waiting {
            return;
        }
        let mut sated: Vec<_> = floor
            .running
            .iter_mut()
            .filter(|r| !r.leaves && r.since.elapsed() > self.turn)
            .collect();
        if let Some(oldest) = sated.iter_mut().min_by_key(|running| running.since) {
            oldest.leaves = true;
            oldest.stop.stop();
        }
    }

    fn floor(&self) -> MutexGuard<'_, Floor> {
        self.floor.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for permits until the flag is raised, looking around now and then. Permits are given in order.
async fn queue(
    semaphore: &Arc<Semaphore>,
    permits: usize,
    stop: &StopFlag,
    mut look: impl FnMut(),
) -> Result<OwnedSemaphorePermit, Refusal> {
    let permits = u32::try_from(permits).unwrap_or(u32::MAX);
    if let Ok(permit) = semaphore.clone().try_acquire_many_owned(permits) {
        return Ok(permit);
    }
    let mut permit = std::pin::pin!(semaphore.clone().acquire_many_owned(permits));
    loop {
        look();
        tokio::select! {
            permit = &mut permit => {
                return permit.map_err(|_| Refusal::busy("the server is ending"));
            }
            () = tokio::time::sleep(LOOK) => {
                if stop.is_stopped() {
                    return Err(Refusal::busy("stopped before its turn came"));
                }
            }
        }
    }
}

/// Somebody who waits; they may also go away.
struct Waiting<'a>(&'a Slots);

impl<'a> Waiting<'a> {
    fn new(slots: &'a Slots) -> Self {
        slots.floor().waiting += 1;
        Self(slots)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.floor().waiting -= 1;
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        let number = self.number;
        self.slots.floor().running.retain(|running| running.number != number);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(searches: usize, turn: Duration) -> Arc<Slots> {
        Arc::new(Slots::new(&Limits { searches, turn, ..Limits::default() }))
    }

    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(test);
    }

    const LONG: Duration = Duration::from_hours(1);

    #[test]
    fn searches_get_their_turn_in_the_order_in_which_they_asked() {
        run(async {
            let slots = slots(1, LONG);
            let first = slots.take(&Share::new(1), 1, &StopFlag::default(), || ()).await;
            let order = Arc::new(Mutex::new(Vec::new()));
            let mut tasks = Vec::new();
            for i in 0..5 {
                let (slots, order) = (slots.clone(), order.clone());
                let (asked, heard) = tokio::sync::oneshot::channel();
                tasks.push(tokio::spawn(async move {
                    let tell = || asked.send(()).unwrap();
                    let slot = slots.take(&Share::new(1), 1, &StopFlag::default(), tell).await;
                    order.lock().unwrap().push(i);
                    drop(slot);
                }));
                heard.await.unwrap();
            }
            drop(first);
            for task in tasks {
                task.await.unwrap();
            }
            assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3, 4]);
            let floor = slots.floor();
            assert_eq!((floor.waiting, floor.running.len()), (0, 0));
        });
    }

    #[test]
    fn one_page_never_has_more_than_its_share() {
        run(async {
            let slots = slots(3, LONG);
            let (greedy, other) = (Share::new(2), Share::new(2));
            let flag = StopFlag::default;
            let _both = [
                slots.take(&greedy, 1, &flag(), || ()).await.unwrap(),
                slots.take(&greedy, 1, &flag(), || ()).await.unwrap(),
            ];
            let stopped = flag();
            stopped.stop();
            assert!(slots.take(&greedy, 1, &stopped, || ()).await.is_err());
            assert!(slots.take(&other, 1, &flag(), || ()).await.is_ok());
        });
    }

    #[test]
    fn a_search_that_had_its_turn_makes_room_only_if_somebody_waits() {
        run(async {
            let slots = slots(1, Duration::ZERO);
            let endless = StopFlag::default();
            let slot = slots.take(&Share::new(1), 1, &endless, || ()).await.unwrap();
            tokio::time::sleep(2 * LOOK).await;
            assert!(!endless.is_stopped());
            let leaves = async {
                while !endless.is_stopped() {
                    tokio::task::yield_now().await;
                }
                drop(slot);
            };
            let (other, patient) = (Share::new(1), StopFlag::default());
            let (next, ()) = tokio::join!(slots.take(&other, 1, &patient, || ()), leaves);
            assert!(next.is_ok() && !patient.is_stopped());
        });
    }

    #[test]
    fn threads_take_slots_too() {
        run(async {
            let slots = slots(2, LONG);
            let flag = StopFlag::default;
            assert!(slots.take(&Share::new(9), 3, &flag(), || ()).await.is_err());
            let _pair = slots.take(&Share::new(9), 2, &flag(), || ()).await.unwrap();
            assert_eq!(slots.free.available_permits(), 0);
        });
    }

    #[test]
    fn a_panic_gives_the_slot_back_and_is_an_answer() {
        run(async {
            let slots = slots(1, LONG);
            for _ in 0..3 {
                let flag = StopFlag::default();
                let slot = slots.take(&Share::new(1), 1, &flag, || ()).await.unwrap();
                let work = move || -> Result<(), Refusal> {
                    let _slot = slot;
                    panic!("on purpose");
                };
                let refusal = crate::api::apart(work).await.unwrap_err();
                assert!(refusal.why.contains("stumble"), "{}", refusal.why);
            }
        });
    }
}
