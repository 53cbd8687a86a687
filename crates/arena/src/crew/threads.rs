//! The crew of one machine: a thread for each game played at the same time.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver, Sender, SyncSender};
use std::thread::{self, Scope};
use std::time::{Duration, Instant};

use tussle_core::{StopFlag, spawn_scoped};
use tussle_engine::{Guard, Seat, Shortage};

use super::permits::Permits;
use super::seats::{SeatPool, Seats};
use super::{Crew, Report};
use crate::dealer::Job;
use crate::referee::{self, GameSetup, RefereedGame};
use crate::{RunError, Tournament};

/// Maximum number of threads. With more of them, programs could run out of memory, and no machine has that many
/// processors to spare.
const MAX_WORKERS: usize = 1024;
/// Time that the last worker waits for descriptors, processes or memory that a program needs to start.
const SHORTAGE_TIMEOUT: Duration = Duration::from_secs(5);
/// Time between two attempts to start a program on a machine that is short of resources.
const SHORTAGE_RETRY_INTERVAL: Duration = Duration::from_millis(50);

/// Resources that the workers of a machine share.
pub(crate) struct Machine<'a> {
    tournament: &'a Tournament,
    stop: &'a StopFlag,
    seats: SeatPool<'a>,
    permits: Permits,
    /// Number of workers that take jobs.
    workers: AtomicUsize,
}

/// The threads of a machine.
pub(crate) struct Threads<'a> {
    machine: &'a Machine<'a>,
    workers: Vec<Worker>,
    /// Indices of the workers without a job, in the order in which they became free.
    free: Vec<usize>,
    messages: Receiver<Message>,
    /// Reports of the crew itself.
    own_reports: Vec<Report>,
    /// Workers that wait until their results are durable.
    waiting: Vec<WaitingWorker>,
}

/// The crew's side of a worker.
struct Worker {
    /// None if the worker has ended or was dismissed.
    jobs: Option<Sender<Job>>,
    is_busy: bool,
}

/// A worker between its report and the release of its seats.
struct WaitingWorker {
    worker: usize,
    /// By seat, the index of the contestant.
    agents: Vec<usize>,
    seats: Seats,
    resume: SyncSender<Seats>,
}

/// Message of a worker to its crew about the end of its job.
struct Message {
    worker: usize,
    end: JobEnd,
}

enum JobEnd {
    /// The game was played. The worker then waits for the surplus seats, whose programs it ends.
    Played { attempt: u32, played: Box<RefereedGame>, seats: Seats, resume: SyncSender<Seats> },
    /// The run was stopped before the game with this number began.
    Stopped(u64),
    /// The machine is short of resources: the worker ends and leaves the game with this number to the others.
    Left { id: u64, others: usize, why: String },
    /// The game cannot be set up. The worker ends.
    Failed(RunError),
    /// The worker panicked. Its thread ends.
    Panicked,
}

/// End of a job on the worker's side.
enum Attempt {
    Played(Box<RefereedGame>, Seats),
    Stopped,
    Left { others: usize, why: String },
}

impl<'a> Machine<'a> {
    /// Creates a machine without workers.
    pub(crate) fn new(tournament: &'a Tournament, guard: &'a Guard, stop: &'a StopFlag) -> Self {
        let seats = SeatPool::new(tournament, guard);
        Self { tournament, stop, seats, permits: Permits::default(), workers: AtomicUsize::new(0) }
    }

    fn workers(&self) -> usize {
        self.workers.load(Ordering::SeqCst)
    }

    /// Counts a worker as ended, unless it is the last one. Returns the number of remaining workers, or `None` for the
    /// last one.
    fn leave(&self) -> Option<usize> {
        let less = |workers: usize| (workers > 1).then(|| workers - 1);
        let before = self.workers.fetch_update(Ordering::SeqCst, Ordering::SeqCst, less);
        before.ok().map(|workers| workers - 1)
    }

    /// Plays one job after another until the crew is dropped, dismisses the worker, or the worker cannot continue.
    fn work(&self, worker: usize, jobs: &Receiver<Job>, messages: &Sender<Message>) {
        let _stop_on_panic = StopOnPanic { stop: self.stop, worker, messages };
        let report = |end| messages.send(Message { worker, end }).is_ok();
        while let Ok(job) = jobs.recv() {
            let continues = match self.attempt(&job) {
                Ok(Attempt::Played(played, seats)) => {
                    let (resume, released) = mpsc::sync_channel(1);
                    report(JobEnd::Played { attempt: job.attempt, played, seats, resume })
                        && released.recv().map(drop).is_ok()
                }
                Ok(Attempt::Stopped) => report(JobEnd::Stopped(job.slot.id)),
                Ok(Attempt::Left { others, why }) => {
                    report(JobEnd::Left { id: job.slot.id, others, why });
                    false
                }
                Err(error) => {
                    report(JobEnd::Failed(error));
                    return;
                }
            };
            if !continues {
                break;
            }
        }
        // Ending programs takes time: the workers do it in parallel.
        while self.seats.end_oldest() {}
    }

