//! Server and browser for a test.

use std::thread::JoinHandle;

use tussle_core::StopFlag;
use tussle_testkit::browser::{Browser, is_there};
use tussle_web::{Options, Server};

/// Server on a free port. Dropping it stops the server.
pub(crate) struct TestServer {
    pub(crate) url: String,
    stop: StopFlag,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    pub(crate) fn new(options: Options) -> Self {
        let server = Server::bind(options).unwrap();
        let url = format!("http://{}", server.address());
        let stop = StopFlag::default();
        let raised = stop.clone();
        let thread = std::thread::spawn(move || server.run(&raised).unwrap());
        Self { url, stop, thread: Some(thread) }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

/// Starts a server with default options and a browser at this address (`#go/moves/C3`); `None` if no browser is installed.
pub(crate) fn open(hash: &str) -> Option<(TestServer, Browser)> {
    open_sized(hash, 1280, 900)
}

/// Like [`open`], with a window of this size.
pub(crate) fn open_sized(hash: &str, width: u32, height: u32) -> Option<(TestServer, Browser)> {
    if !is_there() {
        return None;
    }
    let served = TestServer::new(Options::default());
    let mut browser = Browser::start(width, height).unwrap();
    browser.visit(&format!("{}/{hash}", served.url)).unwrap();
    Some((served, browser))
}
