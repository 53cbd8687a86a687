//! The server: where it listens, what it answers, how it ends.

use std::io;
use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY};
use axum::http::{HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use tokio::sync::{Semaphore, watch};
use tussle_core::StopFlag;

use crate::hall::{DOWNLOADS, Hall};
use crate::refusal::Refusal;
use crate::slots::{Share, Slots};
use crate::visitor::Doors;
use crate::{Options, ServerLimits, assets, explain, guest, openapi};

/// How often we look whether somebody wants the server to end.
const LOOK: Duration = Duration::from_millis(50);

/// Questions that are worked on at once.
const QUESTIONS: usize = 16;

/// Threads that accept connections and write answers.
const WORKERS: usize = 2;

/// The stack of a thread: the longest games have some thousand plies.
const STACK: usize = 64 << 20;

/// What pages keep is counted in these.
pub(crate) const KB: usize = 1 << 10;

/// How long searches and games get to end after that.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Everything comes from this server, and nothing is written into the page as code.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

/// Why there is no server.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is taken, or not ours.
    #[error("cannot listen on {address}: {why}")]
    Listen {
        /// Where.
        address: SocketAddr,
        /// Why not.
        why: io::Error,
    },
    /// The system refuses threads or sockets.
    #[error("cannot serve: {0}")]
    Serve(#[from] io::Error),
}

/// A server that listens, and answers once it is run.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    options: Options,
}

/// What all requests share.
pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) doors: Doors,
    /// Who may search when.
    pub(crate) slots: Arc<Slots>,
    /// What scripts may have of that, all together.
    pub(crate) scripts: Share,
    /// Reviews that are under way, also those that let others search first: each keeps its tables.
    pub(crate) reviews: Share,
    /// One for every explanation that is made or on its way.
    pub(crate) answers: Arc<Semaphore>,
    /// Bytes that pages keep between their moves.
    pub(crate) kept: Arc<Semaphore>,
    /// One for every program that may run.
    pub(crate) programs: Arc<Semaphore>,
    /// One for every page that may be connected.
    pub(crate) sessions: Arc<Semaphore>,
    /// True once the server is to end.
    pub(crate) ending: watch::Receiver<bool>,
    /// Its tournaments.
    pub(crate) hall: Hall,
}

impl Server {
    /// Begins to listen.
    ///
    /// # Errors
    /// If it cannot.
    pub fn bind(options: Options) -> Result<Self, ServeError> {
        let address = SocketAddr::new(options.address, options.port);
        let listen = |address| {
            let listener = TcpListener::bind(address)?;
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        };
        let (listener, address) =
            listen(address).map_err(|why| ServeError::Listen { address, why })?;
        Ok(Self { listener, address, options })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers until the flag is raised; then all searches are stopped.
    ///
    /// # Errors
    /// If the system refuses threads or sockets.
    pub fn run(self, stop: &StopFlag) -> Result<(), ServeError> {
        can_start_threads(WORKERS + 1)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(WORKERS)
            // All searches run there, reviews that let others search first, downloads that wait for
            // their readers, and beside them some questions.
            .max_blocking_threads(2 * self.options.limits.searches + DOWNLOADS + QUESTIONS)
            // Searches call themselves for every ply. Of a stack only what is used takes memory.
            .thread_stack_size(STACK)
            .thread_name("tussle-web")
            .enable_all()
            .build()?;
        let (end, ending) = watch::channel(false);
        let limits = self.options.limits.clone();
        let slots = Arc::new(Slots::new(&limits));
        let shared = Arc::new(Shared {
            doors: Doors::new(self.address, &self.options.hosts),
            slots: slots.clone(),
            scripts: Share::new(limits.searches.div_ceil(2)),
            reviews: Share::new(limits.searches),
            answers: Arc::new(Semaphore::new(explain::answer::MOST)),
            kept: Arc::new(Semaphore::new(limits.kept.div_ceil(KB).min(Semaphore::MAX_PERMITS))),
            programs: Arc::new(Semaphore::new(limits.programs)),
            sessions: Arc::new(Semaphore::new(limits.sessions)),
            hall: Hall::new(&self.options),
            options: self.options,
            ending,
        });
        let served: io::Result<()> = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            tokio::select! {
                () = guest::receive(listener, router(&shared), &limits) => Ok(()),
                () = raised(stop) => Ok(()),
            }
        });
        let _ = end.send(true);
        slots.stop_all();
        shared.hall.end(LAST_WORDS);
        runtime.shutdown_timeout(LAST_WORDS);
        Ok(served?)
    }
}

/// Fails if the system refuses this many threads at once: the runtime would panic.
fn can_start_threads(count: usize) -> io::Result<()> {
    let start = |_| {
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let wait = move || {
            let _ = ended.recv(); // nothing is sent: this is the end of the other side
        };
        let thread = std::thread::Builder::new().stack_size(STACK);
        thread.spawn(wait).map(|thread| (end, thread))
    };
    let started: io::Result<Vec<_>> = (0..count).map(start).collect();
    for (end, thread) in started? {
        drop(end);
        let _ = thread.join();
    }
    Ok(())
}

async fn raised(stop: &StopFlag) {
    while !stop.is_stopped() {
        tokio::time::sleep(LOOK).await;
    }
}

fn router(shared: &Arc<Shared>) -> Router {
    let (api, _) = openapi::routes();
    Router::new()
        .route("/", get(assets::index))
        .route("/assets/{name}", get(assets::file))
        .route("/explain", get(explain::page))
        .merge(api)
        .fallback(async || Refusal::missing("there is no such page; the board is at /"))
        .method_not_allowed_fallback(async || {
            let why = "not in this way; /api/openapi.json tells how";
            Refusal { status: StatusCode::METHOD_NOT_ALLOWED, ..Refusal::wrong(why) }
        })
        .layer(from_fn_with_state(shared.clone(), door))
        .with_state(shared.clone())
}

/// Before every answer: who asks. After it: what a browser may do with it.
async fn door(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let admitted = match shared.doors.check(&request) {
        Ok(()) => whole(request, &shared.options.limits).await,
        Err(refusal) => Err(refusal),
    };
    let mut response = match admitted {
        Ok(request) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    let sniff = HeaderName::from_static("x-content-type-options");
    headers.insert(sniff, HeaderValue::from_static("nosniff"));
    response
}

/// The request with all of its body, which must not be long, nor long in coming.
async fn whole(request: Request, limits: &ServerLimits) -> Result<Request, Refusal> {
    let (head, body) = request.into_parts();
    let read = tokio::time::timeout(limits.patience, to_bytes(body, limits.message)).await;
    let refuse = |status, why: &str| Refusal { status, ..Refusal::wrong(why) };
    let body = read
        .map_err(|_| refuse(StatusCode::REQUEST_TIMEOUT, "the request takes too long to arrive"))?
        .map_err(|_| {
            let why = format!("a request has {} KB at most", limits.message / KB);
            refuse(StatusCode::PAYLOAD_TOO_LARGE, &why)
        })?;
    Ok(Request::from_parts(head, Body::from(body)))
}
