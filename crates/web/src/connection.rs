//! Connections, with limits on their number and on slow clients.

use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore};
use tokio::time::{Sleep, sleep};

use crate::ServerLimits;

/// Maximum size of the head of a request in bytes.
const MAX_HEAD_BYTES: usize = 64 << 10;

/// Delay after a failed accept, which means that the system has run out of a resource.
const ACCEPT_RETRY_DELAY: Duration = Duration::from_millis(100);

/// Accepts and serves connections until the server ends. Connections beyond the limit wait in the queue of the system.
pub(crate) async fn accept_all(listener: TcpListener, router: Router, limits: &ServerLimits) {
    let room = Arc::new(Semaphore::new(limits.connections));
    let patience = limits.patience;
    while let Ok(permit) = room.clone().acquire_owned().await {
        let Ok((stream, _)) = listener.accept().await else {
            sleep(ACCEPT_RETRY_DELAY).await;
            continue;
        };
        let _ = stream.set_nodelay(true); // send small messages such as moves without delay
        let stream = WriteTimeoutStream { stream, timeout: None, patience, _permit: permit };
        let service = TowerToHyperService::new(router.clone());
        tokio::spawn(async move {
            let mut http = http1::Builder::new();
            http.timer(TokioTimer::new())
                .header_read_timeout(patience)
                .max_buf_size(MAX_HEAD_BYTES);
            // Ignore errors: the client notices that its connection ended.
            let _ = http.serve_connection(TokioIo::new(stream), service).with_upgrades().await;
        });
    }
}

/// Connection that fails if the client reads nothing for `patience`, so that answers for it do not pile up.
struct WriteTimeoutStream {
    stream: TcpStream,
    /// Timer that runs while nothing can be written.
    timeout: Option<Pin<Box<Sleep>>>,
    patience: Duration,
    _permit: OwnedSemaphorePermit,
}

impl WriteTimeoutStream {
    /// Returns the result of a write, or a timeout if nothing could be written for `patience`.
    fn with_timeout<T>(
        &mut self,
        context: &mut Context<'_>,
        written: Poll<io::Result<T>>,
    ) -> Poll<io::Result<T>> {
        if written.is_ready() {
            self.timeout = None;
            return written;
        }
        let patience = self.patience;
        let timeout = self.timeout.get_or_insert_with(|| Box::pin(sleep(patience)));
        timeout.as_mut().poll(context).map(|()| Err(io::ErrorKind::TimedOut.into()))
    }
}

impl AsyncRead for WriteTimeoutStream {
    fn poll_read(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(context, buffer)
    }
}

impl AsyncWrite for WriteTimeoutStream {
    fn poll_write(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(context, bytes);
        self.with_timeout(context, written)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
        parts: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(context, parts);
        self.with_timeout(context, written)
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(context)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(context)
    }
}
