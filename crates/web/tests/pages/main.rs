//! The pages in a real browser. One program for all of them: linking is what tests cost.

mod analyse;
mod colours;
mod explain;
mod net;
mod play;
mod served;
mod tournaments;
