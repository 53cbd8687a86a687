//! WebSocket for long tasks, which end with their page.
//!
//! Every message is one JSON object. A page sends `{"id": 7, "op": "search", …}` and receives messages
//! `{"id": 7, "event": …}`, the last with the event `done` or `error`. `{"id": 7, "op": "stop"}` ends the task early.

pub(crate) mod heat;
mod players;
mod rate_limiter;
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

use crate::api_error::ApiError;
use crate::server::Shared;
use crate::slots::Share;
use heat::{HeatMaps, HeatRequest};
use players::PlayerCache;
use rate_limiter::RateLimiter;
use review::ReviewRequest;
use search::Search;
use tree::TreeRequest;

/// Maximum number of messages that wait for a slow page. From half of it, progress messages are left out.
const MAX_WAITING_MESSAGES: usize = 32;

/// Maximum number of consecutive pings that a page may leave unanswered.
const MAX_MISSED_PINGS: u32 = 3;

/// Maximum number of tasks of one page at the same time.
const MAX_TASKS: usize = 8;

/// Maximum number of players that a page keeps between its searches.
const MAX_KEPT_PLAYERS: usize = 4;

/// Maximum total size in bytes of the requests of a page's current tasks.
const MAX_REQUEST_BYTES: usize = 1 << 20;

/// Error of a search in a position in which chance is to move.
pub(crate) const CHANCE_IS_TO_MOVE: &str =
    "chance is to move in this position: roll or choose an outcome first";

/// Request of a page; `op` has the name of a variant.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum PageRequest {
    /// Search a position, with intermediate reports.
    Search(Box<Search>),
    /// Show the tree of an MCTS search.
    Tree(Box<TreeRequest>),
    /// Report the progress of a tournament until it ends.
    Watch(watch::Watch),
    /// Change the heat map of a search.
    Heat(HeatRequest),
    /// Review every move of a game.
    Review(Box<ReviewRequest>),
    /// End a task; its result so far is the answer.
    Stop {},
}

/// Sender of one task's messages to its page.
#[derive(Clone)]
pub(crate) struct TaskSender {
    pub(crate) id: u64,
    sender: mpsc::Sender<String>,
}

/// Message to a page.
#[derive(Serialize)]
struct Message<'a, T> {
    id: u64,
    event: &'a str,
    #[serde(flatten)]
    body: &'a T,
}

/// Message that a task waits for a search slot.
#[derive(Serialize, ToSchema)]
pub(crate) struct QueueNotice {}

/// Error of a task.
#[derive(Serialize, ToSchema)]
pub(crate) struct Failure {
    /// Message for people.
    error: String,
    /// True if the request, repeated with `confirmed`, may start its program.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    confirm: Option<bool>,
}

impl From<ApiError> for Failure {
    fn from(error: ApiError) -> Self {
        let confirm = error.is_unconfirmed().then_some(true);
        Self { error: error.message, confirm }
    }
}

impl TaskSender {
    /// Returns a message as JSON text.
    pub(crate) fn text(&self, event: &str, body: &impl Serialize) -> Result<String, ApiError> {
        serde_json::to_string(&Message { id: self.id, event, body }).map_err(ApiError::internal)
    }

    /// Sends a progress message, or drops it if the page is slow.
    pub(crate) fn progress(&self, event: &str, body: &impl Serialize) {
        if self.sender.capacity() > MAX_WAITING_MESSAGES / 2
            && let Ok(text) = self.text(event, body)
        {
            let _ = self.sender.try_send(text);
        }
    }

    /// Sends a final message; blocks the thread while the page is slow. Only for blocking threads.
    pub(crate) fn send_blocking(&self, text: String) {
        let _ = self.sender.blocking_send(text);
    }

    /// Sends a final message, waiting while the page is slow.
    pub(crate) async fn send(&self, text: String) {
        let _ = self.sender.send(text).await;
    }

