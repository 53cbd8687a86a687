//! Tests of the server over its sockets, also with requests and WebSocket messages that no browser would send.

mod allowed_hosts;
mod client;
mod hostile;
mod openapi;
mod schema;
mod tasks;
mod tournaments;
