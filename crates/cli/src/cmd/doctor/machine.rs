//! Checks of the machine: processor, memory, limits, clock and folders.

use std::path::Path;
use std::time::{Duration, Instant};

use tussle_catalog::text::counted;

use super::Check;
use crate::cpu;

/// Duration of the clock check.
const CLOCK_CHECK_TIME: Duration = Duration::from_millis(300);
/// A loop that only reads the clock was not running if two readings differ by more than this.
const MIN_GAP: Duration = Duration::from_millis(1);
/// Recommended limit of open files. A server with pages and a tournament of programs need some hundreds.
const MIN_OPEN_FILES: u64 = 1024;
/// Recommended limit of processes and threads; the arena runs several programs.
const MIN_PROCESSES: u64 = 1024;

pub(super) fn checks() -> Vec<Check> {
    let mut checks = vec![build(), processor(), cores()];
    checks.extend(memory());
    checks.extend(limits());
    checks.push(clock());
    checks.push(folder("temporary files", &std::env::temp_dir()));
    checks.push(folder("this folder", Path::new(".")));
    checks
}

fn build() -> Check {
    let target = format!("{} {}", std::env::consts::OS, std::env::consts::ARCH);
    let found = format!("{target}, built for {}", cpu::BUILT_FOR);
    if cfg!(debug_assertions) {
        return Check::note(
            "build",
            found + ", debug",
            "build with cargo build --release for speed",
        );
    }
    Check::ok("build", found)
}

fn processor() -> Check {
    let info = read("/proc/cpuinfo");
    let model = info.lines().find_map(|line| line.strip_prefix("model name")?.split(": ").nth(1));
    Check::ok("processor", format!("{}, {}", model.unwrap_or("unknown"), cpu::level()))
}

fn cores() -> Check {
    let usable = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let there = read("/proc/cpuinfo").lines().filter(|line| line.starts_with("processor")).count();
    if there > usable {
        let found = format!("{usable} of {there} usable");
        return Check::note("cores", found, "more threads than usable cores do not add speed");
    }
    Check::ok("cores", usable.to_string())
}

fn memory() -> Option<Check> {
    let info = read("/proc/meminfo");
    let kilobytes = |name| -> Option<u64> {
        let line = info.lines().find_map(|line| line.strip_prefix(name))?;
        line.split_whitespace().next()?.parse().ok()
    };
    let (total, free) = (kilobytes("MemTotal:")?, kilobytes("MemAvailable:")?);
    let gigabytes = |kilobytes: u64| kilobytes as f64 * 1024.0 / 1e9;
    let found = format!("{:.1} GB, {:.1} GB of it free", gigabytes(total), gigabytes(free));
    if gigabytes(free) < 1.0 {
        let advice = "long searches may need more; limit them with memory=100MB";
        return Some(Check::note("memory", found, advice));
    }
    Some(Check::ok("memory", found))
}

fn limits() -> Vec<Check> {
    let limits = read("/proc/self/limits");
    let soft_and_hard = |name: &str| -> Option<[u64; 2]> {
        let line = limits.lines().find_map(|line| line.strip_prefix(name))?;
        // `unlimited` is more than any number.
        let mut numbers = line.split_whitespace().map(|word| word.parse().unwrap_or(u64::MAX));
        Some([numbers.next()?, numbers.next()?])
    };
    let words = |n: u64| if n == u64::MAX { "no limit".to_owned() } else { n.to_string() };
    let check = |name, n, min, found, advice| {
        if n < min { Check::note(name, found, advice) } else { Check::ok(name, found) }
    };
    let files = "each running program needs 5; raise the hard limit: ulimit -Hn 4096";
    let processes = "each running program needs 3 or more; raise the limit: ulimit -u 4096";
    [
        soft_and_hard("Max open files").map(|[soft, hard]| {
            let raised = if hard > soft { " (hard limit, used for programs)" } else { "" };
            let found = format!("{}{raised}", words(hard));
            check("open files", hard, MIN_OPEN_FILES, found, files)
        }),
        soft_and_hard("Max processes")
            .map(|[soft, _]| check("processes", soft, MIN_PROCESSES, words(soft), processes)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Checks for gaps in which this process did not run, because of other programs or virtual machines.
fn clock() -> Check {
    let began = Instant::now();
    let (mut before, mut gaps, mut longest) = (began, 0, Duration::ZERO);
    while before - began < CLOCK_CHECK_TIME {
        let now = Instant::now();
        longest = longest.max(now - before);
        gaps += u64::from(now - before > MIN_GAP);
        before = now;
    }
    let found = format!(
        "longest gap {:.2} ms in {} ms",
        longest.as_secs_f64() * 1e3,
        CLOCK_CHECK_TIME.as_millis()
    );
    if gaps == 0 {
        return Check::ok("clock", found);
    }
    let advice = format!(
        "{} of more than 1 ms: other programs use this machine; use safety margins, and compare times only \
         within one run",
        counted(gaps, "gap")
    );
    Check::note("clock", found, advice)
}

fn folder(name: &'static str, path: &Path) -> Check {
    let shown = path.canonicalize().unwrap_or_else(|_| path.to_owned()).display().to_string();
    let probe = path.join(format!(".tussle-doctor-{}", std::process::id()));
    let written = std::fs::write(&probe, "written by tussle doctor, and deleted at once\n");
    let deleted = std::fs::remove_file(&probe);
    match written.and(deleted) {
        Ok(()) => Check::ok(name, format!("{shown} can be written")),
        Err(error) => {
            let found = format!("{shown} cannot be written: {error}");
            Check::note(name, found, "write files to another folder")
        }
    }
}

/// Returns the text of a file; empty on systems that do not have it.
fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}
