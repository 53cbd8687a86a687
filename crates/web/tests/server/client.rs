//! A server for tests, and clients that connect to it directly.

use std::io::{Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread::JoinHandle;
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::http::Request;
use tungstenite::{Error, Message, WebSocket};
use tussle_core::StopFlag;
use tussle_web::{Options, Server, ServerLimits};

/// Timeout after which a test fails, far longer than any answer takes.
const ANSWER_TIMEOUT: Duration = Duration::from_mins(1);

/// Server on a free port with its own store folder. Dropping it stops the server and removes the folder.
pub(crate) struct TestServer {
    pub(crate) address: SocketAddr,
    pub(crate) stores: PathBuf,
    stop: StopFlag,
    thread: Option<JoinHandle<()>>,
}

impl TestServer {
    pub(crate) fn new(limits: ServerLimits) -> Self {
        static SERVERS: AtomicU64 = AtomicU64::new(0);
        let number = SERVERS.fetch_add(1, Ordering::Relaxed);
        let folder = format!("tussle-server-{}-{number}", std::process::id());
        let stores = std::env::temp_dir().join(folder);
        let options = Options { limits, stores: stores.clone(), ..Options::default() };
        let server = Server::bind(options).unwrap();
        let address = server.address();
        let stop = StopFlag::default();
        let raised = stop.clone();
        let thread = std::thread::spawn(move || server.run(&raised).unwrap());
        Self { address, stores, stop, thread: Some(thread) }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(ANSWER_TIMEOUT)).unwrap();
        stream.set_write_timeout(Some(ANSWER_TIMEOUT)).unwrap();
        stream
    }

    /// Sends these bytes and returns the status and body of the answer.
    pub(crate) fn raw(&self, request: &str) -> (u16, String) {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        answer(&mut stream)
    }

    /// Sends a JSON request and returns the status and body of the answer.
    pub(crate) fn ask(&self, way: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let (status, text) = self.raw(&self.request(way, path, body));
        let answer =
            serde_json::from_str(&text).unwrap_or_else(|e| panic!("{way} {path}: {e}: {text}"));
        (status, answer)
    }

    /// Returns the status and the content type of an answer.
    pub(crate) fn kind(&self, path: &str) -> (u16, String) {
        let mut stream = self.connect();
        stream.write_all(self.request("get", path, None).as_bytes()).unwrap();
        let (status, head, _) = parts(&mut stream);
        let kind = head.lines().find_map(|line| line.strip_prefix("content-type: "));
        (status, kind.unwrap_or_default().split(';').next().unwrap_or_default().to_owned())
    }

    pub(crate) fn request(&self, way: &str, path: &str, body: Option<&Value>) -> String {
        let body = body.map(Value::to_string).unwrap_or_default();
        format!(
            "{} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {}\r\n\r\n{body}",
            way.to_uppercase(),
            self.address,
            body.len()
        )
    }

    /// Opens a WebSocket with these headers; returns the status if the server rejects it.
    pub(crate) fn open_socket(&self, headers: &[(&str, &str)]) -> Result<Page, u16> {
        let mut request = Request::builder()
            .uri(format!("ws://{}/live", self.address))
            .header("connection", "Upgrade")
            .header("upgrade", "websocket")
            .header("sec-websocket-version", "13")
            .header("sec-websocket-key", "dGhlIHNhbXBsZSBub25jZQ==");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        match tungstenite::client(request.body(()).unwrap(), self.connect()) {
            Ok((socket, _)) => Ok(Page { socket }),
            Err(tungstenite::HandshakeError::Failure(Error::Http(response))) => {
                Err(response.status().as_u16())
            }
            Err(error) => panic!("{error}"),
        }
    }

    /// Opens the WebSocket of a page.
    pub(crate) fn page(&self) -> Page {
        let host = self.address.to_string();
        self.open_socket(&[("host", &host), ("origin", &format!("http://{host}"))]).unwrap()
    }

    /// Stops the server and waits for its end.
    pub(crate) fn end(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let _ = std::fs::remove_dir_all(&self.stores);
    }
}

/// Reads an answer; returns its status and body.
pub(crate) fn answer(stream: &mut TcpStream) -> (u16, String) {
    let (status, _, body) = parts(stream);
    (status, body)
}

/// Reads an answer; returns its status, head and body.
fn parts(stream: &mut TcpStream) -> (u16, String, String) {
    let mut text = Vec::new();
    stream.read_to_end(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or(0), head.to_owned(), body.to_owned())
}

/// WebSocket of a page.
pub(crate) struct Page {
    pub(crate) socket: WebSocket<TcpStream>,
}

impl Page {
    pub(crate) fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// Returns the next message; `None` if the socket has ended.
    pub(crate) fn hear(&mut self) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) => return None,
                Ok(_) => {}
                Err(Error::Io(why)) if why.kind() == std::io::ErrorKind::WouldBlock => {
                    panic!("no message for {ANSWER_TIMEOUT:?}")
                }
                Err(_) => return None,
            }
        }
    }

    /// Waits for an event of a task and returns its message.
    pub(crate) fn wait_for(&mut self, id: u64, event: &str) -> Value {
        loop {
            let told = self.hear().expect("the socket is open");
            if told["id"] == id && told["event"] == event {
                return told;
            }
            let over = told["event"] == "error" || told["event"] == "done";
            assert!(told["id"] != id || !over, "instead of {event}: {told}");
        }
    }

    /// Starts a search that takes ten minutes, and waits until it runs.
    pub(crate) fn start_long_search(&mut self, id: u64) {
        self.request_long_search(id);
        self.wait_for(id, "report");
    }

    /// Requests a search that takes ten minutes.
    pub(crate) fn request_long_search(&mut self, id: u64) {
        let place = json!({ "game": "go:size=9" });
        let agent = "mcts:memory=20MB";
        self.say(&json!({ "id": id, "op": "search", "place": place, "agent": agent }).to_string());
    }

    /// Requests a search that is over at once.
    pub(crate) fn request_short_search(&mut self, id: u64) {
        let place = json!({ "game": "tictactoe", "moves": ["a1", "b2"] });
        let ask = json!({ "id": id, "op": "search", "place": place, "agent": "alphabeta" });
        self.say(&ask.to_string());
    }
}
