//! The server: listening, routing requests and shutting down.

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

use crate::allowed_hosts::AllowedHosts;
use crate::api_error::ApiError;
use crate::manager::{MAX_DOWNLOADS, TournamentManager};
use crate::slots::{Share, Slots};
use crate::{Options, ServerLimits, assets, connection, explain, openapi};

/// Interval at which the stop flag is checked.
const STOP_POLL_INTERVAL: Duration = Duration::from_millis(50);

/// Number of blocking threads for other requests.
const REQUEST_THREADS: usize = 16;

/// Number of threads that accept connections and write answers.
const IO_THREADS: usize = 2;

/// Stack size of a thread in bytes. Searches recurse for every ply, and the longest games have a few thousand plies.
const STACK_BYTES: usize = 64 << 20;

/// Bytes in a kilobyte, the unit in which memory of pages is counted.
pub(crate) const KB: usize = 1 << 10;

/// Time that searches and games get to end before the server exits.
const SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(2);

/// Content security policy of the page: it loads only from this server and has no inline scripts.
const POLICY: &str = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; \
                      connect-src 'self'; frame-ancestors 'self'; base-uri 'none'; form-action 'none'";

/// Error of a server that cannot start or run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The address is in use or does not belong to this machine.
    #[error("cannot listen on {address}: {source}")]
    Listen {
        /// Requested address.
        address: SocketAddr,
        /// Error of the system.
        source: io::Error,
    },
    /// The system refuses threads or sockets.
    #[error("cannot serve: {0}")]
    Serve(#[from] io::Error),
}

/// Web server. It listens from [`Server::bind`] on and answers while [`Server::run`] runs.
pub struct Server {
    listener: TcpListener,
    address: SocketAddr,
    options: Options,
}

/// State shared by all requests.
pub(crate) struct Shared {
    pub(crate) options: Options,
    pub(crate) allowed_hosts: AllowedHosts,
    /// Search slots.
    pub(crate) slots: Arc<Slots>,
    /// Share of the slots for all scripts together.
    pub(crate) scripts: Share,
    /// Share of the slots for all reviews together. A review holds it even while it yields, because it keeps its tables.
    pub(crate) reviews: Share,
    /// Permits for explanations that are being computed or sent.
    pub(crate) answers: Arc<Semaphore>,
    /// Permits, in kilobytes, for the memory that pages keep between searches.
    pub(crate) kept: Arc<Semaphore>,
    /// Permits to run an external program.
    pub(crate) programs: Arc<Semaphore>,
    /// Permits for connected pages.
    pub(crate) sessions: Arc<Semaphore>,
    /// True once the server shuts down.
    pub(crate) ending: watch::Receiver<bool>,
    /// Tournaments of the server.
    pub(crate) tournaments: TournamentManager,
}

impl Server {
    /// Creates a server that listens on the address of the options.
    ///
    /// # Errors
    /// If the server cannot listen on this address.
    pub fn bind(options: Options) -> Result<Self, ServeError> {
        let address = SocketAddr::new(options.address, options.port);
        let listen = |address| {
            let listener = TcpListener::bind(address)?;
            listener.set_nonblocking(true)?;
            let address = listener.local_addr()?;
            Ok((listener, address))
        };
        let (listener, address) =
            listen(address).map_err(|source| ServeError::Listen { address, source })?;
        Ok(Self { listener, address, options })
    }

