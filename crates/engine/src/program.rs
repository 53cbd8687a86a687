//! Program in another process: sends and receives lines, each by a deadline.

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
use crate::os::{self, Meter, WaitCondition};
use crate::{Fault, Usage, Verdict};
use output::{Excess, Output};
use start::MAX_PROCESSES;
use tail::Tail;

pub use start::{CommandError, ProgramError, files_are_short, find_program};
pub(crate) use start::{Launch, look_up};
pub use tail::harmless;

/// Maximum time of a program to start and get ready.
pub(crate) const START_TIMEOUT: Duration = Duration::from_secs(10);
/// Maximum time of a program to exit after it was asked to quit.
const QUIT_TIMEOUT: Duration = Duration::from_millis(300);
/// Maximum time to wait for the reason why a program's output has ended.
const REASON_TIMEOUT: Duration = Duration::from_millis(80);
/// Maximum time of the supervisor to end all processes; usually it needs milliseconds.
const GUARD_TIMEOUT: Duration = Duration::from_secs(15);
/// Minimum sleep of a program that waits for input.
pub(crate) const MIN_SLEEP: Duration = Duration::from_millis(40);
/// Minimum delay after the deadline for which the arena counts as late to read an answer.
const MIN_READING_DELAY: Duration = Duration::from_millis(1);
/// Time after which the threads of a computing program are listed. Listing them earlier would delay quick answers.
const LISTING_DELAY: Duration = Duration::from_millis(2);
/// Interval at which the stop flag is checked during a wait.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(50);
/// Number of bytes that are read at a time.
const CHUNK_BYTES: usize = 16 * 1024;
/// Maximum number of chunks that are dropped before a request: more than a pipe holds, but limited, because a program may
/// write without end.
const MAX_DISCARDED_CHUNKS: usize = 8;

/// Sleep of a program over several checks.
pub(crate) struct Sleep {
    /// CPU time in clock ticks, if the program was asleep at the last check.
    ticks: Option<u64>,
    /// Time at which the sleep began.
    since: Instant,
}

impl Default for Sleep {
    fn default() -> Self {
        Self { ticks: None, since: Instant::now() }
    }
}

/// Running program.
pub(crate) struct Program {
    guard: Child,
    /// Socket to the supervisor.
    control: UnixStream,
    /// Incomplete line from the supervisor.
    said: Vec<u8>,
    stdin: Option<ChildStdin>,
    stdout: Option<ChildStdout>,
    stderr: Option<ChildStderr>,
    output: Output,
    tail: Tail,
    /// Notice about the end of the program.
    end: Option<Notice>,
    /// True if the supervisor has ended.
    gone: bool,
    /// True during the last check for output after the deadline. An answer may have arrived in time while the arena did not
    /// run.
    looked_late: bool,
    /// Deadline of the move, if that check was late and found a line.
    missed_deadline: Option<Instant>,
    pid: Option<u32>,
    /// Meter of the CPU usage.
    meter: Option<Meter>,
    /// Time at which the current move began.
    began: Instant,
    /// Flag that ends the wait for the next line.
    stop: Option<StopFlag>,
}

impl Program {
    /// Begins a move: starts to count its output and CPU usage.
    pub(crate) fn begin_move(&mut self) {
        self.output.begin_move();
        self.looked_late = false;
        self.missed_deadline = None;
        self.began = Instant::now();
        if let Some(meter) = &mut self.meter {
            meter.begin();
        }
    }

    /// Sets the flag that ends the wait for the next line.
    pub(crate) fn stop_at(&mut self, stop: Option<&StopFlag>) {
        self.stop = stop.cloned();
    }

    /// Begins a request. The evidence of a later fault is what the program writes to standard error from now on.
    pub(crate) fn begin_request(&mut self) {
        // If the program has already ended, its earlier output may show the reason.
        if self.end.is_none() && self.stdout.is_some() {
            self.tail.begin();
        }
    }

