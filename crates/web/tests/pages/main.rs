//! The pages in a real browser. One program for all of them: linking is what tests cost.

mod analyse;
mod board;
mod colours;
mod explain;
mod fallback;
mod net;
mod play;
mod served;
mod tournaments;
