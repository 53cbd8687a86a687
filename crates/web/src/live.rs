//! The WebSocket: what takes time, and ends with its page.
//!
//! Every message is one JSON object. A page asks `{"id": 7, "op": "search", …}` and hears of it as
//! `{"id": 7, "event": …}` until `done` or `error`; `{"id": 7, "op": "stop"}` ends it sooner.

pub(crate) mod heat;
mod pace;
mod players;
pub(crate) mod review;
pub(crate) mod search;
pub(crate) mod tree;
pub(crate) mod watch;

use std::collections::HashMap;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::body::Bytes;
use axum::extract::State;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{self, CloseFrame, WebSocket, WebSocketUpgrade, close_code};
use axum::http::HeaderMap;
use axum::http::header::ORIGIN;
use axum::response::Response;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use tokio::sync::{mpsc, watch::Receiver};
use tokio::task::AbortHandle;
use tussle_core::StopFlag;
use utoipa::ToSchema;

use crate::refusal::Refusal;
use crate::server::Shared;
use crate::slots::Share;
use heat::{Change, Maps};
use pace::Pace;
use players::Players;
use review::Review;
use search::Search;
use tree::Explore;

/// Messages that wait for a slow page; news is left out when half as many do.
const WAITING: usize = 32;

/// Pulses without any sign of life after which a page is gone.
const PULSES: u32 = 3;

/// Tasks of one page that may run at once.
const TASKS: usize = 8;

/// Players a page keeps between its searches.
const KEPT: usize = 4;

/// Bytes of the messages that asked for them.
const ASKED: usize = 1 << 20;

/// Request of a page; the names are those of `op`.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Ask {
    /// Search a position, with news until it ends.
    Search(Box<Search>),
    /// Show the tree of a search by simulations.
    Tree(Box<Explore>),
    /// Hear of a tournament until it ends.
    Watch(watch::Watch),
    /// Another map of a search.
    Heat(Change),
    /// Look at every move of a game.
    Review(Box<Review>),
    /// End a task; what it has found so far is its answer.
    Stop {},
}

/// The way back to a page, for one task.
#[derive(Clone)]
pub(crate) struct Out {
    pub(crate) id: u64,
    sender: mpsc::Sender<String>,
}

/// A message to a page.
#[derive(Serialize)]
struct Message<'a, T> {
    id: u64,
    event: &'a str,
    #[serde(flatten)]
    body: &'a T,
}

/// Others search, and this task waits for its turn.
#[derive(Serialize, ToSchema)]
pub(crate) struct QueueNotice {}

/// Error of a task.
#[derive(Serialize, ToSchema)]
pub(crate) struct Failure {
    /// The reason, for people.
    error: String,
    /// True if the same search with `confirmed` may start its program.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    confirm: Option<bool>,
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        let confirm = refusal.is_unconfirmed().then_some(true);
        Self { error: refusal.why, confirm }
    }
}

impl Out {
    /// Returns a message.
    pub(crate) fn text(&self, event: &str, body: &impl Serialize) -> Result<String, Refusal> {
        serde_json::to_string(&Message { id: self.id, event, body }).map_err(Refusal::failed)
    }

    /// Sends news: left out if the page is slow.
    pub(crate) fn news(&self, event: &str, body: &impl Serialize) {
        if self.sender.capacity() > WAITING / 2
            && let Ok(text) = self.text(event, body)
        {
            let _ = self.sender.try_send(text);
        }
    }

    /// Sends an answer and waits for the page. From a thread of its own only.
    pub(crate) fn answer(&self, text: String) {
        let _ = self.sender.blocking_send(text);
    }

    /// Sends an answer where nothing may block.
    pub(crate) async fn send(&self, text: String) {
        let _ = self.sender.send(text).await;
    }

    /// Writes an answer and sends it.
    pub(crate) async fn say(&self, event: &str, body: &impl Serialize) {
        match self.text(event, body) {
            Ok(text) => self.send(text).await,
            Err(refusal) => self.complain(refusal),
        }
    }

    /// Says what was wrong with a message. Only the page's own loop empties the queue, so it cannot
    /// wait for room in it: a page that sends rubbish and does not read is not told.
    fn complain(&self, refusal: Refusal) {
        if let Ok(text) = self.text("error", &Failure::from(refusal)) {
            let _ = self.sender.try_send(text);
        }
    }
}

/// A task that ends when this is dropped.
struct Task {
    /// Tells it from a later one under the same id.
    number: u64,
    /// Of the message that asked for it.
    bytes: usize,
    stop: StopFlag,
    abort: AbortHandle,
}

impl Drop for Task {
    fn drop(&mut self) {
        self.stop.stop();
        self.abort.abort(); // if it still waits for its turn
    }
}

