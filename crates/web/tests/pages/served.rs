//! A server and a browser for one test.

use std::thread::JoinHandle;

use tussle_core::StopFlag;
use tussle_testkit::browser::{Browser, is_there};
use tussle_web::{Options, Server};

/// A server on a free port; it ends with this value.
pub(crate) struct Served {
    pub(crate) url: String,
    stop: StopFlag,
    thread: Option<JoinHandle<()>>,
}

impl Served {
    pub(crate) fn new(options: Options) -> Self {
        let server = Server::bind(options).unwrap();
        let url = format!("http://{}", server.address());
        let stop = StopFlag::default();
        let raised = stop.clone();
        let thread = std::thread::spawn(move || server.run(&raised).unwrap());
        Self { url, stop, thread: Some(thread) }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// A server with the usual options and a browser at this address (`#go/moves/C3`); nothing where there is no browser.
pub(crate) fn open(hash: &str) -> Option<(Served, Browser)> {
    open_sized(hash, 1280, 900)
}

/// The same on a screen of this size.
pub(crate) fn open_sized(hash: &str, width: u32, height: u32) -> Option<(Served, Browser)> {
    if !is_there() {
        return None;
    }
    let served = Served::new(Options::default());
    let mut browser = Browser::start(width, height).unwrap();
    browser.visit(&format!("{}/{hash}", served.url)).unwrap();
    Some((served, browser))
}
