//! Questions without a browser.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;

use serde_json::Value;

use crate::served::Served;

/// The status and the text of an answer.
pub(super) fn text(served: &Served, path: &str) -> (u16, String) {
    ask(served, "GET", path, "")
}

/// The status and the answer.
pub(super) fn get(served: &Served, path: &str) -> (u16, Value) {
    parsed(text(served, path))
}

/// The same, after telling something.
pub(super) fn post(served: &Served, path: &str, body: &Value) -> (u16, Value) {
    parsed(ask(served, "POST", path, &body.to_string()))
}

fn parsed((status, text): (u16, String)) -> (u16, Value) {
    (status, serde_json::from_str(&text).unwrap_or(Value::String(text)))
}

fn ask(served: &Served, method: &str, path: &str, body: &str) -> (u16, String) {
    let host = served.url.strip_prefix("http://").unwrap();
    let mut stream = TcpStream::connect(host).unwrap();
    // The old version: the answer ends where the connection does.
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
