//! Check that the processor has the instructions for which this build was compiled; without them the
//! program would crash without a message.

/// Error of a processor that lacks instructions which this build assumes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "this build needs a processor with POPCNT and SSE4.2 (x86-64-v2, 2009 or later); \
     build it without the flags in .cargo/config.toml for older ones"
)]
pub(crate) struct OldProcessor;

/// Checks that this processor can run this build.
pub(crate) fn check() -> Result<(), OldProcessor> {
    if has_assumed_instructions() { Ok(()) } else { Err(OldProcessor) }
}

/// Returns true if this processor has the instructions that this build assumes.
///
/// `is_x86_feature_detected!` cannot be used here: it is always true for features that the build
/// assumes.
#[cfg(all(target_arch = "x86_64", target_feature = "popcnt"))]
fn has_assumed_instructions() -> bool {
    // Leaf 1, ECX: bit 20 is SSE4.2, bit 23 is POPCNT.
    let ecx = std::arch::x86_64::__cpuid(1).ecx;
    ecx >> 20 & ecx >> 23 & 1 == 1
}

#[cfg(not(all(target_arch = "x86_64", target_feature = "popcnt")))]
fn has_assumed_instructions() -> bool {
    true
}

/// The instructions that this build assumes.
pub(crate) const BUILT_FOR: &str = if cfg!(not(target_arch = "x86_64")) {
    "any such processor"
} else if cfg!(target_feature = "avx512f") {
    "x86-64-v4"
} else if cfg!(target_feature = "avx2") {
    "x86-64-v3"
} else if cfg!(target_feature = "popcnt") {
    "x86-64-v2"
} else {
    "x86-64-v1, without POPCNT: several times slower"
};

/// The level of this processor, as compilers count them.
#[cfg(target_arch = "x86_64")]
pub(crate) fn level() -> &'static str {
    let v2 = is_x86_feature_detected!("popcnt") && is_x86_feature_detected!("sse4.2");
    let v3 = v2
        && is_x86_feature_detected!("avx2")
        && is_x86_feature_detected!("bmi1")
        && is_x86_feature_detected!("bmi2")
        && is_x86_feature_detected!("fma")
        && is_x86_feature_detected!("lzcnt")
        && is_x86_feature_detected!("movbe");
    let v4 = v3
        && is_x86_feature_detected!("avx512f")
        && is_x86_feature_detected!("avx512bw")
        && is_x86_feature_detected!("avx512cd")
        && is_x86_feature_detected!("avx512dq")
        && is_x86_feature_detected!("avx512vl");
    match (v2, v3, v4) {
        (_, _, true) => "x86-64-v4",
        (_, true, _) => "x86-64-v3",
        (true, ..) => "x86-64-v2",
        _ => "x86-64-v1",
    }
}

#[cfg(not(target_arch = "x86_64"))]
pub(crate) fn level() -> &'static str {
    std::env::consts::ARCH
}
