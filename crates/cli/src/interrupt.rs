//! Ctrl-C ends the work, not the program.

use tussle_core::StopFlag;

/// What shells report for a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// A flag that Ctrl-C raises. A second Ctrl-C ends the program at once.
pub(crate) fn stop_flag() -> StopFlag {
    let flag = StopFlag::default();
    let raised = flag.clone();
    // Where no handler can be set Ctrl-C ends the program, as it does anyway.
    let _ = ctrlc::set_handler(move || {
        if raised.is_stopped() {
            std::process::exit(INTERRUPTED);
        }
        raised.stop();
    });
    flag
}
