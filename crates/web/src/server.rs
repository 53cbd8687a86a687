//! The server: where it listens, what it answers, how it ends.

use std::net::{SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, Request, State};
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_SECURITY_POLICY, HeaderName, REFERRER_POLICY};
use axum::middleware::{Next, from_fn_with_state};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use tokio::sync::{Semaphore, watch};
use tussle_core::StopFlag;

use crate::hall::Hall;
use crate::refusal::Refusal;
use crate::visitor::Doors;
use crate::{Options, api, assets, live};

/// How often we look whether somebody wants the server to end.
const LOOK: Duration = Duration::from_millis(50);

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
        why: std::io::Error,
    },
    /// The system refuses threads or sockets.
    #[error("cannot serve: {0}")]
    Serve(#[from] std::io::Error),
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
    /// One for every search that may run.
    pub(crate) searches: Arc<Semaphore>,
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
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("tussle-web")
            .enable_all()
            .build()?;
        let (end, ending) = watch::channel(false);
        let shared = Arc::new(Shared {
            doors: Doors::new(self.address, &self.options.hosts),
            searches: Arc::new(Semaphore::new(self.options.limits.searches)),
            sessions: Arc::new(Semaphore::new(self.options.limits.sessions)),
            hall: Hall::new(&self.options),
            options: self.options,
            ending,
        });
        let served = runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let serving = axum::serve(listener, router(&shared)).into_future();
            tokio::select! {
                served = serving => served,
                () = raised(stop) => Ok(()),
            }
        });
        let _ = end.send(true);
        shared.hall.end(LAST_WORDS);
        runtime.shutdown_timeout(LAST_WORDS);
        Ok(served?)
    }
}

async fn raised(stop: &StopFlag) {
    while !stop.is_stopped() {
        tokio::time::sleep(LOOK).await;
    }
}

fn router(shared: &Arc<Shared>) -> Router {
    Router::new()
        .route("/", get(assets::index))
        .route("/assets/{name}", get(assets::file))
        .route("/live", get(live::connect))
        .nest("/api", api::routes())
        .fallback(async || Refusal::missing("there is no such page; the board is at /"))
        .layer(DefaultBodyLimit::max(shared.options.limits.message))
        .layer(from_fn_with_state(shared.clone(), door))
        .with_state(shared.clone())
}

/// Before every answer: who asks. After it: what a browser may do with it.
async fn door(State(shared): State<Arc<Shared>>, request: Request, next: Next) -> Response {
    let mut response = match shared.doors.check(request.headers()) {
        Ok(()) => next.run(request).await,
        Err(refusal) => refusal.into_response(),
    };
    let headers = response.headers_mut();
    headers.entry(CONTENT_SECURITY_POLICY).or_insert(HeaderValue::from_static(POLICY));
    headers.insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    let sniff = HeaderName::from_static("x-content-type-options");
    headers.insert(sniff, HeaderValue::from_static("nosniff"));
    response
}