    /// Plays a game as soon as the machine has the resources that its programs need.
    fn attempt(&self, job: &Job) -> Result<Attempt, RunError> {
        let until = Instant::now() + SHORTAGE_TIMEOUT;
        let mut seats = loop {
            let shortage = match self.seats.take(&job.slot, || self.workers() > 1) {
                Ok(seats) => break seats,
                Err(RunError::Short(shortage)) => shortage,
                Err(other) => return Err(other),
            };
            if self.stop.is_stopped() {
                return Ok(Attempt::Stopped);
            }
            if let Some(others) = self.leave() {
                return Ok(Attempt::Left { others, why: shortage.0 });
            }
            if Instant::now() >= until {
                return Err(RunError::Short(shortage));
            }
            thread::sleep(SHORTAGE_RETRY_INTERVAL);
        };
        let permit = self.permits.take(job.is_alone());
        if job.is_alone() && self.stop.is_stopped() {
            return Ok(Attempt::Stopped);
        }
        let setup = GameSetup::of(self.tournament, job);
        let mut players: Vec<&mut dyn Seat> =
            seats.iter_mut().map(|seat| seat.as_mut() as &mut dyn Seat).collect();
        let played = referee::play(&setup, &mut players)?;
        drop(permit);
        Ok(Attempt::Played(Box::new(played), seats))
    }
}

/// Stops the run if its worker panics, and sends the report that the crew waits for.
struct StopOnPanic<'a> {
    stop: &'a StopFlag,
    worker: usize,
    messages: &'a Sender<Message>,
}

impl Drop for StopOnPanic<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            self.stop.stop();
            let _ = self.messages.send(Message { worker: self.worker, end: JobEnd::Panicked });
        }
    }
}

impl<'scope> Threads<'scope> {
    /// Starts this many workers, or as many as the machine allows. They end when the crew is dropped.
    pub(crate) fn start(
        scope: &'scope Scope<'scope, '_>,
        machine: &'scope Machine<'scope>,
        jobs: usize,
    ) -> Self {
        let (sender, messages) = mpsc::channel();
        let (workers, free) = (Vec::new(), Vec::new());
        let (own_reports, waiting) = (Vec::new(), Vec::new());
        let mut crew = Self { machine, workers, free, messages, own_reports, waiting };
        if jobs > MAX_WORKERS {
            let why = format!("{jobs} threads were requested, the maximum is {MAX_WORKERS}");
            crew.own_reports.push(Report::Fewer { workers: MAX_WORKERS, why });
        }
        for worker in 0..jobs.min(MAX_WORKERS) {
            let (jobs, received) = mpsc::channel();
            let sender = sender.clone();
            machine.workers.fetch_add(1, Ordering::SeqCst);
            let work = move || machine.work(worker, &received, &sender);
            if let Err(error) = spawn_scoped(scope, work) {
                machine.workers.fetch_sub(1, Ordering::SeqCst);
                let why = format!("cannot start a thread: {error}");
                crew.own_reports.push(match worker {
                    0 => Report::Failed(RunError::Short(Shortage(why))),
                    workers => Report::Fewer { workers, why },
                });
                break;
            }
            crew.workers.push(Worker { jobs: Some(jobs), is_busy: false });
        }
        crew.free.extend((0..crew.workers.len()).rev());
        crew
    }

    /// Handles a message and adds the reports that follow from it.
    fn take(&mut self, Message { worker, end }: Message, reports: &mut Vec<Report>) {
        self.workers[worker].is_busy = false;
        match end {
            JobEnd::Played { attempt, played, seats, resume } => {
                let agents = played.record.seats.clone();
                self.waiting.push(WaitingWorker { worker, agents, seats, resume });
                reports.push(Report::Played(attempt, played));
            }
            JobEnd::Stopped(id) => {
                self.free.push(worker);
                reports.push(Report::Returned(id));
            }
            JobEnd::Left { id, others, why } => {
                self.workers[worker].jobs = None;
                reports.extend([Report::Returned(id), Report::Fewer { workers: others, why }]);
            }
            JobEnd::Failed(error) => {
                self.workers[worker].jobs = None;
                reports.push(Report::Failed(error));
            }
            JobEnd::Panicked => {
                self.workers[worker].jobs = None;
                self.free.retain(|&free| free != worker);
            }
        }
    }
}

impl Crew for Threads<'_> {
    fn is_free(&self) -> bool {
        !self.free.is_empty()
    }

    fn play(&mut self, job: Job) {
        let worker = self.free.pop().map(|worker| &mut self.workers[worker]);
        let id = job.slot.id;
        match worker.and_then(|worker| Some((worker.jobs.as_ref()?.send(job).ok()?, worker))) {
            Some(((), worker)) => worker.is_busy = true,
            None => self.own_reports.push(Report::Returned(id)),
        }
    }

    fn reports(&mut self) -> Vec<Report> {
        let mut reports = std::mem::take(&mut self.own_reports);
        while reports.is_empty() && self.workers.iter().any(|worker| worker.is_busy) {
            let Ok(message) = self.messages.recv() else { break };
            self.take(message, &mut reports);
        }
        // One transaction for all messages that have arrived.
        while let Ok(message) = self.messages.try_recv() {
            self.take(message, &mut reports);
        }
        reports
    }

    fn release(&mut self) {
        let workers = self.machine.workers();
        for WaitingWorker { worker, agents, seats, resume } in self.waiting.drain(..) {
            let excess = self.machine.seats.keep(&agents, seats, workers);
            let _ = resume.send(excess); // the worker may have panicked
            self.free.push(worker);
        }
    }

    fn dismiss(&mut self) {
        while let Some(&worker) = self.free.last()
            && self.machine.leave().is_some()
        {
            self.free.pop();
            self.workers[worker].jobs = None;
        }
    }
}
