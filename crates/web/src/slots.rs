//! Who may search when. First come, first served; one page takes a few slots and not all; and while
//! others wait nobody keeps a slot for ever: a search is stopped, and what goes step by step makes way
//! between its steps.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tussle_catalog::Spec;
use tussle_core::StopFlag;

use crate::ServerLimits;
use crate::api::apart;
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
    manner: Manner,
    /// It was asked to make room.
    leaves: bool,
}

/// What somebody does who has had its turn while others wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Manner {
    /// It is stopped, and answers with what it has.
    Stops,
    /// It goes on: half of it is worth nothing. It makes way where it can.
    GoesOn,
}

/// Who asks for a slot.
pub(crate) struct Asker<'a> {
    /// What it has to have a part of: its page's share, and perhaps others.
    pub(crate) shares: &'a [&'a Share],
    /// The spec of the agent: its threads take slots too.
    pub(crate) agent: &'a str,
    pub(crate) manner: Manner,
    /// What it may take from when it has its slot; then it is stopped.
    pub(crate) time: Option<Duration>,
    pub(crate) stop: &'a StopFlag,
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
    threads: usize,
    manner: Manner,
    stop: StopFlag,
    /// Nothing while it makes way.
    free: Option<OwnedSemaphorePermit>,
    _shares: Vec<OwnedSemaphorePermit>,
}

/// The threads an agent's spec asks for. What else is wrong with it shows when the agent is made.
pub(crate) fn threads(agent: &str) -> usize {
    let spec = Spec::parse(agent).ok();
    let pairs = spec.iter().flat_map(|spec| &spec.pairs).filter(|(key, _)| key == "threads");
    pairs.filter_map(|(_, value)| value.parse().ok()).max().unwrap_or(1).max(1)
}

impl Slots {
    pub(crate) fn new(limits: &ServerLimits) -> Self {
        Self {
            free: Arc::new(Semaphore::new(limits.searches)),
            total: limits.searches,
            turn: limits.turn,
            floor: Mutex::default(),
        }
    }

