//! A program in another process: lines to it and lines from it, all by a deadline.

mod output;
mod start;
mod tail;

use std::fmt::Write as _;
use std::io::{ErrorKind, Read as _, Write as _};
use std::net::Shutdown;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout};
use std::time::{Duration, Instant};

use tussle_core::StopFlag;

use crate::guard::Notice;
use crate::os::{self, Meter, Until};
use crate::{Fault, Usage, Verdict};
use output::{Excess, Output};
use start::PROCESSES;
use tail::Tail;

pub use start::{CommandError, ProgramError, files_are_short, find_program};
pub(crate) use start::{Launch, look_up};
pub use tail::harmless;

/// How long a program may take to get ready.
pub(crate) const START: Duration = Duration::from_secs(10);
/// How long a program that has been told to quit may take.
const FAREWELL: Duration = Duration::from_millis(300);
/// How long we wait to learn why a program's output has ended.
const WHY: Duration = Duration::from_millis(80);
/// How long a guard may take to end everything; it needs milliseconds.
const GUARD: Duration = Duration::from_secs(15);
/// A program that has slept for this long waits for us.
pub(crate) const REST: Duration = Duration::from_millis(40);
/// Time after the deadline from which the arena's look for an answer was late.
const MIN_LOOK_DELAY: Duration = Duration::from_millis(1);
/// Time after which the threads of a program that computes are listed; quick answers do not wait for that.
const LISTING_DELAY: Duration = Duration::from_millis(2);
/// Time between two looks at the flag that ends a wait.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Bytes that are read at a time.
const CHUNK: usize = 16 * 1024;
/// Chunks that are dropped before a request: more than a pipe holds, but not all that a program can
/// write.
const DISCARD: usize = 8;

/// The sleep of a program, from look to look.
pub(crate) struct Sleep {
    /// Its processor time in clock ticks, if it slept at the last look.
    ticks: Option<u64>,
    /// When the sleep began.
    since: Instant,
}

impl Default for Sleep {
    fn default() -> Self {
        Self { ticks: None, since: Instant::now() }
    }
}

/// A running program.
pub(crate) struct Program {
    guard: Child,
    /// The line to the guard.
    control: UnixStream,
    /// What the guard said, not yet a whole line.
    said: Vec<u8>,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    output: Output,
    tail: Tail,
    /// How it ended.
    end: Option<Notice>,
    /// The guard has gone.
    gone: bool,
    /// After the deadline there is one more look, because an answer may have come in time and
    /// we were not there to see it.
    looked_late: bool,
    /// The deadline, if that look was late itself and found something.
    missed_deadline: Option<Instant>,
    pid: Option<u32>,
    /// Measures its processor use.
    meter: Option<Meter>,
    /// When the current move began.
    began: Instant,
    /// Flag that ends the wait for its next line.
    stop: Option<StopFlag>,
}

impl Program {
    /// A new move: output counts from here.
    pub(crate) fn begin_move(&mut self) {
        self.output.begin_move();
        self.looked_late = false;
        self.missed_deadline = None;
        self.began = Instant::now();
        if let Some(meter) = &mut self.meter {
            meter.begin();
        }
    }

    /// Sets the flag that ends the wait for its next line.
    pub(crate) fn stop_at(&mut self, stop: Option<&StopFlag>) {
        self.stop = stop.cloned();
    }

    /// A new request: a later fault shows what the program writes to standard error from here on.
    pub(crate) fn begin_request(&mut self) {
        // If the program has ended already, its earlier output may tell why.
        if self.end.is_none() && self.stdout.is_some() {
            self.tail.begin();
        }
    }

    /// Returns its processor use since the move began.
    pub(crate) fn usage(&self) -> Usage {
        let usage = self.meter.as_ref().map(Meter::usage).unwrap_or_default();
        // An answer that was there before we looked was not late by its own fault.
        let stalled = self.missed_deadline.map_or(Duration::ZERO, |deadline| deadline.elapsed());
        Usage { stalled, ..usage }
    }

    /// Returns how long it waited for a processor since the move began, by the fault of others.
    pub(crate) fn withheld(&self) -> Duration {
        self.meter.as_ref().map_or(Duration::ZERO, |meter| meter.usage().withheld)
    }

