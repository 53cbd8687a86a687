//! Stub.
use tussle_core::Scene;
/// T
#[derive(Clone, Copy)]
pub enum Theme {
    /// L
    Light,
    /// D
    Dark,
}
/// s
pub fn svg(_: &Scene, _: Theme) -> String {
    String::new()
}
/// p
/// # Errors
/// x
pub fn png(_: &str, _: f32) -> Result<Vec<u8>, String> {
    Ok(vec![])
}
/// t
pub fn text(s: &Scene, _: bool) -> String {
    s.text()
}
