//! A server, and clients that speak to it directly.

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

/// Longer than anything takes; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_mins(1);

/// A server on a free port, with a folder of its own; both end with this value.
pub(crate) struct Served {
    pub(crate) address: SocketAddr,
    pub(crate) stores: PathBuf,
    stop: StopFlag,
    thread: Option<JoinHandle<()>>,
}

impl Served {
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
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream.set_write_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Sends these bytes and gives the status of the answer and its body.
    pub(crate) fn raw(&self, request: &str) -> (u16, String) {
        let mut stream = self.connect();
        stream.write_all(request.as_bytes()).unwrap();
        answer(&mut stream)
    }

    /// Asks as a well-behaved client does.
    pub(crate) fn ask(&self, way: &str, path: &str, body: Option<&Value>) -> (u16, Value) {
        let (status, text) = self.raw(&self.request(way, path, body));
        let told =
            serde_json::from_str(&text).unwrap_or_else(|e| panic!("{way} {path}: {e}: {text}"));
        (status, told)
    }

    /// The status of an answer and of which kind it is; nothing more.
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

    /// A socket with these headers; the status if it is refused.
    pub(crate) fn knock(&self, headers: &[(&str, &str)]) -> Result<Page, u16> {
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

    /// A page of ours.
    pub(crate) fn page(&self) -> Page {
        let host = self.address.to_string();
        self.knock(&[("host", &host), ("origin", &format!("http://{host}"))]).unwrap()
    }

    /// Ends the server and waits until it has.
    pub(crate) fn end(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            thread.join().unwrap();
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
        let _ = std::fs::remove_dir_all(&self.stores);
    }
}

/// The status of an answer and its body.
pub(crate) fn answer(stream: &mut TcpStream) -> (u16, String) {
    let (status, _, body) = parts(stream);
    (status, body)
}

/// Its status, head and body.
fn parts(stream: &mut TcpStream) -> (u16, String, String) {
    let mut text = Vec::new();
    stream.read_to_end(&mut text).unwrap();
    let text = String::from_utf8(text).unwrap();
    let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    (status.unwrap_or(0), head.to_owned(), body.to_owned())
}

/// A page's socket.
pub(crate) struct Page {
    pub(crate) socket: WebSocket<TcpStream>,
}

impl Page {
    pub(crate) fn say(&mut self, text: &str) {
        self.socket.send(Message::text(text)).unwrap();
    }

    /// The next message; nothing if the socket has ended.
    pub(crate) fn hear(&mut self) -> Option<Value> {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => return Some(serde_json::from_str(&text).unwrap()),
                Ok(Message::Close(_)) => return None,
                Ok(_) => {}
                Err(Error::Io(why)) if why.kind() == std::io::ErrorKind::WouldBlock => {
                    panic!("nothing was heard for {PATIENCE:?}")
                }
                Err(_) => return None,
            }
        }
    }

    /// Waits for an event of a task.
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

    /// Begins a search that takes ten minutes, and waits until it runs.
    pub(crate) fn search_for_ever(&mut self, id: u64) {
        self.ask_for_ever(id);
        self.wait_for(id, "report");
    }

    /// The same without waiting.
    pub(crate) fn ask_for_ever(&mut self, id: u64) {
        let place = json!({ "game": "go:size=9" });
        let agent = "mcts:memory=20MB";
        self.say(&json!({ "id": id, "op": "search", "place": place, "agent": agent }).to_string());
    }

    /// A search that is over at once.
    pub(crate) fn ask_a_trifle(&mut self, id: u64) {
        let place = json!({ "game": "tictactoe", "moves": ["a1", "b2"] });
        let ask = json!({ "id": id, "op": "search", "place": place, "agent": "alphabeta" });
        self.say(&ask.to_string());
    }
}
