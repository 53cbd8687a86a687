//! Keeper: the supervisor that starts the program and collects its exit code.

use std::io::Read as _;
use std::os::fd::AsFd as _;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use super::args::{Args, Role};
use super::{Guard, Notice, end_all_below, start};
use crate::os::{self, Deaths, Ending, WaitCondition};

/// Interval at which ended processes are looked for on systems without a notification.
const REAP_INTERVAL: Duration = Duration::from_millis(100);

pub(super) fn run(args: &Args, again: &Guard, mut watcher: UnixStream) {
    if args.isolated {
        // In a namespace the kernel ends the other processes. Otherwise the keeper must stay alive to end them.
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
        let conditions = [WaitCondition::Readable(watcher.as_fd()), deaths.next()];
        let Ok([is_closed, _]) = os::wait(conditions, REAP_INTERVAL) else { break };
        deaths.clear();
        while let Some((pid, ending)) = os::reap() {
            if pid == program {
                notice(ending).tell(&mut watcher);
            }
        }
        if is_closed {
            break; // the watcher has ended
        }
    }
    if !args.isolated {
        end_all_below();
    }
}

/// Starts the program. Returns its process number in this namespace and its number in `/proc`.
fn launch(args: &Args, again: &Guard) -> Result<(u32, u32), Notice> {
    let (launcher, mut line) = start(&args.next(Role::Launcher), again)?;
    // The launcher's end of the socket is closed when the program replaces the launcher.
    let mut said = String::new();
    let heard = line.read_to_string(&mut said);
    heard.map_err(|error| Notice::of_start("cannot read from a supervisor", &error))?;
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
