//! The inner guard: starts the program and asks how it ended.

use std::io::Read as _;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use super::args::{Args, Role};
use super::{Guard, Notice, end_all_below, start};
use crate::os::{self, Deaths, Ending, Until};

/// Where nothing tells of deaths, they are looked for this often.
const NOW_AND_THEN: Duration = Duration::from_millis(100);

pub(super) fn run(args: &Args, again: &Guard, mut watcher: UnixStream) {
    if args.isolated {
        // Then the kernel ends the rest. Otherwise we have to live on to do it.
        os::die_with_parent();
        os::limit_namespace(args.tasks());
    }
    os::leave_terminal();
    os::adopt_orphans();
    let deaths = Deaths::new();
    let program = match launch(args, again) {
        Ok((program, visible)) => {
            Notice::Started(visible).tell(&mut watcher);
            program
        }
        Err(notice) => return notice.tell(&mut watcher),
    };
    loop {
        let untils = [Until::Readable(watcher.as_fd()), deaths.next()];
        let Ok([order, _]) = os::wait(untils, NOW_AND_THEN) else { break };
        deaths.clear();
        while let Some((pid, ending)) = os::reap() {
            if pid == program {
                notice(ending).tell(&mut watcher);
            }
        }
        if order {
            break; // the watcher is no more
        }
    }
    if !args.isolated {
        end_all_below();
    }
}

/// Starts the program, and gives its number here and the one by which `/proc` knows it.
fn launch(args: &Args, again: &Guard) -> Result<(u32, u32), Notice> {
    let (launcher, mut line) = start(&args.next(Role::Launcher), again)?;
    // The launcher's end of the line closes when it has become the program.
    let mut said = String::new();
    let heard = line.read_to_string(&mut said);
    heard.map_err(|error| Notice::of_start("cannot hear a guard", &error))?;
    let (visible, failure) = said.split_once('\n').unwrap_or((&said, ""));
    if !failure.is_empty() {
        let told = serde_json::from_str(failure);
        return Err(told.unwrap_or_else(|_| Notice::Failed(failure.to_owned())));
    }
    Ok((launcher, visible.parse().unwrap_or(launcher)))
}

fn notice(ending: Ending) -> Notice {
    let bytes = os::most_memory_of_children();
    match ending {
        Ending::Exit(code) => Notice::Exited { code, bytes, left: 0 },
        Ending::Signal(signal) => Notice::Killed { signal, bytes },
    }
}
