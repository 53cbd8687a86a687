//! Explaining.
