//! The server from outside: requests byte by byte, and a WebSocket client that need not behave.

mod client;
mod doors;
mod hostile;
mod openapi;
mod schema;
mod tasks;
mod tournaments;