    /// Whether it still runs, as far as is known.
    pub(crate) fn is_running(&mut self) -> bool {
        self.turn(false, Duration::ZERO).is_ok() && self.end.is_none() && self.stdout.is_some()
    }

    /// Returns true if it has slept since an earlier look, for so long that it waits for us.
    pub(crate) fn has_rested(&self, sleep: &mut Sleep) -> bool {
        let ticks = self.pid.and_then(os::asleep);
        if ticks.is_none() || ticks != sleep.ticks {
            *sleep = Sleep { ticks, since: Instant::now() };
            return false;
        }
        sleep.since.elapsed() >= REST
    }

    /// Waits until it has got ready: until it sleeps, as a program does that waits for its first
    /// line. For protocols that have no greeting: an interpreter's start is no thinking time.
    pub(crate) fn wait_until_it_rests(&mut self, deadline: Instant) {
        let mut sleep = Sleep::default();
        while Instant::now() < deadline && self.end.is_none() && self.stdout.is_some() {
            if self.pid.is_none() || self.has_rested(&mut sleep) {
                return;
            }
            // What it writes meanwhile nobody asked for; what is wrong with it shows later.
            let _ = self.turn(false, REST / 8);
            self.output.begin_move();
            self.output.clear();
        }
    }

    /// Drops whatever was written and not asked for.
    pub(crate) fn discard_output(&mut self) -> Result<(), Fault> {
        for _ in 0..DISCARD {
            if !self.turn(false, Duration::ZERO)? {
                break;
            }
            while self.output.line().is_some() {}
        }
        self.output.clear();
        Ok(())
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str, deadline: Instant) -> Result<(), Fault> {
        let mut text = String::with_capacity(line.len() + 1);
        let _ = writeln!(text, "{line}");
        let mut rest = text.as_bytes();
        loop {
            let Some(stdin) = self.stdin.as_mut() else { return Err(self.crash()) };
            match stdin.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(e) if e.kind() == ErrorKind::WouldBlock => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        self.stdin = None; // half a line: nothing can be sent after that
                        return Err(self.fault(Verdict::Time, "did not read what it was sent"));
                    }
                    self.turn(true, left)?;
                }
                Err(e) if e.kind() == ErrorKind::Interrupted => {}
                Err(_) => {
                    self.stdin = None;
                    return Err(self.crash());
                }
            }
            if rest.is_empty() {
                return Ok(());
            }
        }
    }

    /// Its next line. [`Verdict::Time`] if there is none by the deadline.
    pub(crate) fn line(&mut self, deadline: Instant) -> Result<String, Fault> {
        loop {
            if let Some(line) = self.output.line() {
                if self.looked_late && deadline.elapsed() >= MIN_LOOK_DELAY {
                    // It may have been there for as long as we were not looking.
                    self.missed_deadline = Some(deadline);
                }
                return Ok(line);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() && std::mem::replace(&mut self.looked_late, true) {
                if let Some(meter) = &mut self.meter {
                    meter.pass_deadline(deadline.elapsed());
                }
                return Err(self.fault(Verdict::Time, "did not answer in time"));
            }
            if self.end.is_some() || self.stdout.is_none() {
                return Err(self.crash());
            }
            if self.stop.as_ref().is_some_and(StopFlag::is_stopped) {
                return Err(self.fault(Verdict::Time, "was stopped before it answered"));
            }
            let left = if self.stop.is_some() { left.min(STOP_POLL_INTERVAL) } else { left };
            self.turn(false, self.until_listing().unwrap_or(left).min(left))?;
            if self.until_listing().is_some_and(|left| left.is_zero())
                && let Some(meter) = &mut self.meter
            {
                meter.list();
            }
        }
    }

    /// Returns the time until the threads of the program are to be listed, if that is still to be done in this move.
    fn until_listing(&self) -> Option<Duration> {
        let is_due = self.meter.as_ref().is_some_and(|meter| !meter.is_current());
        is_due.then(|| LISTING_DELAY.saturating_sub(self.began.elapsed()))
    }

    /// Waits until something happens, and takes in what there is: output, errors, what the
    /// guard says. Whether there was output.
    fn turn(&mut self, writing: bool, limit: Duration) -> Result<bool, Fault> {
        let readable = |fd| Until::Readable(fd);
        let untils = [
            self.stdout.as_ref().map_or(Until::Never, |fd| readable(fd.as_fd())),
            self.stderr.as_ref().map_or(Until::Never, |fd| readable(fd.as_fd())),
            if self.gone { Until::Never } else { readable(self.control.as_fd()) },
            match self.stdin.as_ref() {
                Some(stdin) if writing => Until::Writable(stdin.as_fd()),
                _ => Until::Never,
            },
        ];
        let [output, errors, told, _] = os::wait(untils, limit).map_err(|error| {
            Fault::new(Verdict::Host, format!("cannot wait for a program: {error}"))
        })?;
        if errors {
            self.take_errors();
        }
        if told {
            self.take_notice();
        }
        if output { self.take_output() } else { Ok(false) }
    }

    /// Reads what was written, but not without end.
    fn take_output(&mut self) -> Result<bool, Fault> {
        let Some(stdout) = self.stdout.as_mut() else { return Ok(false) };
        let mut chunk = [0; CHUNK];
        match stdout.read(&mut chunk) {
            Ok(0) => self.stdout = None,
            Ok(length) => {
                if let Err(excess) = self.output.take(&chunk[..length]) {
                    return Err(self.too_much(&excess));
                }
                return Ok(true);
            }
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => self.stdout = None,
        }
        Ok(false)
    }

    fn take_errors(&mut self) {
        let Some(stderr) = self.stderr.as_mut() else { return };
        let mut chunk = [0; CHUNK];
        match stderr.read(&mut chunk) {
            Ok(0) => self.stderr = None,
            Ok(length) => self.tail.take(&chunk[..length]),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => self.stderr = None,
        }
    }

    fn take_notice(&mut self) {
        let mut chunk = [0; 1024];
        match self.control.read(&mut chunk) {
            Ok(0) => self.gone = true,
            Ok(length) => self.said.extend_from_slice(&chunk[..length]),
            Err(e) if matches!(e.kind(), ErrorKind::WouldBlock | ErrorKind::Interrupted) => {}
            Err(_) => self.gone = true,
        }
        while let Some(end) = self.said.iter().position(|&byte| byte == b'\n') {
            let line: Vec<u8> = self.said.drain(..=end).collect();
            match serde_json::from_slice(&line) {
                Ok(Notice::Started(pid)) => {
                    self.pid = Some(pid);
                    self.meter = Some(Meter::of(pid));
                }
                Ok(notice) if self.end.is_none() => self.end = Some(notice),
                _ => {}
            }
        }
        if self.gone && self.end.is_none() {
            self.end = Some(self.guard_is_gone());
        }
    }

    /// The end of a guard that said nothing. One that failed by itself before the program ran, such as
    /// for lack of memory, has an exit code; one that a program ended was killed by a signal.
    fn guard_is_gone(&mut self) -> Notice {
        let until = Instant::now() + WHY;
        while self.pid.is_none() && Instant::now() < until {
            match self.guard.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                Ok(Some(status)) if status.code().is_some_and(|code| code != 0) => {
                    return Notice::Short(format!("its guard failed: {status}"));
                }
                _ => break,
            }
        }
        Notice::Failed("its guard was ended".to_owned())
    }

    /// The program has ended, or talks no more: says why as well as can be known.
    fn crash(&mut self) -> Fault {
        let until = Instant::now() + WHY;
        loop {
            let left = until.saturating_duration_since(Instant::now());
            let knows = self.end.is_some() && self.stderr.is_none();
            if left.is_zero() || knows || self.turn(false, left).is_err() {
                break;
            }
        }
        let (verdict, what) = match &self.end {
            Some(Notice::Exited { code, .. }) => {
                (Verdict::Crash, format!("ended with exit code {code}"))
            }
            Some(Notice::Killed { signal, .. }) => {
                let name = os::signal_name(*signal);
                (Verdict::Crash, format!("was killed by signal {signal} ({name})"))
            }
            Some(Notice::Memory { used, limit }) => {
                let what = format!("used {} of {} of memory", bytes(*used), bytes(*limit));
                (Verdict::Memory, what)
            }
            Some(Notice::Processes { limit }) => (
                Verdict::Crash,
                format!("had more than {limit} processes, or far too many threads"),
            ),
            Some(Notice::Failed(why)) => (Verdict::Crash, why.clone()),
            Some(Notice::Short(why)) => (Verdict::Host, why.clone()),
            None | Some(Notice::Started(_)) if self.stdin.is_none() => {
                (Verdict::Crash, "closed its standard input".to_owned())
            }
            None | Some(Notice::Started(_)) => {
                (Verdict::Crash, "closed its standard output".to_owned())
            }
        };
        self.fault(verdict, what)
    }

    /// The limit of memory or processes that it exceeds, by what the guard says. A flood of processes can keep
    /// the guard from running, so they are counted here too.
    pub(crate) fn excess(&mut self) -> Option<Fault> {
        let _ = self.turn(false, Duration::ZERO); // what the guard has said by now
        if self.end.is_none() {
            let most = PROCESSES as usize;
            // Below the arena's child are two more guards.
            let is_flood = os::descendants(self.guard.id(), most + 2).len() > most + 2;
            self.end = is_flood.then_some(Notice::Processes { limit: PROCESSES });
        }
        let limits = matches!(self.end, Some(Notice::Memory { .. } | Notice::Processes { .. }));
        limits.then(|| self.crash())
    }

    fn too_much(&self, excess: &Excess) -> Fault {
        let (what, sample) = match excess {
            Excess::Line(sample) => ("wrote a line longer than 64 KiB", sample),
            Excess::Move(sample) => ("wrote more than 1 MiB in one move", sample),
        };
        let mut fault = self.fault(Verdict::Protocol, what);
        fault.evidence.insert(0, format!("it wrote `{sample}` …"));
        fault
    }

    /// A fault with what the program wrote to standard error since the request. If it has ended without a word since
    /// then, what it wrote before may tell why.
    pub(crate) fn fault(&self, verdict: Verdict, what: impl Into<String>) -> Fault {
        let mut evidence = self.tail.lines();
        if evidence.is_empty() && verdict == Verdict::Crash {
            evidence = self.tail.all_lines();
        }
        Fault { verdict, what: what.into(), evidence }
    }

    /// A fault by what the program said.
    pub(crate) fn protocol(&self, what: impl Into<String>, said: &str) -> Fault {
        let mut fault = self.fault(Verdict::Protocol, what);
        fault.evidence.insert(0, format!("it wrote `{}`", harmless(said, tail::LONGEST)));
        fault
    }

    /// Closes its standard input.
    pub(crate) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for its end and says how it came; nothing if it still runs at the deadline.
    pub(crate) fn end_by(&mut self, deadline: Instant) -> Option<&Notice> {
        while self.end.is_none() {
            let left = deadline.saturating_duration_since(Instant::now());
            // What it writes now is of no interest, but it must be able to write it.
            self.output.begin_move();
            self.output.clear();
            if left.is_zero() || self.turn(false, left).is_err() {
                break;
            }
        }
        self.end.as_ref()
    }

    /// Asks it to go, by a line or by the end of its input, waits a little, and ends it with all
    /// it has started. Nothing is left of it afterwards.
    pub(crate) fn quit(mut self, line: Option<&str>) {
        let until = Instant::now() + FAREWELL;
        let asked = line.is_none_or(|line| self.send(line, until).is_ok());
        self.close_input();
        if asked {
            self.end_by(until);
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.control.shutdown(Shutdown::Write); // the order to end everything
        let _ = self.control.set_nonblocking(false);
        let _ = self.control.set_read_timeout(Some(GUARD));
        let mut chunk = [0; 1024];
        while matches!(self.control.read(&mut chunk), Ok(1..)) {}
        let _ = self.guard.kill(); // it has gone, or will never go
        let _ = self.guard.wait();
    }
}

/// Bytes in words.
fn bytes(number: u64) -> String {
    format!("{:.1} MB", number as f64 / 1e6)
}
