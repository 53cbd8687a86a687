//! Tests of the pages in a browser. They are one program, because linking takes most of the build time.

mod analyse;
mod board;
mod colours;
mod explain;
mod fallback;
mod net;
mod play;
mod served;
mod tournaments;
