//! Requests without a browser.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::Value;

use crate::served::TestServer;

/// Sends a GET request; returns the status and the text of the answer.
pub(super) fn text(served: &TestServer, path: &str) -> (u16, String) {
    ask(served, "GET", path, "")
}

/// Sends a GET request; returns the status and the parsed answer.
pub(super) fn get(served: &TestServer, path: &str) -> (u16, Value) {
    parsed(text(served, path))
}

/// Sends a POST request; returns the status and the parsed answer.
pub(super) fn post(served: &TestServer, path: &str, body: &Value) -> (u16, Value) {
    parsed(ask(served, "POST", path, &body.to_string()))
}

fn parsed((status, text): (u16, String)) -> (u16, Value) {
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

fn ask(served: &TestServer, method: &str, path: &str, body: &str) -> (u16, String) {
    let host = served.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    // HTTP/1.0: the answer ends with the connection.
    let request = format!(
        "{method} {path} HTTP/1.0\r\nHost: {host}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    );
    stream.write_all(request.as_bytes()).unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let (head, text) = answer.split_once("\r\n\r\n").unwrap();
    let status = head.split(' ').nth(1).unwrap().parse().unwrap();
    (status, text.to_owned())
}
