//! Ctrl-C ends the work, not the program.

use tussle_core::StopFlag;

/// What shells report for a program that Ctrl-C ended.
const INTERRUPTED: i32 = 130;

/// A flag that Ctrl-C raises. A second Ctrl-C ends the program at once.
pub(crate) fn stop_flag() -> StopFlag {
    stop_flag_saying(String::new(), String::new())
}

/// The same; at the first and at the second Ctrl-C this is said.
pub(crate) fn stop_flag_saying(first: String, second: String) -> StopFlag {
    let flag = StopFlag::default();
    let raised = flag.clone();
    // Where no handler can be set Ctrl-C ends the program, as it does anyway.
    let _ = ctrlc::set_handler(move || {
        let say = |text: &str| {
            if !text.is_empty() {
                eprintln!("\n{text}");
            }
        };
        if raised.is_stopped() {
            say(&second);
            std::process::exit(INTERRUPTED);
        }
        say(&first);
        raised.stop();
    });
    flag
}
