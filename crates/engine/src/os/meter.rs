//! CPU time and run-queue wait of a program, by thread.

use std::fs::{self, File};
use std::os::unix::fs::FileExt as _;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use nix::sched::{CpuSet, sched_getaffinity};
use nix::unistd::Pid;

use super::descendants;
use crate::usage::{Processors, ThreadUsage, Usage, withheld};

/// Maximum number of threads of a program that are measured.
const MAX_THREADS: usize = 256;
/// Maximum number of processes of a program whose threads are measured.
const MAX_PROCESSES: usize = 64;
/// Maximum delay of a reading after the deadline, for which it still shows the state at the deadline.
const MAX_READING_DELAY: Duration = Duration::from_millis(3);

/// Scheduler statistics of a thread since it started.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct SchedulerStats {
    cpu: Duration,
    /// Time in the run queue. A wait is counted when it ends.
    waited: Duration,
    /// Number of times that the thread got a processor.
    slices: u64,
}

impl SchedulerStats {
    fn read(file: &File) -> Option<Self> {
        let mut text = [0; 96];
        let length = file.read_at(&mut text, 0).ok()?;
        let text = std::str::from_utf8(&text[..length]).ok()?;
        let mut numbers = text.split_ascii_whitespace().map(|word| word.parse().ok());
        let mut next = || numbers.next().flatten();
        let (cpu, waited) = (Duration::from_nanos(next()?), Duration::from_nanos(next()?));
        Some(Self { cpu, waited, slices: next()? })
    }
}

/// Returns the time that the current thread has waited for a processor since it started; `None` if it is unknown.
pub(crate) fn own_wait() -> Option<Duration> {
    thread_local! {
        static OWN: Option<File> = File::open("/proc/thread-self/schedstat").ok();
    }
    OWN.with(|file| SchedulerStats::read(file.as_ref()?)).map(|stats| stats.waited)
}

/// Returns the number of processors on which this process may run.
pub(crate) fn own_processors() -> u32 {
    processors(0).count()
}

/// Thread with its statistics at the beginning of the move.
struct Thread {
    id: u32,
    folder: PathBuf,
    /// File with the statistics, if it is kept open.
    file: Option<File>,
    before: SchedulerStats,
    /// Statistics at the deadline, and true if the thread was running or ready to run.
    at_deadline: Option<(SchedulerStats, bool)>,
}

impl Thread {
    fn new(id: u32, folder: PathBuf) -> Self {
        Self { id, folder, file: None, before: SchedulerStats::default(), at_deadline: None }
    }

    fn read(&self) -> Option<SchedulerStats> {
        match &self.file {
            Some(file) => SchedulerStats::read(file),
            None => SchedulerStats::read(&File::open(self.folder.join("schedstat")).ok()?),
        }
    }

    fn pass_deadline(&mut self) {
        let ran = self.read();
        self.at_deadline = ran.map(|ran| (ran, self.is_ready()));
    }

    /// Returns true if the thread is running or ready to run.
    fn is_ready(&self) -> bool {
        let stat = fs::read_to_string(self.folder.join("stat")).unwrap_or_default();
        stat.rsplit_once(')').is_some_and(|(_, rest)| rest.trim_start().starts_with('R'))
    }
}

/// Meter of a program's CPU usage during a move, in all threads of the program and its child processes.
pub(crate) struct Meter {
    pid: u32,
    threads: Vec<Thread>,
    began: Instant,
    deadline: Option<Instant>,
    /// True if the statistics were read soon enough after the deadline.
    is_prompt: bool,
    /// True if the threads were listed in this move.
    is_current: bool,
}

impl Meter {
    /// Creates the meter of the process with this number in `/proc`.
    pub(crate) fn of(pid: u32) -> Self {
        let mut first = Thread::new(pid, PathBuf::from(format!("/proc/{pid}/task/{pid}")));
        // Most programs have only this thread, and it is read in every move.
        first.file = File::open(first.folder.join("schedstat")).ok();
        let threads = vec![first];
        let began = Instant::now();
        let mut meter =
            Self { pid, threads, began, deadline: None, is_prompt: false, is_current: false };
        meter.begin();
        meter
    }

    /// Starts the measurement of a move.
    pub(crate) fn begin(&mut self) {
        self.began = Instant::now();
        self.deadline = None;
        self.is_prompt = false;
        self.is_current = false;
        self.threads.retain_mut(|thread| {
            thread.at_deadline = None;
            thread.read().map(|ran| thread.before = ran).is_some()
        });
    }

    /// Returns true if the threads were listed in this move.
    pub(crate) fn is_current(&self) -> bool {
        self.is_current
    }

    /// Lists the threads. Call it while the program computes, so that quick answers are not delayed.
    pub(crate) fn list(&mut self) {
        self.is_current = true;
        let new: Vec<Thread> = self.unknown().map(|(thread, _)| thread).collect();
        self.threads.extend(new);
    }

    /// Records the statistics at the deadline, which passed `ago`.
    pub(crate) fn pass_deadline(&mut self, ago: Duration) {
        if self.deadline.is_some() {
            return;
        }
        self.is_prompt = ago <= MAX_READING_DELAY;
        self.deadline = Some(Instant::now());
        // Read the known threads first, because listing the others takes time.
        let known = self.threads.len();
        self.threads.iter_mut().for_each(Thread::pass_deadline);
        self.list();
        self.threads[known..].iter_mut().for_each(Thread::pass_deadline);
    }

