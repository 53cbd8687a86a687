//! Search slots: permissions to search with one thread.
//!
//! Slots are given in the order of the requests. Each page has a share of the slots at most. While other searches wait, a
//! search may use its slots for one time slice; then it is preempted: it stops, or it yields between two steps.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use tokio::runtime::Handle;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tussle_catalog::Spec;
use tussle_core::StopFlag;

use crate::ServerLimits;
use crate::api::run_blocking;
use crate::api_error::ApiError;

/// Interval at which a waiting search checks its stop flag and preempts others.
const POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Search slots of the server, one for every thread that may search.
pub(crate) struct Slots {
    free: Arc<Semaphore>,
    total: usize,
    turn: Duration,
    state: Mutex<SlotState>,
}

#[derive(Default)]
struct SlotState {
    /// Number of searches started so far.
    started: u64,
    running: Vec<RunningSearch>,
    /// Number of searches that wait for slots.
    waiting: usize,
}

struct RunningSearch {
    number: u64,
    since: Instant,
    stop: StopFlag,
    preemption: Preemption,
    /// True once the search must stop or yield.
    is_preempted: bool,
}

/// Reaction of a search to the end of its time slice while other searches wait.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Preemption {
    /// Stops and answers with its result so far.
    Stop,
    /// Yields its slots between two steps and continues later, because a partial result is useless.
    Yield,
}

/// Request for search slots.
pub(crate) struct SlotRequest<'a> {
    /// Shares that the search counts towards: that of its page, and perhaps others.
    pub(crate) shares: &'a [&'a Share],
    /// Spec of the agent, which tells the number of threads: each takes a slot.
    pub(crate) agent: &'a str,
    pub(crate) preemption: Preemption,
    /// Time limit from the start of the search; then it is stopped.
    pub(crate) time: Option<Duration>,
    pub(crate) stop: &'a StopFlag,
}

/// Maximum number of searches that one page, or all scripts together, may run at the same time.
#[derive(Clone)]
pub(crate) struct Share(Arc<Semaphore>);

impl Share {
    pub(crate) fn new(searches: usize) -> Self {
        Self(Arc::new(Semaphore::new(searches)))
    }
}

/// Slots of one search. Dropping them makes them free.
pub(crate) struct Slot {
    slots: Arc<Slots>,
    number: u64,
    threads: usize,
    preemption: Preemption,
    stop: StopFlag,
    /// Permits for the slots; `None` while the search yields.
    permits: Option<OwnedSemaphorePermit>,
    _shares: Vec<OwnedSemaphorePermit>,
}

/// Returns the number of threads of an agent spec. Errors in the spec are reported when the agent is created.
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
            state: Mutex::default(),
        }
    }

    /// Waits for slots and runs `work` in a blocking thread. Calls `on_wait` if the slots are not free at once.
    ///
    /// The slots are free again before this function returns, even if `work` panics.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        request: SlotRequest<'_>,
        on_wait: impl FnOnce(),
        work: impl FnOnce(&mut Slot) -> Result<T, ApiError> + Send + 'static,
    ) -> Result<T, ApiError> {
        let (time, stop) = (request.time, request.stop);
        let mut slot = self.take(request, on_wait).await?;
        let work = run_blocking(move || work(&mut slot));
        match time {
            Some(time) => with_time_limit(time, stop, work).await,
            None => work.await,
        }
    }

    async fn take(
        self: &Arc<Self>,
        SlotRequest { shares, agent, preemption, stop, .. }: SlotRequest<'_>,
        on_wait: impl FnOnce(),
    ) -> Result<Slot, ApiError> {
        let threads = threads(agent);
        if threads > self.total {
            let total = self.total;
            return Err(ApiError::bad_request(format!(
                "threads={threads}: expected at most {total} threads on this server"
            )));
        }
        let mut on_wait = Some(on_wait);
        let mut on_wait = || {
            if let Some(on_wait) = on_wait.take() {
                on_wait();
            }
        };
        let mut held = Vec::new();
        for share in shares {
            held.push(acquire(&share.0, 1, stop, &mut on_wait).await?);
        }
        let (slots, stop) = (self.clone(), stop.clone());
        let mut slot =
            Slot { slots, number: 0, threads, preemption, stop, permits: None, _shares: held };
        slot.enter(on_wait).await?;
        Ok(slot)
    }

    /// Stops all searches.
    pub(crate) fn stop_all(&self) {
        self.state().running.iter().for_each(|running| running.stop.stop());
    }

    /// Preempts the oldest search whose time slice is over, unless as many are preempted as searches wait.
    fn preempt_oldest(&self) {
        let mut state = self.state();
        let preempted = state.running.iter().filter(|running| running.is_preempted).count();
        if preempted >= state.waiting {
            return;
        }
        let mut overdue: Vec<_> = state
            .running
            .iter_mut()
            .filter(|r| !r.is_preempted && r.since.elapsed() > self.turn)
            .collect();
        if let Some(oldest) = overdue.iter_mut().min_by_key(|running| running.since) {
            oldest.is_preempted = true;
            if oldest.preemption == Preemption::Stop {
                oldest.stop.stop();
            }
        }
    }

    fn state(&self) -> MutexGuard<'_, SlotState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Waits for permits until the stop flag is raised; calls `on_poll` once per [`POLL_INTERVAL`]. Permits are given in the
