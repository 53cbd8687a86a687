//! Watcher: the supervisor that has the socket to the arena, measures the program, and ends all processes.

use std::io::{BufRead as _, BufReader};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use super::args::{Args, Role};
use super::{Guard, Notice, end_all_below, start};
use crate::os::{self, Deaths, WaitCondition};

/// Interval at which the memory is measured.
const SAMPLE_INTERVAL: Duration = Duration::from_millis(20);
/// Grace period for processes to end after the program that started them.
const LEFTOVER_GRACE: Duration = Duration::from_millis(30);
/// Number of memory samples per count of the processes, which takes longer.
const SAMPLES_PER_COUNT: u64 = 5;
/// Number of new threads on this machine between two samples from which the processes are counted immediately.
const MIN_SUDDEN_THREADS: u64 = 128;
/// Number of threads that a program may have per allowed process.
const THREADS_PER_PROCESS: u64 = 8;
/// Maximum time to wait for the end of a namespace.
const NAMESPACE_END_TIMEOUT: Duration = Duration::from_secs(10);

pub(super) fn run(args: &Args, again: &Guard, mut arena: UnixStream) {
    os::adopt_orphans();
    let isolated = !args.plain && os::isolate();
    let deaths = Deaths::new();
    let (keeper, line) = match start(&Args { isolated, ..args.next(Role::Keeper) }, again) {
        Ok(started) => started,
        Err(notice) => return notice.tell(&mut arena),
    };
    let watch = Watch {
        args,
        keeper,
        isolated,
        program: None,
        samples: 0,
        machine_threads: os::threads_everywhere(),
        processes: Vec::new(),
    };
    watch.until_the_end(&mut arena, line, &deaths);
}

struct Watch<'a> {
    args: &'a Args,
    keeper: u32,
    isolated: bool,
    /// Process number of the program, once it is running.
    program: Option<u32>,
    /// Number of samples.
    samples: u64,
    /// Number of threads on this machine at the last sample.
    machine_threads: u64,
    /// Processes of the program at the last count.
    processes: Vec<u32>,
}

impl Watch<'_> {
    fn until_the_end(mut self, arena: &mut UnixStream, line: UnixStream, deaths: &Deaths) {
        let mut line = BufReader::new(line);
        let mut sample = Instant::now();
        let last = loop {
            let conditions = [
                WaitCondition::Readable(arena.as_fd()),
                WaitCondition::Readable(line.get_ref().as_fd()),
                deaths.next(),
            ];
            // The notices of start and end of a short program may have arrived together.
            let is_read = !line.buffer().is_empty();
            let pause = (sample + SAMPLE_INTERVAL).saturating_duration_since(Instant::now());
            let pause = if is_read { Duration::ZERO } else { pause };
            let Ok([is_closed, has_notice, _]) = os::wait(conditions, pause) else { break None };
            if is_closed {
                break None; // the arena has ended, or wants the program to end
            }
            if has_notice || is_read {
                match self.hear(&mut line).unwrap_or_else(keeper_is_gone) {
                    notice @ Notice::Started(pid) => {
                        self.program = Some(pid);
                        notice.tell(arena);
                    }
                    end => break Some(end),
                }
            }
            deaths.clear();
            if reaped(self.keeper) {
                break Some(keeper_is_gone());
            }
            if sample.elapsed() >= SAMPLE_INTERVAL {
                sample = Instant::now();
                if let Some(excess) = self.excess() {
                    break Some(excess);
                }
            }
        };
        // Send the reason before the arena sees the end of the program's output.
        if let Some(notice) = last {
            notice.tell(arena);
        }
        self.end_all(deaths);
    }

    /// Reads a notice of the keeper. Returns `None` if the keeper has ended.
    fn hear(&self, line: &mut BufReader<UnixStream>) -> Option<Notice> {
        let mut text = String::new();
        line.read_line(&mut text).ok()?;
        let notice: Notice = serde_json::from_str(&text).ok()?;
        let limit = self.args.memory.unwrap_or(u64::MAX);
        match notice {
            // The program was too short for a sample of its memory, but the kernel recorded the peak.
            Notice::Exited { bytes, .. } | Notice::Killed { bytes, .. } if bytes > limit => {
                Some(Notice::Memory { used: bytes, limit })
            }
            Notice::Exited { code, bytes, .. } => {
                Some(Notice::Exited { code, bytes, left: self.left_running() })
            }
            notice => Some(notice),
        }
    }

    /// Returns the number of processes that a program left running, after a grace period.
    fn left_running(&self) -> usize {
        let until = Instant::now() + LEFTOVER_GRACE;
        loop {
            let left = os::descendants(self.keeper, usize::MAX).len();
            if left == 0 || Instant::now() >= until {
                return left;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Returns the notice of a program that exceeds its limit of processes or memory.
    fn excess(&mut self) -> Option<Notice> {
        self.program?;
        let most = self.args.processes;
        let before = std::mem::replace(&mut self.machine_threads, os::threads_everywhere());
        let is_sudden = self.machine_threads > before + MIN_SUDDEN_THREADS;
        if self.samples.is_multiple_of(SAMPLES_PER_COUNT) || is_sudden {
            self.processes = os::descendants(self.keeper, most as usize);
            let too_many = self.processes.len() as u64 > most;
            let threads = || self.processes.iter().map(|&pid| os::threads(pid)).sum::<u64>();
            if too_many || threads() > most * THREADS_PER_PROCESS {
                return Some(Notice::Processes { limit: most });
            }
        }
        self.samples += 1;
        let limit = self.args.memory?;
        let resident: u64 = self.processes.iter().map(|&pid| os::resident(pid)).sum();
        if resident <= limit {
            return None;
        }
        // Do not count shared memory several times.
        let used: u64 = self.processes.iter().map(|&pid| os::proportional(pid)).sum();
        (used > limit).then_some(Notice::Memory { used, limit })
    }

    fn end_all(&self, deaths: &Deaths) {
        if self.isolated {
            // The kernel ends all processes of a namespace with its first process.
            os::end(self.keeper);
            let until = Instant::now() + NAMESPACE_END_TIMEOUT;
            while Instant::now() < until && !reaped(self.keeper) {
                let _ = os::wait([deaths.next()], Duration::from_millis(20));
                deaths.clear();
            }
        } else if let Some(program) = self.program {
            os::end_group(program);
        }
        end_all_below();
        os::end(self.keeper);
    }
}

fn keeper_is_gone() -> Notice {
    Notice::Failed("the program killed its supervisor".to_owned())
}

/// Collects all children that have ended. Returns true if this process was one of them.
fn reaped(pid: u32) -> bool {
    std::iter::from_fn(os::reap).filter(|(ended, _)| *ended == pid).count() > 0
}