    /// Returns the CPU usage since the move began.
    pub(crate) fn usage(&self) -> Usage {
        let usage = self.meter.as_ref().map(Meter::usage).unwrap_or_default();
        // An answer that the arena read late may have arrived in time.
        let stalled = self.missed_deadline.map_or(Duration::ZERO, |deadline| deadline.elapsed());
        Usage { stalled, ..usage }
    }

    /// Returns the CPU time that was withheld from the program since the move began.
    pub(crate) fn withheld(&self) -> Duration {
        self.meter.as_ref().map_or(Duration::ZERO, |meter| meter.usage().withheld)
    }

    /// Returns true if the program is running, as far as is known.
    pub(crate) fn is_running(&mut self) -> bool {
        self.turn(false, Duration::ZERO).is_ok() && self.end.is_none() && self.stdout.is_some()
    }

    /// Returns true if the program has slept for [`MIN_SLEEP`], so that it seems to wait for input.
    pub(crate) fn has_rested(&self, sleep: &mut Sleep) -> bool {
        let ticks = self.pid.and_then(os::asleep);
        if ticks.is_none() || ticks != sleep.ticks {
            *sleep = Sleep { ticks, since: Instant::now() };
            return false;
        }
        sleep.since.elapsed() >= MIN_SLEEP
    }

    /// Waits until the program sleeps, as a program does that waits for its first line. For protocols without a greeting,
    /// so that the start of an interpreter does not count as time for a move.
    pub(crate) fn wait_until_asleep(&mut self, deadline: Instant) {
        let mut sleep = Sleep::default();
        while Instant::now() < deadline && self.end.is_none() && self.stdout.is_some() {
            if self.pid.is_none() || self.has_rested(&mut sleep) {
                return;
            }
            // Drop output before the first request, and ignore errors, which will occur again in the first request.
            let _ = self.turn(false, MIN_SLEEP / 8);
            self.output.begin_move();
            self.output.clear();
        }
    }