    /// Returns the address on which the server listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Answers requests until the flag is raised, and then stops all searches and tournaments.
    ///
    /// # Errors
    /// If the system refuses threads or sockets.
    pub fn run(self, stop: &StopFlag) -> Result<(), ServeError> {
        can_start_threads(IO_THREADS + 1)?;
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(IO_THREADS)
            // Blocking threads run searches, reviews that yield, downloads to slow clients, and other requests.
            .max_blocking_threads(
                2 * self.options.limits.searches + MAX_DOWNLOADS + REQUEST_THREADS,
            )
            // Only the used part of a stack takes memory.
            .thread_stack_size(STACK_BYTES)
            .thread_name("tussle-web")
            .enable_all()
            .build()?;
        let (end, ending) = watch::channel(false);
        let limits = self.options.limits.clone();
        let slots = Arc::new(Slots::new(&limits));
        let shared = Arc::new(Shared {
            allowed_hosts: AllowedHosts::new(self.address, &self.options.hosts),
            slots: slots.clone(),
            scripts: Share::new(limits.searches.div_ceil(2)),
            reviews: Share::new(limits.searches),
            answers: Arc::new(Semaphore::new(explain::answer::MAX_ANSWERS)),
            kept: Arc::new(Semaphore::new(limits.kept.div_ceil(KB).min(Semaphore::MAX_PERMITS))),
            programs: Arc::new(Semaphore::new(limits.programs)),
            sessions: Arc::new(Semaphore::new(limits.sessions)),
            tournaments: TournamentManager::new(&self.options),
            options: self.options,
            ending,
        });
        let served: io::Result<()> = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            tokio::select! {
                () = connection::accept_all(listener, router(&shared), &limits) => Ok(()),
                () = until_raised(stop) => Ok(()),
            }
        });
        let _ = end.send(true);
        slots.stop_all();
        shared.tournaments.end(SHUTDOWN_TIMEOUT);
        runtime.shutdown_timeout(SHUTDOWN_TIMEOUT);
        Ok(served?)
    }
}

/// Returns an error if the system cannot start this many threads. Without this check, the runtime would panic.
fn can_start_threads(count: usize) -> io::Result<()> {
    let start = |_| {
        let (end, ended) = std::sync::mpsc::channel::<()>();
        let wait = move || {
            let _ = ended.recv(); // returns when the sender is dropped
        };
        let thread = std::thread::Builder::new().stack_size(STACK_BYTES);
        thread.spawn(wait).map(|thread| (end, thread))
    };
    let started: io::Result<Vec<_>> = (0..count).map(start).collect();
    for (end, thread) in started? {
        drop(end);
        let _ = thread.join();
    }
    Ok(())
}

async fn until_raised(stop: &StopFlag) {
    while !stop.is_stopped() {
        tokio::time::sleep(STOP_POLL_INTERVAL).await;
    }
}

fn router(shared: &Arc<Shared>) -> Router {
    let (api, _) = openapi::routes();
    Router::new()
        .route("/", get(assets::index))
        .route("/assets/{name}", get(assets::file))
        .route("/explain", get(explain::page))
        .merge(api)
        .fallback(async || ApiError::not_found("no such page; the board is at /"))
        .method_not_allowed_fallback(async || {
            let message = "wrong HTTP method for this path; see /api/openapi.json";
            ApiError { status: StatusCode::METHOD_NOT_ALLOWED, ..ApiError::bad_request(message) }
        })
        .layer(from_fn_with_state(shared.clone(), guard))
        .with_state(shared.clone())
}

/// Middleware of all routes: rejects requests of other sites and too large bodies, and adds security headers to the answer.
async fn guard(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let checked = match shared.allowed_hosts.check(&request) {
        Ok(()) => read_body(request, &shared.options.limits).await,
        Err(error) => Err(error),
    };
    let mut response = match checked {
        Ok(request) => next.run(request).await,
        Err(error) => error.into_response(),
    };
    let headers = response.headers_mut();
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    let sniff = HeaderName::from_static("x-content-type-options");
    headers.insert(sniff, HeaderValue::from_static("nosniff"));
    response
}

/// Reads the body of a request, with a limit on its size and on the time it takes to arrive.
async fn read_body(request: Request, limits: &ServerLimits) -> Result<Request, ApiError> {
    let (head, body) = request.into_parts();
    let read = tokio::time::timeout(limits.patience, to_bytes(body, limits.message)).await;
    let error = |status, message: &str| ApiError { status, ..ApiError::bad_request(message) };
    let body = read
        .map_err(|_| error(StatusCode::REQUEST_TIMEOUT, "the request did not arrive in time"))?
        .map_err(|_| {
            let message = format!("request body: expected at most {} KB", limits.message / KB);
            error(StatusCode::PAYLOAD_TOO_LARGE, &message)
        })?;
    Ok(Request::from_parts(head, Body::from(body)))
}