/// A WebSocket for what takes time
///
/// See x-websocket.
#[utoipa::path(
    get,
    path = "/live",
    operation_id = "live",
    responses((status = 101, description = "From now on one JSON object a message.")),
)]
pub(crate) async fn connect(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, Refusal> {
    let upgrade =
        upgrade.map_err(|e| Refusal { status: e.status(), ..Refusal::wrong(e.body_text()) })?;
    let limit = shared.options.limits.message;
    let Ok(permit) = shared.sessions.clone().try_acquire_owned() else {
        return Err(Refusal::busy("too many pages are connected; close one"));
    };
    let upgrade = upgrade.max_message_size(limit).max_frame_size(limit);
    Ok(upgrade.on_upgrade(async move |socket| {
        Session::new(shared, &headers).run(socket).await;
        drop(permit);
    }))
}

/// What a page has of the server.
#[derive(Clone)]
pub(crate) struct Page {
    players: Players,
    /// Whoever looks at a tree may want it to grow: the latest is kept.
    grown: Players,
    maps: Maps,
    share: Share,
    /// True for pages of a browser, whose agents may come from an address that another site wrote.
    in_browser: bool,
}

impl Page {
    pub(crate) fn new(share: Share, headers: &HeaderMap) -> Self {
        let (players, grown) = (Players::at_most(KEPT), Players::at_most(1));
        // Browsers send an origin with every socket and every POST; scripts send none.
        let in_browser = headers.contains_key(ORIGIN);
        Self { players, grown, maps: Maps::default(), share, in_browser }
    }
}

/// One page.
struct Session {
    shared: Arc<Shared>,
    page: Page,
    tasks: Arc<Mutex<HashMap<u64, Task>>>,
    begun: AtomicU64,
    sender: mpsc::Sender<String>,
    receiver: mpsc::Receiver<String>,
    pace: Pace,
}

impl Session {
    fn new(shared: Arc<Shared>, headers: &HeaderMap) -> Self {
        let (sender, receiver) = mpsc::channel(WAITING);
        let limits = &shared.options.limits;
        let pace = Pace::new(limits.rate);
        let page = Page::new(Share::new(limits.share), headers);
        Self {
            shared,
            page,
            tasks: Arc::default(),
            begun: AtomicU64::new(0),
            sender,
            receiver,
            pace,
        }
    }

    async fn run(mut self, mut socket: WebSocket) {
        let mut ending = self.shared.ending.clone();
        let mut pulse = tokio::time::interval(self.shared.options.limits.pulse);
        let mut unheard = 0;
        loop {
            tokio::select! {
                // What is found because the server ends is no answer.
                biased;
                () = ended(&mut ending) => break,
                _ = pulse.tick() => {
                    unheard += 1;
                    let ping = ws::Message::Ping(Bytes::new());
                    if unheard > PULSES || socket.send(ping).await.is_err() {
                        break;
                    }
                }
                text = self.receiver.recv() => {
                    let Some(text) = text else { break };
                    if socket.send(ws::Message::Text(text.into())).await.is_err() {
                        break;
                    }
                }
                message = socket.recv() => {
                    let Some(Ok(message)) = message else { break };
                    unheard = 0;
                    if !self.pace.allows() {
                        let frame = CloseFrame {
                            code: close_code::POLICY,
                            reason: "too many messages in a second".into(),
                        };
                        let _ = socket.send(ws::Message::Close(Some(frame))).await;
                        break;
                    }
                    match message {
                        ws::Message::Text(text) => self.hear(text.as_str()),
                        ws::Message::Binary(_) => {
                            let why = "messages are text: one JSON object each";
                            self.out(0).complain(Refusal::wrong(why));
                        }
                        ws::Message::Ping(_) | ws::Message::Pong(_) => {}
                        ws::Message::Close(_) => break,
                    }
                }
            }
        }
        // The tasks end with the page, and so do its programs, which takes a moment.
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).clear();
        tokio::task::spawn_blocking(move || drop(self.page));
    }

    fn out(&self, id: u64) -> Out {
        Out { id, sender: self.sender.clone() }
    }

    /// Reads a message and begins what it asks for.
    fn hear(&self, text: &str) {
        let (id, ask) = match read(text) {
            Ok(read) => read,
            Err(error) => return self.out(error.id()).complain(Refusal::wrong(error)),
        };
        let (out, bytes) = (self.out(id), text.len());
        match ask {
            Ask::Stop {} => {
                let tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(task) = tasks.get(&id) {
                    task.stop.stop();
                }
            }
            Ask::Search(search) => {
                let (shared, page) = (self.shared.clone(), self.page.clone());
                self.begin(out, bytes, |out, stop| search.run(shared, page, out, stop));
            }
            Ask::Tree(explore) => {
                let (shared, share) = (self.shared.clone(), self.page.share.clone());
                let grown = self.page.grown.clone();
                self.begin(out, bytes, |out, stop| explore.run(shared, share, grown, out, stop));
            }
            Ask::Watch(watch) => {
                let shared = self.shared.clone();
                self.begin(out, bytes, |out, stop| watch.run(shared, out, stop));
            }
            Ask::Heat(change) => {
                let maps = self.page.maps.clone();
                self.begin(out, bytes, |out, _| change.run(maps, out));
            }
            Ask::Review(review) => {
                let (shared, share) = (self.shared.clone(), self.page.share.clone());
                self.begin(out, bytes, |out, stop| review.run(shared, share, out, stop));
            }
        }
    }

    /// Begins a task under this number; one that ran under it ends.
    fn begin<F>(&self, out: Out, bytes: usize, task: impl FnOnce(Out, StopFlag) -> F)
    where
        F: Future<Output = Result<(), Refusal>> + Send + 'static,
    {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.remove(&out.id);
        let asked: usize = tasks.values().map(|task| task.bytes).sum();
        if tasks.len() >= TASKS || asked + bytes > ASKED {
            return out.complain(Refusal::busy("this page asks for too much at once"));
        }
        let stop = StopFlag::default();
        let work = task(out.clone(), stop.clone());
        let (id, all) = (out.id, self.tasks.clone());
        let number = self.begun.fetch_add(1, Ordering::Relaxed);
        let handle = tokio::spawn(async move {
            if let Err(refusal) = work.await {
                out.say("error", &Failure::from(refusal)).await;
            }
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            // Unless another task has the number by now.
            if all.get(&id).is_some_and(|task| task.number == number) {
                all.remove(&id);
            }
        });
        tasks.insert(id, Task { number, bytes, stop, abort: handle.abort_handle() });
    }
}

