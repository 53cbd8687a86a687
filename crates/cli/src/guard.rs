//! Arguments with which this executable starts itself as a guard.

/// Command that makes this executable a guard.
pub(crate) const GUARD: &str = "guard";
/// First argument of `guard` that makes it a program that answers at once, for benchmarks.
pub(crate) const INSTANT: &str = "--instant";
/// Argument of `guard`, without others, that makes it tell by its exit code whether namespaces are available.
pub(crate) const ISOLATES: &str = "--isolates";
