//! The build assumes bit-counting instructions; a processor without them deserves a sentence,
//! not a crash.

/// Whether this processor can run this build.
///
/// `is_x86_feature_detected!` is of no use here: it answers yes at compile time for features
/// that the build assumes.
#[cfg(all(target_arch = "x86_64", target_feature = "popcnt"))]
pub(crate) fn check() -> Result<(), String> {
    // Leaf 1, ECX: bit 20 is SSE4.2, bit 23 is POPCNT.
    let ecx = std::arch::x86_64::__cpuid(1).ecx;
    if ecx >> 20 & ecx >> 23 & 1 == 1 {
        return Ok(());
    }
    Err("this build needs a processor with POPCNT and SSE4.2 (x86-64-v2, 2009 or later); \
         build it without the flags in .cargo/config.toml for older ones"
        .to_owned())
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "popcnt")))]
pub(crate) fn check() -> Result<(), String> {
    Ok(())
}