    /// Drops output that was written without a request.
    pub(crate) fn discard_output(&mut self) -> Result<(), Fault> {
        for _ in 0..MAX_DISCARDED_CHUNKS {
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
                        self.stdin = None; // half a line was sent: nothing can follow it
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

    /// Returns the program's next line.
    ///
    /// # Errors
    /// [`Verdict::Time`] if no line arrives by the deadline; another verdict if the program has a fault.
    pub(crate) fn line(&mut self, deadline: Instant) -> Result<String, Fault> {
        loop {
            if let Some(line) = self.output.line() {
                if self.looked_late && deadline.elapsed() >= MIN_READING_DELAY {
                    // The line may have arrived before the deadline.
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

    /// Returns the time until the threads of the program must be listed; `None` if they were listed in this move.
    fn until_listing(&self) -> Option<Duration> {
        let is_due = self.meter.as_ref().is_some_and(|meter| !meter.is_current());
        is_due.then(|| LISTING_DELAY.saturating_sub(self.began.elapsed()))
    }

    /// Waits until something happens, and reads output, standard error and notices of the supervisor. Returns true if there
    /// was output.
    fn turn(&mut self, writing: bool, limit: Duration) -> Result<bool, Fault> {
        let readable = |fd| WaitCondition::Readable(fd);
        let conditions = [
            self.stdout.as_ref().map_or(WaitCondition::Never, |fd| readable(fd.as_fd())),
            self.stderr.as_ref().map_or(WaitCondition::Never, |fd| readable(fd.as_fd())),
            if self.gone { WaitCondition::Never } else { readable(self.control.as_fd()) },
            match self.stdin.as_ref() {
                Some(stdin) if writing => WaitCondition::Writable(stdin.as_fd()),
                _ => WaitCondition::Never,
            },
        ];
        let [output, errors, notice, _] = os::wait(conditions, limit).map_err(|error| {
            Fault::new(Verdict::Host, format!("cannot wait for a program: {error}"))
        })?;
        if errors {
            self.take_errors();
        }
        if notice {
            self.take_notice();
        }
        if output { self.take_output() } else { Ok(false) }
    }

    /// Reads a chunk of output. Returns true if there was one.
    fn take_output(&mut self) -> Result<bool, Fault> {
        let Some(stdout) = self.stdout.as_mut() else { return Ok(false) };
        let mut chunk = [0; CHUNK_BYTES];
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
        let mut chunk = [0; CHUNK_BYTES];
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

    /// Returns the notice for a supervisor that ended without one. A supervisor that failed before the program was running,
    /// for example for lack of memory, has an exit code. One that the program ended was killed by a signal.
    fn guard_is_gone(&mut self) -> Notice {
        let until = Instant::now() + REASON_TIMEOUT;
        while self.pid.is_none() && Instant::now() < until {
            match self.guard.try_wait() {
                Ok(None) => std::thread::sleep(Duration::from_millis(1)),
                Ok(Some(status)) if status.code().is_some_and(|code| code != 0) => {
                    return Notice::Short(format!("its supervisor failed: {status}"));
                }
                _ => break,
            }
        }
        Notice::Failed("its supervisor was killed".to_owned())
    }

    /// Returns the fault of a program that has ended or closed its input or output, with the reason as far as it is known.
    fn crash(&mut self) -> Fault {
        let until = Instant::now() + REASON_TIMEOUT;
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

    /// Returns the fault of a program that exceeds its limit of memory or processes. Very many processes can keep the
    /// supervisor from running, so they are also counted here.
    pub(crate) fn excess(&mut self) -> Option<Fault> {
        let _ = self.turn(false, Duration::ZERO); // reads notices that have arrived
        if self.end.is_none() {
            let most = MAX_PROCESSES as usize;
            // Two of the descendants are supervisors.
            let is_excess = os::descendants(self.guard.id(), most + 2).len() > most + 2;
            self.end = is_excess.then_some(Notice::Processes { limit: MAX_PROCESSES });
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

    /// Creates a fault whose evidence is what the program wrote to standard error since the request. For a crash without such
    /// output, the evidence is its earlier output.
    pub(crate) fn fault(&self, verdict: Verdict, what: impl Into<String>) -> Fault {
        let mut evidence = self.tail.lines();
        if evidence.is_empty() && verdict == Verdict::Crash {
            evidence = self.tail.all_lines();
        }
        Fault { verdict, what: what.into(), evidence }
    }

    /// Creates the fault of a line that the protocol does not allow.
    pub(crate) fn protocol(&self, what: impl Into<String>, said: &str) -> Fault {
        let mut fault = self.fault(Verdict::Protocol, what);
        fault.evidence.insert(0, format!("it wrote `{}`", harmless(said, tail::MAX_LINE_CHARS)));
        fault
    }

    /// Closes the program's standard input.
    pub(crate) fn close_input(&mut self) {
        self.stdin = None;
    }

    /// Waits for the end of the program and returns the notice about it; `None` if it is still running at the deadline.
    pub(crate) fn end_by(&mut self, deadline: Instant) -> Option<&Notice> {
        while self.end.is_none() {
            let left = deadline.saturating_duration_since(Instant::now());
            // Read and drop its output, so that it is not blocked.
            self.output.begin_move();
            self.output.clear();
            if left.is_zero() || self.turn(false, left).is_err() {
                break;
            }
        }
        self.end.as_ref()
    }

    /// Asks the program to quit, by a line or by the end of its input, waits for [`QUIT_TIMEOUT`], and ends all its
    /// processes.
    pub(crate) fn quit(mut self, line: Option<&str>) {
        let until = Instant::now() + QUIT_TIMEOUT;
        let asked = line.is_none_or(|line| self.send(line, until).is_ok());
        self.close_input();
        if asked {
            self.end_by(until);
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.control.shutdown(Shutdown::Write); // tells the supervisor to end all processes
        let _ = self.control.set_nonblocking(false);
        let _ = self.control.set_read_timeout(Some(GUARD_TIMEOUT));
        let mut chunk = [0; 1024];
        while matches!(self.control.read(&mut chunk), Ok(1..)) {}
        let _ = self.guard.kill(); // it has exited, or hangs
        let _ = self.guard.wait();
    }
}

/// Formats a number of bytes in megabytes.
fn bytes(number: u64) -> String {
    format!("{:.1} MB", number as f64 / 1e6)
}