    /// Serializes and sends a final message.
    pub(crate) async fn send_event(&self, event: &str, body: &impl Serialize) {
        match self.text(event, body) {
            Ok(text) => self.send(text).await,
            Err(error) => self.send_error(error),
        }
    }

    /// Sends an error without waiting, or drops it if the queue is full.
    ///
    /// The loop of the session calls this and is the only one to empty the queue, so it must not wait for free space.
    fn send_error(&self, error: ApiError) {
        if let Ok(text) = self.text("error", &Failure::from(error)) {
            let _ = self.sender.try_send(text);
        }
    }
}

/// Running task. Dropping it ends the task.
struct Task {
    /// Unique number, which distinguishes this task from a later one with the same id.
    number: u64,
    /// Size of its request.
    bytes: usize,
    stop: StopFlag,
    abort: AbortHandle,
}

impl Drop for Task {
    fn drop(&mut self) {
        self.stop.stop();
        self.abort.abort(); // if it still waits for a slot
    }
}

/// Open a WebSocket for long tasks
///
/// `x-websocket` describes its messages.
#[utoipa::path(
    get,
    path = "/live",
    operation_id = "live",
    responses((status = 101, description = "The connection is a WebSocket; each message is one JSON object.")),
)]
pub(crate) async fn connect(
    State(shared): State<Arc<Shared>>,
    headers: HeaderMap,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
) -> Result<Response, ApiError> {
    let upgrade = upgrade
        .map_err(|e| ApiError { status: e.status(), ..ApiError::bad_request(e.body_text()) })?;
    let limit = shared.options.limits.message;
    let Ok(permit) = shared.sessions.clone().try_acquire_owned() else {
        return Err(ApiError::busy("too many pages are connected to this server; close one"));
    };
    let upgrade = upgrade.max_message_size(limit).max_frame_size(limit);
    Ok(upgrade.on_upgrade(async move |socket| {
        Session::new(shared, &headers).run(socket).await;
        drop(permit);
    }))
}

/// Resources of the server that belong to one page.
#[derive(Clone)]
pub(crate) struct Page {
    players: PlayerCache,
    /// Player of the latest tree request, kept so that a request for more simulations continues its tree.
    tree_players: PlayerCache,
    maps: HeatMaps,
    share: Share,
    /// True for pages in a browser. Their agents may come from an address that another site wrote.
    in_browser: bool,
}

impl Page {
    pub(crate) fn new(share: Share, headers: &HeaderMap) -> Self {
        let (players, tree_players) =
            (PlayerCache::with_capacity(MAX_KEPT_PLAYERS), PlayerCache::with_capacity(1));
        // Browsers send an `Origin` header with every WebSocket and every POST; scripts send none.
        let in_browser = headers.contains_key(ORIGIN);
        Self { players, tree_players, maps: HeatMaps::default(), share, in_browser }
    }
}

/// Connected page.
struct Session {
    shared: Arc<Shared>,
    page: Page,
    tasks: Arc<Mutex<HashMap<u64, Task>>>,
    next_number: AtomicU64,
    sender: mpsc::Sender<String>,
    receiver: mpsc::Receiver<String>,
    rate: RateLimiter,
}

impl Session {
    fn new(shared: Arc<Shared>, headers: &HeaderMap) -> Self {
        let (sender, receiver) = mpsc::channel(MAX_WAITING_MESSAGES);
        let limits = &shared.options.limits;
        let rate = RateLimiter::new(limits.rate);
        let page = Page::new(Share::new(limits.share), headers);
        Self {
            shared,
            page,
            tasks: Arc::default(),
            next_number: AtomicU64::new(0),
            sender,
            receiver,
            rate,
        }
    }