/// order of the calls.
async fn acquire(
    semaphore: &Arc<Semaphore>,
    permits: usize,
    stop: &StopFlag,
    mut on_poll: impl FnMut(),
) -> Result<OwnedSemaphorePermit, ApiError> {
    let permits = u32::try_from(permits).unwrap_or(u32::MAX);
    if let Ok(permit) = semaphore.clone().try_acquire_many_owned(permits) {
        return Ok(permit);
    }
    let mut permit = std::pin::pin!(semaphore.clone().acquire_many_owned(permits));
    loop {
        on_poll();
        tokio::select! {
            permit = &mut permit => {
                return permit.map_err(|_| ApiError::busy("the server is shutting down"));
            }
            () = tokio::time::sleep(POLL_INTERVAL) => {
                if stop.is_stopped() {
                    return Err(ApiError::busy("the search was stopped before it started"));
                }
            }
        }
    }
}

/// Raises the stop flag after the time limit, and returns the result of the work.
async fn with_time_limit<T>(time: Duration, stop: &StopFlag, work: impl Future<Output = T>) -> T {
    let mut work = std::pin::pin!(work);
    tokio::select! {
        done = &mut work => done,
        () = tokio::time::sleep(time) => {
            stop.stop();
            work.await
        }
    }
}

/// Counts a waiting search until it is dropped.
struct WaitGuard<'a>(&'a Slots);

impl<'a> WaitGuard<'a> {
    fn new(slots: &'a Slots) -> Self {
        slots.state().waiting += 1;
        Self(slots)
    }
}

impl Drop for WaitGuard<'_> {
    fn drop(&mut self) {
        self.0.state().waiting -= 1;
    }
}

impl Slot {
    /// Waits for one slot per thread.
    async fn enter(&mut self, mut on_wait: impl FnMut()) -> Result<(), ApiError> {
        let waiting = WaitGuard::new(&self.slots);
        let permits = acquire(&self.slots.free, self.threads, &self.stop, || {
            on_wait();
            self.slots.preempt_oldest();
        });
        self.permits = Some(permits.await?);
        drop(waiting);
        let mut state = self.slots.state();
        state.started += 1;
        self.number = state.started;
        let (number, stop, preemption) = (self.number, self.stop.clone(), self.preemption);
        let since = Instant::now();
        state.running.push(RunningSearch { number, since, stop, preemption, is_preempted: false });
        Ok(())
    }

    fn leave(&mut self) {
        let number = self.number;
        self.slots.state().running.retain(|running| running.number != number);
        self.permits = None;
    }