    /// Returns the CPU usage since the move began.
    pub(crate) fn usage(&self) -> Usage {
        let wall = self.began.elapsed();
        let mut cpu_late = self.is_prompt.then_some(Duration::ZERO);
        let mut threads = Vec::new();
        let new: Vec<(Thread, SchedulerStats)> = self.unknown().collect();
        let known = self.threads.iter().map(|thread| (thread, None));
        for (thread, now) in known.chain(new.iter().map(|(thread, ran)| (thread, Some(*ran)))) {
            // For a thread that has ended, use the last reading.
            let last = thread.at_deadline.map_or(thread.before, |(ran, _)| ran);
            let now = now.or_else(|| thread.read()).unwrap_or(last);
            if let Some(sum) = &mut cpu_late {
                *sum += now.cpu.saturating_sub(last.cpu);
            }
            threads.push(ThreadUsage {
                cpu: now.cpu.saturating_sub(thread.before.cpu),
                waited: now.waited.saturating_sub(thread.before.waited) + self.pending(thread, now),
                processors: processors(thread.id),
            });
        }
        let busiest = threads.iter().max_by_key(|thread| thread.cpu + thread.waited);
        Usage {
            busiest: busiest.map_or([Duration::ZERO; 2], |thread| [thread.cpu, thread.waited]),
            cpu: threads.iter().map(|thread| thread.cpu).sum(),
            cpu_late,
            waited: threads.iter().map(|thread| thread.waited).max().unwrap_or_default(),
            withheld: withheld(&threads, wall),
            stalled: Duration::ZERO,
        }
    }

    /// Returns the wait that the kernel has not counted yet: a thread that was ready at the deadline, is ready now and did
    /// not run in between has waited since the deadline.
    fn pending(&self, thread: &Thread, now: SchedulerStats) -> Duration {
        match (thread.at_deadline, self.deadline) {
            (Some((then, true)), Some(deadline)) if then == now && thread.is_ready() => {
                deadline.elapsed()
            }
            _ => Duration::ZERO,
        }
    }

    /// Returns the threads that were not listed yet.
    fn unknown(&self) -> impl Iterator<Item = (Thread, SchedulerStats)> {
        let processes = std::iter::once(self.pid).chain(descendants(self.pid, MAX_PROCESSES));
        let tasks = processes.filter_map(|pid| fs::read_dir(format!("/proc/{pid}/task")).ok());
        tasks.flatten().flatten().take(MAX_THREADS).filter_map(|task| {
            let id = task.file_name().to_str()?.parse().ok()?;
            if self.threads.iter().any(|thread| thread.id == id) {
                return None;
            }
            let mut thread = Thread::new(id, task.path());
            let ran = thread.read()?;
            // If the times of a thread exceed the time of the move, it was started before the move.
            if ran.cpu + ran.waited > self.began.elapsed() {
                thread.before = ran;
            }
            Some((thread, ran))
        })
    }
}

/// Returns the processors on which a thread may run, or those of this process if the thread has ended.
fn processors(id: u32) -> Processors {
    let of = |id: u32| sched_getaffinity(Pid::from_raw(id as i32));
    let set = of(id).or_else(|_| of(0)).unwrap_or_default();
    (0..CpuSet::count()).filter(|&number| set.is_set(number).unwrap_or(false)).collect()
}

#[cfg(test)]
mod tests {
    use std::process::Command;

    use super::*;

    #[test]
    fn all_threads_and_child_processes_are_measured() {
        let busy = own_processors() * 2 + 1;
        // The shell itself only waits for its children.
        let script = format!("for i in $(seq {busy}); do while :; do :; done & done; wait");
        let mut shell = Command::new("sh").args(["-c", &script]).spawn().unwrap();
        let mut meter = Meter::of(shell.id());
        std::thread::sleep(Duration::from_millis(300));
        meter.list();
        meter.pass_deadline(Duration::ZERO);
        std::thread::sleep(Duration::from_millis(100));
        let usage = meter.usage();
        let children = descendants(shell.id(), usize::MAX);
        shell.kill().unwrap();
        shell.wait().unwrap();
        for child in children {
            super::super::super::end(child);
        }
        assert!(usage.waited > Duration::from_millis(10), "{usage:?}");
        let cpu_late = usage.cpu_late.unwrap();
        assert!(usage.cpu > cpu_late && cpu_late > Duration::ZERO, "{usage:?}");
        assert!(usage.busiest[1] <= usage.waited, "{usage:?}");
        assert!(usage.withheld <= usage.waited, "{usage:?}");
        assert_eq!(Meter::of(u32::MAX / 2).usage(), Usage::default());
    }

    #[test]
    fn threads_that_start_during_the_move_are_measured() {
        let meter = Meter::of(std::process::id());
        let until = Instant::now() + Duration::from_millis(200);
        let usage = std::thread::scope(|scope| {
            for _ in 0..=own_processors() * 2 {
                scope.spawn(|| while Instant::now() < until {});
            }
            // The first thread of this process, which is already in the list, sleeps.
            std::thread::sleep(Duration::from_millis(150));
            meter.usage()
        });
        assert!(usage.cpu > Duration::from_millis(10), "{usage:?}");
        assert!(usage.waited > Duration::from_millis(10), "{usage:?}");
    }
}