async fn ended(ending: &mut Receiver<bool>) {
    // An error means that the server is gone.
    let _ = ending.wait_for(|ends| *ends).await;
}

/// Error of a message that is not understood.
#[derive(Debug, thiserror::Error)]
enum MessageError {
    #[error("not a JSON object: {0}")]
    NotAnObject(#[source] serde_json::Error),
    #[error("a message needs an `id`, a whole number")]
    NoId,
    #[error("a message needs an `op`, a text")]
    NoOp { id: u64 },
    #[error("not understood: {place}{source}")]
    Content { id: u64, place: String, source: serde_json::Error },
}

impl MessageError {
    /// Returns the number under which the page hears of the error; 0 if the message has none.
    fn id(&self) -> u64 {
        match self {
            Self::NotAnObject(_) | Self::NoId => 0,
            Self::NoOp { id } | Self::Content { id, .. } => *id,
        }
    }
}

/// The number of a message and what it asks for.
fn read(text: &str) -> Result<(u64, Ask), MessageError> {
    let mut fields: Map<String, Value> =
        serde_json::from_str(text).map_err(MessageError::NotAnObject)?;
    let id = fields.remove("id").and_then(|id| id.as_u64()).ok_or(MessageError::NoId)?;
    let Some(Value::String(op)) = fields.remove("op") else {
        return Err(MessageError::NoOp { id });
    };
    // As serde names a variant, so that the path of a wrong field is known.
    let ask = Value::Object(Map::from_iter([(op.clone(), Value::Object(fields))]));
    let ask = serde_path_to_error::deserialize(ask).map_err(|error| {
        let path = error.path().to_string();
        let path = path.strip_prefix(&op).unwrap_or(&path).trim_start_matches('.');
        let place = if path.is_empty() { String::new() } else { format!("{path}: ") };
        MessageError::Content { id, place, source: error.into_inner() }
    })?;
    Ok((id, ask))
}

/// Returns the ops that the socket knows, sorted, as the error about an unknown one lists them.
#[cfg(test)]
pub(crate) fn ops_of_error() -> Vec<String> {
    let error = read(r#"{"id": 1, "op": "sing"}"#).err().map(|error| error.to_string());
    let error = error.unwrap_or_default();
    let (_, known) = error.split_once("expected one of").unwrap_or_default();
    let mut known: Vec<_> = known.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    known.sort();
    known
}

#[cfg(test)]
mod tests {
    use super::read;

    fn refused(text: &str) -> String {
        read(text).err().unwrap().to_string()
    }

    #[test]
    fn an_error_names_the_path_of_the_wrong_field() {
        let moves = r#"{"id": 1, "op": "search", "agent": "mcts", "place": {"game": "go", "moves": ["C3", 4]}}"#;
        assert_eq!(
            refused(moves),
            "not understood: place.moves[1]: invalid type: integer `4`, expected a string"
        );
        let clock = r#"{"id": 1, "op": "search", "agent": "mcts", "place": {"game": "go"}, "clock": {"terms": "x", "used_ms": []}}"#;
        assert!(refused(clock).starts_with("not understood: clock.terms: "), "{}", refused(clock));
        let unknown = r#"{"id": 1, "op": "review", "place": {"gmae": "go"}}"#;
        assert!(
            refused(unknown).starts_with("not understood: place.gmae: unknown field `gmae`"),
            "{}",
            refused(unknown)
        );
        let missing = r#"{"id": 1, "op": "watch"}"#;
        assert_eq!(refused(missing), "not understood: missing field `tournament`");
        assert_eq!(refused(r#"{"id": 1}"#), "a message needs an `op`, a text");
    }
}
