//! Conversation with an engine in tests.

use std::io::{self, BufRead as _, BufReader, PipeReader, PipeWriter, Write as _};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// Maximum time to wait for an answer.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(30);

/// Conversation with an engine that runs on a thread.
pub(crate) struct Conversation {
    to: Option<PipeWriter>,
    from: Receiver<String>,
    engine: JoinHandle<io::Result<()>>,
}

impl Conversation {
    pub(crate) fn with(
        engine: impl FnOnce(BufReader<PipeReader>, PipeWriter) -> io::Result<()> + Send + 'static,
    ) -> Self {
        let (input, to) = io::pipe().expect("a pipe");
        let (from, output) = io::pipe().expect("a pipe");
        let engine = thread::spawn(move || engine(BufReader::new(input), output));
        let (send, receive) = mpsc::channel();
        thread::spawn(move || {
            for line in BufReader::new(from).lines() {
                if send.send(line.expect("lines of text")).is_err() {
                    break;
                }
            }
        });
        Self { to: Some(to), from: receive, engine }
    }

    /// Sends lines.
    pub(crate) fn say(&mut self, text: &str) {
        let to = self.to.as_mut().expect("an open input");
        to.write_all(format!("{text}\n").as_bytes()).expect("the engine reads");
    }

    /// Returns the next line.
    pub(crate) fn hear(&self) -> String {
        self.from.recv_timeout(ANSWER_TIMEOUT).expect("the engine answers")
    }

    /// Returns all lines up to and including the first that begins with `start`.
    pub(crate) fn hear_until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            lines.push(self.hear());
            if lines.last().is_some_and(|line| line.starts_with(start)) {
                return lines;
            }
        }
    }

    /// Returns all lines before the first empty one.
    pub(crate) fn hear_to_blank(&self) -> Vec<String> {
        let mut lines = Vec::new();
        loop {
            match self.hear() {
                line if line.is_empty() => return lines,
                line => lines.push(line),
            }
        }
    }

    /// Returns true if no line arrives within this time.
    pub(crate) fn is_silent_for(&self, span: Duration) -> bool {
        self.from.recv_timeout(span).is_err()
    }

    /// Closes the engine's input and returns its remaining lines.
    pub(crate) fn close(mut self) -> Vec<String> {
        self.to = None;
        let rest = self.from.iter().collect();
        self.engine.join().expect("the engine ends").expect("and ends well");
        rest
    }
}
