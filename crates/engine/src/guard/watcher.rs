//! The outer guard: holds the line to the arena, measures, and ends everything.

use std::io::{BufRead as _, BufReader};
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::time::{Duration, Instant};

use super::args::{Args, Role};
use super::{Guard, Notice, end_all_below, start};
use crate::os::{self, Deaths, Until};

/// How often the memory is looked at.
const OFTEN: Duration = Duration::from_millis(20);
/// How long processes may live after the program that started them.
const MOMENT: Duration = Duration::from_millis(30);
/// At every so many of these looks the processes are counted, which takes longer; at once if this
/// machine has so many threads more than at the last look.
const COUNT: u64 = 5;
const SUDDENLY: u64 = 128;
/// Threads are cheaper than processes.
const THREADS: u64 = 8;
/// How long the end of a whole namespace may take.
const PATIENCE: Duration = Duration::from_secs(10);

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
        looks: 0,
        everywhere: os::threads_everywhere(),
        processes: Vec::new(),
    };
    watch.until_the_end(&mut arena, line, &deaths);
}

struct Watch<'a> {
    args: &'a Args,
    keeper: u32,
    isolated: bool,
    /// The program, once it runs.
    program: Option<u32>,
    /// How often it was looked at.
    looks: u64,
    /// The threads of this machine at the last look.
    everywhere: u64,
    /// All its processes, when they were counted last.
    processes: Vec<u32>,
}

impl Watch<'_> {
    fn until_the_end(mut self, arena: &mut UnixStream, line: UnixStream, deaths: &Deaths) {
        let mut line = BufReader::new(line);
        let mut sample = Instant::now();
        let last = loop {
            let untils = [
                Until::Readable(arena.as_fd()),
                Until::Readable(line.get_ref().as_fd()),
                deaths.next(),
            ];
            // The end of a program that lives for a moment comes together with its start.
            let is_read = !line.buffer().is_empty();
            let pause = (sample + OFTEN).saturating_duration_since(Instant::now());
            let pause = if is_read { Duration::ZERO } else { pause };
            let Ok([order, told, _]) = os::wait(untils, pause) else { break None };
            if order {
                break None; // the arena gives no other order than to end, and often dies silently
            }
            if told || is_read {
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
            if sample.elapsed() >= OFTEN {
                sample = Instant::now();
                if let Some(excess) = self.excess() {
                    break Some(excess);
                }
            }
        };
        // The arena learns why before it sees the program's output end.
        if let Some(notice) = last {
            notice.tell(arena);
        }
        self.end_all(deaths);
    }

    /// What the keeper says; nothing if it has gone.
    fn hear(&self, line: &mut BufReader<UnixStream>) -> Option<Notice> {
        let mut text = String::new();
        line.read_line(&mut text).ok()?;
        let notice: Notice = serde_json::from_str(&text).ok()?;
        let limit = self.args.memory.unwrap_or(u64::MAX);
        match notice {
            // It was too quick for a look at its memory, but the kernel kept count.
            Notice::Exited { bytes, .. } | Notice::Killed { bytes, .. } if bytes > limit => {
                Some(Notice::Memory { used: bytes, limit })
            }
            Notice::Exited { code, bytes, .. } => {
                Some(Notice::Exited { code, bytes, left: self.left_running() })
            }
            notice => Some(notice),
        }
    }

    /// How many processes a program that has ended left behind. Those that end because it has
    /// ended get a moment to do so.
    fn left_running(&self) -> usize {
        let until = Instant::now() + MOMENT;
        loop {
            let left = os::descendants(self.keeper, usize::MAX).len();
            if left == 0 || Instant::now() >= until {
                return left;
            }
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Whether the program takes more than it may.
    fn excess(&mut self) -> Option<Notice> {
        self.program?;
        let most = self.args.processes;
        let before = std::mem::replace(&mut self.everywhere, os::threads_everywhere());
        if self.looks.is_multiple_of(COUNT) || self.everywhere > before + SUDDENLY {
            self.processes = os::descendants(self.keeper, most as usize);
            let too_many = self.processes.len() as u64 > most;
            let threads = || self.processes.iter().map(|&pid| os::threads(pid)).sum::<u64>();
            if too_many || threads() > most * THREADS {
                return Some(Notice::Processes { limit: most });
            }
        }
        self.looks += 1;
        let limit = self.args.memory?;
        let resident: u64 = self.processes.iter().map(|&pid| os::resident(pid)).sum();
        if resident <= limit {
            return None;
        }
        // Processes that share memory do not take it twice.
        let used: u64 = self.processes.iter().map(|&pid| os::proportional(pid)).sum();
        (used > limit).then_some(Notice::Memory { used, limit })
    }

    fn end_all(&self, deaths: &Deaths) {
        if self.isolated {
            // The kernel ends a namespace with its first process, whatever runs in it.
            os::end(self.keeper);
            let until = Instant::now() + PATIENCE;
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
    Notice::Failed("the program ended its guard, which is none of its business".to_owned())
}

/// Asks about all children that have ended; whether this was one of them.
fn reaped(pid: u32) -> bool {
    std::iter::from_fn(os::reap).filter(|(ended, _)| *ended == pid).count() > 0
}