    /// Yields the slots and waits for new ones, if the search was preempted. Blocks the thread.
    pub(crate) fn yield_slot(&mut self) -> Result<(), ApiError> {
        let is_own =
            |running: &RunningSearch| running.number == self.number && running.is_preempted;
        if !self.slots.state().running.iter().any(is_own) {
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

    /// Takes slots for a search of an agent, within this share.
    async fn take(
        slots: &Arc<Slots>,
        share: &Share,
        agent: &str,
        stop: &StopFlag,
        on_wait: impl FnOnce(),
    ) -> Result<Slot, ApiError> {
        let preemption = Preemption::Stop;
        let request = SlotRequest { shares: &[share], agent, preemption, time: None, stop };
        slots.take(request, on_wait).await
    }

    const LONG_TURN: Duration = Duration::from_hours(1);

    #[test]
    fn searches_start_in_the_order_of_their_requests() {
        run(async {
            let slots = slots(1, LONG_TURN);
            let first = take(&slots, &Share::new(1), "mcts", &StopFlag::default(), || ()).await;
            let order = Arc::new(Mutex::new(Vec::new()));
            let mut tasks = Vec::new();
            for i in 0..5 {
                let (slots, order) = (slots.clone(), order.clone());
                let (queued, is_queued) = tokio::sync::oneshot::channel();
                tasks.push(tokio::spawn(async move {
                    let on_wait = || queued.send(()).unwrap();
                    let slot =
                        take(&slots, &Share::new(1), "mcts", &StopFlag::default(), on_wait).await;
                    order.lock().unwrap().push(i);
                    drop(slot);
                }));
                is_queued.await.unwrap();
            }
            drop(first);
            for task in tasks {
                task.await.unwrap();
            }
            assert_eq!(*order.lock().unwrap(), [0, 1, 2, 3, 4]);
            let state = slots.state();
            assert_eq!((state.waiting, state.running.len()), (0, 0));
        });
    }

    #[test]
    fn a_page_never_gets_more_slots_than_its_share() {
        run(async {
            let slots = slots(3, LONG_TURN);
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
    fn a_search_is_stopped_after_its_time_slice_only_if_another_one_waits() {
        run(async {
            let slots = slots(1, Duration::ZERO);
            let endless = StopFlag::default();
            let slot = take(&slots, &Share::new(1), "mcts", &endless, || ()).await.unwrap();
            tokio::time::sleep(2 * POLL_INTERVAL).await;
            assert!(!endless.is_stopped());
            let end = async {
                while !endless.is_stopped() {
                    tokio::task::yield_now().await;
                }
                drop(slot);
            };
            let (other, patient) = (Share::new(1), StopFlag::default());
            let (next, ()) = tokio::join!(take(&slots, &other, "mcts", &patient, || ()), end);
            assert!(next.is_ok() && !patient.is_stopped());
        });
    }

    #[test]
    fn a_search_that_yields_is_not_stopped() {
        run(async {
            let slots = slots(1, Duration::ZERO);
            let stop = StopFlag::default();
            let (page, other) = (Share::new(1), Share::new(1));
            let preemption = Preemption::Yield;
            let request = SlotRequest {
                shares: &[&page],
                agent: "mcts",
                preemption,
                time: None,
                stop: &stop,
            };
            let (started, has_started) = tokio::sync::oneshot::channel();
            let (visited, is_visited) = std::sync::mpsc::channel();
            let steps = slots.run(
                request,
                || (),
                move |slot| {
                    let _ = started.send(());
                    // Until another search had the slot.
                    while is_visited.try_recv().is_err() {
                        slot.yield_slot()?;
                    }
                    Ok(slot.permits.is_some())
                },
            );
            let visit = async {
                has_started.await.unwrap();
                drop(take(&slots, &other, "mcts", &StopFlag::default(), || ()).await.unwrap());
                visited.send(()).unwrap();
            };
            let (has_slot, ()) = tokio::join!(steps, visit);
            assert!(has_slot.unwrap() && !stop.is_stopped());
            assert_eq!(slots.free.available_permits(), 1);
        });
    }

    #[test]
    fn a_search_over_its_time_limit_is_stopped_and_still_answers() {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        let stop = StopFlag::default();
        let work = async {
            while !stop.is_stopped() {
                tokio::task::yield_now().await;
            }
            7
        };
        assert_eq!(runtime.block_on(with_time_limit(Duration::from_millis(1), &stop, work)), 7);
    }

    #[test]
    fn every_thread_takes_a_slot() {
        run(async {
            let slots = slots(2, LONG_TURN);
            let flag = StopFlag::default;
            assert!(take(&slots, &Share::new(9), "mcts:threads=3", &flag(), || ()).await.is_err());
            let _pair =
                take(&slots, &Share::new(9), "mcts:threads=2", &flag(), || ()).await.unwrap();
            assert_eq!(slots.free.available_permits(), 0);
        });
    }

    #[test]
    fn a_panic_frees_the_slot_and_returns_an_error() {
        run(async {
            let slots = slots(1, LONG_TURN);
            for _ in 0..3 {
                let flag = StopFlag::default();
                let slot = take(&slots, &Share::new(1), "mcts", &flag, || ()).await.unwrap();
                let work = move || -> Result<(), ApiError> {
                    let _slot = slot;
                    panic!("on purpose");
                };
                let error = crate::api::run_blocking(work).await.unwrap_err();
                assert!(error.message.contains("panicked"), "{}", error.message);
            }
        });
    }
}
