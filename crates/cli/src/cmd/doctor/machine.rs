//! What the machine is, and what it lets us have.

use std::path::Path;
use std::time::{Duration, Instant};

use super::Check;
use crate::cpu;

/// How long the clock is watched.
const WATCH: Duration = Duration::from_millis(300);
/// A loop that only reads the clock and sees it jump by this was not running.
const GAP: Duration = Duration::from_millis(1);
/// A server with all its pages and a tournament with programs need some hundreds.
const FEWEST_FILES: u64 = 1024;
/// A program may have that many, and the arena several programs.
const FEWEST_PROCESSES: u64 = 1024;

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
        return Check::note("build", found + ", with checks", "cargo build --release is faster");
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
        let found = format!("{usable} of {there} may be used");
        return Check::note("cores", found, "more threads than these only take turns");
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
        let advice = "searches of minutes may need more; limit them with memory=100MB";
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
    let check = |name, n, fewest, found, advice| {
        if n < fewest { Check::note(name, found, advice) } else { Check::ok(name, found) }
    };
    let files =
        "each running program takes 5: few run at once; raise the hard limit: ulimit -Hn 4096";
    let processes =
        "each running program takes 3 or more: few run at once; raise it: ulimit -u 4096";
    [
        soft_and_hard("Max open files").map(|[soft, hard]| {
            let raised = if hard > soft { " (hard limit, used for programs)" } else { "" };
            let found = format!("{}{raised}", words(hard));
            check("open files", hard, FEWEST_FILES, found, files)
        }),
        soft_and_hard("Max processes")
            .map(|[soft, _]| check("processes", soft, FEWEST_PROCESSES, words(soft), processes)),
    ]
    .into_iter()
    .flatten()
    .collect()
}

/// Whether this machine stands still now and then: others use it, or it is a virtual one.
fn clock() -> Check {
    let began = Instant::now();
    let (mut before, mut gaps, mut longest) = (began, 0, Duration::ZERO);
    while before - began < WATCH {
        let now = Instant::now();
        longest = longest.max(now - before);
        gaps += u32::from(now - before > GAP);
        before = now;
    }
    let found =
        format!("longest gap {:.2} ms in {} ms", longest.as_secs_f64() * 1e3, WATCH.as_millis());
    if gaps == 0 {
        return Check::ok("clock", found);
    }
    let advice = format!(
        "{gaps} gaps of more than 1 ms: something else runs here; leave margins, and believe ratios rather than times"
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
            Check::note(name, found, "give files to write by a path elsewhere")
        }
    }
}

/// The text of a file that only some systems have.
fn read(path: &str) -> String {
    std::fs::read_to_string(path).unwrap_or_default()
}
