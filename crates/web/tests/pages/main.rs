//! The pages in a real browser. One program for all of them: linking is what tests cost.

mod net;
mod play;
mod served;
