//! Arguments with which this executable starts itself.

/// Command by which this executable is a guard.
pub(crate) const GUARD: &str = "guard";
/// With this first, the command `guard` is not a guard but a program that answers at once.
pub(crate) const INSTANT: &str = "--instant";
/// With this alone, the command `guard` only tells, by its exit code, whether programs can have a namespace of their own.
pub(crate) const ISOLATES: &str = "--isolates";