    async fn run(mut self, mut socket: WebSocket) {
        let mut ending = self.shared.ending.clone();
        let mut pulse = tokio::time::interval(self.shared.options.limits.pulse);
        let mut missed_pings = 0;
        loop {
            tokio::select! {
                // First check for the end of the server: it stops all searches, and their partial results must not be sent.
                biased;
                () = server_end(&mut ending) => break,
                _ = pulse.tick() => {
                    missed_pings += 1;
                    let ping = ws::Message::Ping(Bytes::new());
                    if missed_pings > MAX_MISSED_PINGS || socket.send(ping).await.is_err() {
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
                    missed_pings = 0;
                    if !self.rate.allows() {
                        let frame = CloseFrame {
                            code: close_code::POLICY,
                            reason: "too many messages per second".into(),
                        };
                        let _ = socket.send(ws::Message::Close(Some(frame))).await;
                        break;
                    }
                    match message {
                        ws::Message::Text(text) => self.handle(text.as_str()),
                        ws::Message::Binary(_) => {
                            let error = "expected a text message with a JSON object, found a binary message";
                            self.sender(0).send_error(ApiError::bad_request(error));
                        }
                        ws::Message::Ping(_) | ws::Message::Pong(_) => {}
                        ws::Message::Close(_) => break,
                    }
                }
            }
        }
        // End the tasks and the external programs of the page. Ending programs takes a moment.
        self.tasks.lock().unwrap_or_else(PoisonError::into_inner).clear();
        tokio::task::spawn_blocking(move || drop(self.page));
    }

    fn sender(&self, id: u64) -> TaskSender {
        TaskSender { id, sender: self.sender.clone() }
    }

    /// Parses a message and starts the requested task.
    fn handle(&self, text: &str) {
        let (id, request) = match parse(text) {
            Ok(parsed) => parsed,
            Err(error) => return self.sender(error.id()).send_error(ApiError::bad_request(error)),
        };
        let (out, bytes) = (self.sender(id), text.len());
        match request {
            PageRequest::Stop {} => {
                let tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some(task) = tasks.get(&id) {
                    task.stop.stop();
                }
            }
            PageRequest::Search(search) => {
                let (shared, page) = (self.shared.clone(), self.page.clone());
                self.start(out, bytes, |out, stop| search.run(shared, page, out, stop));
            }
            PageRequest::Tree(tree) => {
                let (shared, share) = (self.shared.clone(), self.page.share.clone());
                let players = self.page.tree_players.clone();
                self.start(out, bytes, |out, stop| tree.run(shared, share, players, out, stop));
            }
            PageRequest::Watch(watch) => {
                let shared = self.shared.clone();
                self.start(out, bytes, |out, stop| watch.run(shared, out, stop));
            }
            PageRequest::Heat(change) => {
                let maps = self.page.maps.clone();
                self.start(out, bytes, |out, _| change.run(maps, out));
            }
            PageRequest::Review(review) => {
                let (shared, share) = (self.shared.clone(), self.page.share.clone());
                self.start(out, bytes, |out, stop| review.run(shared, share, out, stop));
            }
        }
    }

    /// Starts a task with the id of `out`, and ends the task that had this id.
    fn start<F>(&self, out: TaskSender, bytes: usize, task: impl FnOnce(TaskSender, StopFlag) -> F)
    where
        F: Future<Output = Result<(), ApiError>> + Send + 'static,
    {
        let mut tasks = self.tasks.lock().unwrap_or_else(PoisonError::into_inner);
        tasks.remove(&out.id);
        let requested: usize = tasks.values().map(|task| task.bytes).sum();
        if tasks.len() >= MAX_TASKS || requested + bytes > MAX_REQUEST_BYTES {
            return out.send_error(ApiError::busy(format!(
                "too many tasks: a page may run at most {MAX_TASKS} at the same time, with requests of 1 MB in total"
            )));
        }
        let stop = StopFlag::default();
        let work = task(out.clone(), stop.clone());
        let (id, all) = (out.id, self.tasks.clone());
        let number = self.next_number.fetch_add(1, Ordering::Relaxed);
        let handle = tokio::spawn(async move {
            if let Err(error) = work.await {
                out.send_event("error", &Failure::from(error)).await;
            }
            let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
            // Another task may have the id by now.
            if all.get(&id).is_some_and(|task| task.number == number) {
                all.remove(&id);
            }
        });
        tasks.insert(id, Task { number, bytes, stop, abort: handle.abort_handle() });
    }
}

async fn server_end(ending: &mut Receiver<bool>) {
    // An error means that the server has ended.
    let _ = ending.wait_for(|ends| *ends).await;
}

/// Error of an invalid message.
#[derive(Debug, thiserror::Error)]
enum MessageError {
    #[error("expected a JSON object: {0}")]
    NotAnObject(#[source] serde_json::Error),
    #[error("expected a message with an `id`, a whole number")]
    NoId,
    #[error("expected a message with an `op`, a string")]
    NoOp { id: u64 },
    #[error("invalid message: {path}{source}")]
    Content { id: u64, path: String, source: serde_json::Error },
}

impl MessageError {
    /// Returns the id with which the error is answered; 0 if the message has none.
    fn id(&self) -> u64 {
        match self {
            Self::NotAnObject(_) | Self::NoId => 0,
            Self::NoOp { id } | Self::Content { id, .. } => *id,
        }
    }
}

/// Parses a message: returns its id and the request.
fn parse(text: &str) -> Result<(u64, PageRequest), MessageError> {
    let mut fields: Map<String, Value> =
        serde_json::from_str(text).map_err(MessageError::NotAnObject)?;
    let id = fields.remove("id").and_then(|id| id.as_u64()).ok_or(MessageError::NoId)?;
    let Some(Value::String(op)) = fields.remove("op") else {
        return Err(MessageError::NoOp { id });
    };
    // Use the representation that serde expects for an enum, so that errors have the path of the wrong field.
    let request = Value::Object(Map::from_iter([(op.clone(), Value::Object(fields))]));
    let request = serde_path_to_error::deserialize(request).map_err(|error| {
        let path = error.path().to_string();
        let path = path.strip_prefix(&op).unwrap_or(&path).trim_start_matches('.');
        let path = if path.is_empty() { String::new() } else { format!("{path}: ") };
        MessageError::Content { id, path, source: error.into_inner() }
    })?;
    Ok((id, request))
}

/// Returns the sorted names of all ops, taken from the error about an unknown one.
#[cfg(test)]
pub(crate) fn ops_of_error() -> Vec<String> {
    let error = parse(r#"{"id": 1, "op": "unknown"}"#).err().map(|error| error.to_string());
    let error = error.unwrap_or_default();
    let (_, known) = error.split_once("expected one of").unwrap_or_default();
    let mut known: Vec<_> = known.split('`').skip(1).step_by(2).map(str::to_owned).collect();
    known.sort();
    known
}

#[cfg(test)]
mod tests {
    use super::parse;

    fn error(text: &str) -> String {
        parse(text).err().unwrap().to_string()
    }

    #[test]
    fn an_error_names_the_path_of_the_wrong_field() {
        let moves = r#"{"id": 1, "op": "search", "agent": "mcts", "place": {"game": "go", "moves": ["C3", 4]}}"#;
        assert_eq!(
            error(moves),
            "invalid message: place.moves[1]: invalid type: integer `4`, expected a string"
        );
        let clock = r#"{"id": 1, "op": "search", "agent": "mcts", "place": {"game": "go"}, "clock": {"terms": "x", "used_ms": []}}"#;
        assert!(error(clock).starts_with("invalid message: clock.terms: "), "{}", error(clock));
        let unknown = r#"{"id": 1, "op": "review", "place": {"gmae": "go"}}"#;
        assert!(
            error(unknown).starts_with("invalid message: place.gmae: unknown field `gmae`"),
            "{}",
            error(unknown)
        );
        let missing = r#"{"id": 1, "op": "watch"}"#;
        assert_eq!(error(missing), "invalid message: missing field `tournament`");
        assert_eq!(error(r#"{"id": 1}"#), "expected a message with an `op`, a string");
    }
}