    /// Waits for room and works there, where it keeps no other request waiting. `wait` hears if it takes a
    /// while. The slot is free again before anybody hears of the end, also if that is a panic.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        asker: Asker<'_>,
        wait: impl FnOnce(),
        work: impl FnOnce(&mut Slot) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let (time, stop) = (asker.time, asker.stop);
        let mut slot = self.take(asker, wait).await?;
        let work = apart(move || work(&mut slot));
        match time {
            Some(time) => in_time(time, stop, work).await,
            None => work.await,
        }
    }

    async fn take(
        self: &Arc<Self>,
        Asker { shares, agent, manner, stop, .. }: Asker<'_>,
        wait: impl FnOnce(),
    ) -> Result<Slot, Refusal> {
        let threads = threads(agent);
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
        let mut held = Vec::new();
        for share in shares {
            held.push(queue(&share.0, 1, stop, &mut tell).await?);
        }
        let (slots, stop) = (self.clone(), stop.clone());
        let mut slot = Slot { slots, number: 0, threads, manner, stop, free: None, _shares: held };
        slot.enter(tell).await?;
        Ok(slot)
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
            if oldest.manner == Manner::Stops {
                oldest.stop.stop();
            }
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

/// Raises the flag when the time is over, and waits for what was found until then.
async fn in_time<T>(time: Duration, stop: &StopFlag, work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    tokio::select! {
        done = &mut work => done,
        () = tokio::time::sleep(time) => {
            stop.stop();
            work.await
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

impl Slot {
    /// Waits for threads.
    async fn enter(&mut self, mut wait: impl FnMut()) -> Result<(), Refusal> {
        let waiting = Waiting::new(&self.slots);
        let free = queue(&self.slots.free, self.threads, &self.stop, || {
            wait();
            self.slots.make_room();
        });
        self.free = Some(free.await?);
        drop(waiting);
        let mut floor = self.slots.floor();
        floor.begun += 1;
        self.number = floor.begun;
        let (number, stop, manner) = (self.number, self.stop.clone(), self.manner);
        floor.running.push(Running { number, since: Instant::now(), stop, manner, leaves: false });
        Ok(())
    }

    fn leave(&mut self) {
        let number = self.number;
        self.slots.floor().running.retain(|running| running.number != number);
        self.free = None;
    }

    /// Lets others search first if they wait and this one has had its turn. From a thread of its own only.
    pub(crate) fn make_way(&mut self) -> Result<(), Refusal> {
        let is_me = |running: &Running| running.number == self.number && running.leaves;
        if !self.slots.floor().running.iter().any(is_me) {
            return Ok(());
        }
        self.leave();
        Handle::current().block_on(self.enter(|| ()))
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.leave();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn slots(searches: usize, turn: Duration) -> Arc<Slots> {
        Arc::new(Slots::new(&ServerLimits { searches, turn, ..ServerLimits::default() }))
    }

    fn run(test: impl Future<Output = ()>) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(test);
    }

    /// A search with one thread, with this share of a page.
    async fn take(
        slots: &Arc<Slots>,
        share: &Share,
        agent: &str,
        stop: &StopFlag,
        wait: impl FnOnce(),
    ) -> Result<Slot, Refusal> {
        let manner = Manner::Stops;
        slots.take(Asker { shares: &[share], agent, manner, time: None, stop }, wait).await
    }

    const LONG: Duration = Duration::from_hours(1);

    #[test]
    fn searches_get_their_turn_in_the_order_in_which_they_asked() {
        run(async {
            let slots = slots(1, LONG);
            let first = take(&slots, &Share::new(1), "mcts", &StopFlag::default(), || ()).await;
            let order = Arc::new(Mutex::new(Vec::new()));
            let mut tasks = Vec::new();
            for i in 0..5 {
                let (slots, order) = (slots.clone(), order.clone());
                let (asked, heard) = tokio::sync::oneshot::channel();
                tasks.push(tokio::spawn(async move {
                    let tell = || asked.send(()).unwrap();
                    let slot =
                        take(&slots, &Share::new(1), "mcts", &StopFlag::default(), tell).await;
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
                take(&slots, &greedy, "mcts", &flag(), || ()).await.unwrap(),
                take(&slots, &greedy, "mcts", &flag(), || ()).await.unwrap(),
            ];
            let stopped = flag();
            stopped.stop();
            assert!(take(&slots, &greedy, "mcts", &stopped, || ()).await.is_err());
            assert!(take(&slots, &other, "mcts", &flag(), || ()).await.is_ok());
        });
    }

    #[test]
    fn a_search_that_had_its_turn_makes_room_only_if_somebody_waits() {
        run(async {
            let slots = slots(1, Duration::ZERO);
            let endless = StopFlag::default();
            let slot = take(&slots, &Share::new(1), "mcts", &endless, || ()).await.unwrap();
            tokio::time::sleep(2 * LOOK).await;
            assert!(!endless.is_stopped());
            let leaves = async {
                while !endless.is_stopped() {
                    tokio::task::yield_now().await;
                }
                drop(slot);
            };
            let (other, patient) = (Share::new(1), StopFlag::default());
            let (next, ()) = tokio::join!(take(&slots, &other, "mcts", &patient, || ()), leaves);
            assert!(next.is_ok() && !patient.is_stopped());
        });
    }

    #[test]
    fn what_goes_step_by_step_makes_way_and_is_not_stopped() {
        run(async {
            let slots = slots(1, Duration::ZERO);
            let stop = StopFlag::default();
            let (page, other) = (Share::new(1), Share::new(1));
            let manner = Manner::GoesOn;
            let asker = Asker { shares: &[&page], agent: "mcts", manner, time: None, stop: &stop };
            let (waits, waited) = tokio::sync::oneshot::channel();
            let (went, gone) = std::sync::mpsc::channel();
            let walks = slots.run(
                asker,
                || (),
                move |slot| {
                    let _ = waits.send(());
                    // Until somebody else has been here.
                    while gone.try_recv().is_err() {
                        slot.make_way()?;
                    }
                    Ok(slot.free.is_some())
                },
            );
            let visits = async {
                waited.await.unwrap();
                drop(take(&slots, &other, "mcts", &StopFlag::default(), || ()).await.unwrap());
                went.send(()).unwrap();
            };
            let (walked, ()) = tokio::join!(walks, visits);
            assert!(walked.unwrap() && !stop.is_stopped());
            assert_eq!(slots.free.available_permits(), 1);
        });
    }

    #[test]
    fn what_takes_too_long_is_stopped_and_still_answers() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let stop = StopFlag::default();
        let work = async {
            while !stop.is_stopped() {
                tokio::task::yield_now().await;
            }
            7
        };
        assert_eq!(runtime.block_on(in_time(Duration::from_millis(1), &stop, work)), 7);
    }

    #[test]
    fn threads_take_slots_too() {
        run(async {
            let slots = slots(2, LONG);
            let flag = StopFlag::default;
            assert!(take(&slots, &Share::new(9), "mcts:threads=3", &flag(), || ()).await.is_err());
            let _pair =
                take(&slots, &Share::new(9), "mcts:threads=2", &flag(), || ()).await.unwrap();
            assert_eq!(slots.free.available_permits(), 0);
        });
    }

    #[test]
    fn a_panic_gives_the_slot_back_and_is_an_answer() {
        run(async {
            let slots = slots(1, LONG);
            for _ in 0..3 {
                let flag = StopFlag::default();
                let slot = take(&slots, &Share::new(1), "mcts", &flag, || ()).await.unwrap();
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
