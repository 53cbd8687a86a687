//! Under construction.

#[cfg_attr(not(test), allow(dead_code))] // until the list of games names it
mod tree_file;
