//! Ctrl-C stops the work; the program still reports its results.

use tussle_core::StopFlag;

/// Exit code that shells report for a program ended by Ctrl-C.
const INTERRUPTED_EXIT_CODE: i32 = 130;

/// Returns a flag that Ctrl-C raises. A second Ctrl-C ends the program at once.
pub(crate) fn stop_flag() -> StopFlag {
    stop_flag_saying(String::new(), String::new())
}

/// Like [`stop_flag`], but prints a message at the first and at the second Ctrl-C.
pub(crate) fn stop_flag_saying(first: String, second: String) -> StopFlag {
    let flag = StopFlag::default();
    let raised = flag.clone();
    // If no handler can be set, Ctrl-C ends the program at once.
    let _ = ctrlc::set_handler(move || {
        let say = |text: &str| {
            if !text.is_empty() {
                eprintln!("\n{text}");
            }
        };
        if raised.is_stopped() {
            say(&second);
            std::process::exit(INTERRUPTED_EXIT_CODE);
        }
        say(&first);
        raised.stop();
    });
    flag
}
