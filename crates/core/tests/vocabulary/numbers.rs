//! Random numbers, keys and amounts of memory.

use std::collections::HashSet;

use tussle_core::{Rng, mix, parse_bytes, zobrist};

/// The first outputs of `SplitMix64` from the seed 0, as published.
#[test]
fn mixing_is_splitmix64() {
    let step = 0x9e37_79b9_7f4a_7c15_u64;
    let outputs = [0, 1, 2].map(|i| mix(step.wrapping_mul(i)));
    let published = [0xe220_a839_7b1d_cdaf, 0x6e78_9e6a_a1b9_65f4, 0x06c4_5d18_8009_454f];
    assert_eq!(outputs, published);
    let keys = zobrist::<100>(3);
    assert_eq!(keys[7], mix(mix(3) ^ 7));
    assert_eq!(keys.iter().collect::<HashSet<_>>().len(), 100);
    assert_ne!(keys[0], zobrist::<1>(4)[0]);
}

/// The generator in wide arithmetic, from its published description (wyrand).
#[test]
fn random_numbers_are_those_of_wyrand() {
    let mut rng = Rng::new(42);
    let mut state = mix(42);
    let mut next = || {
        state = state.wrapping_add(0xa076_1d64_78bd_642f);
        let wide = u128::from(state) * u128::from(state ^ 0xe703_7ed1_a0b4_28db);
        (wide / (1 << 64)) as u64 ^ (wide % (1 << 64)) as u64
    };
    for _ in 0..100 {
        assert_eq!(rng.next_u64(), next());
    }
    for n in [1, 2, 10, 1000, usize::MAX] {
        let expected = (u128::from(next()) * n as u128 / (1 << 64)) as usize;
        assert_eq!(rng.below(n), expected);
    }
    for _ in 0..100 {
        let expected = (next() / 2048) as f64 / 9_007_199_254_740_992.0;
        assert_eq!(rng.unit(), expected);
    }
    let seeds =
        [Rng::derive(1, &[]), Rng::derive(1, &[0]), Rng::derive(2, &[0]), Rng::derive(1, &[0, 0])];
    for (i, a) in seeds.iter().enumerate() {
        assert!(seeds[..i].iter().all(|b| a != b));
    }
    assert_eq!(Rng::derive(9, &[]), Rng::new(mix(9)));
    assert_eq!(Rng::derive(9, &[4]), Rng::new(mix(mix(9) ^ mix(4))));
}

#[test]
fn every_order_is_shuffled_equally_often() {
    let mut rng = Rng::new(2);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..6000 {
        let mut items = [0, 1, 2];
        rng.shuffle(&mut items);
        *counts.entry(items).or_insert(0) += 1;
    }
    assert_eq!(counts.len(), 6);
    assert!(counts.values().all(|count| (880..1120).contains(count)), "{counts:?}");
    let mut one = [1];
    rng.shuffle(&mut one);
    rng.shuffle::<u8>(&mut []);
}

#[test]
fn amounts_of_memory_have_units() {
    for (text, bytes) in [
        ("1KB", 1000),
        ("2MB", 2_000_000),
        ("3GB", 3_000_000_000),
        ("1KiB", 1024),
        ("2MiB", 2_097_152),
        ("3GiB", 3_221_225_472),
        ("9223372036854775KB", 9_223_372_036_854_775_000),
    ] {
        assert_eq!(parse_bytes(text), Ok(bytes), "{text}");
    }
    for bad in [
        "",
        "1",
        "KB",
        "0KB",
        "1B",
        "-1KB",
        "1.5MB",
        "9223372036854776KB",
        "99999999999999999999KB",
    ] {
        let message = parse_bytes(bad).expect_err(bad).to_string();
        assert_eq!(message, "expected an amount of memory such as 500MB, 2GB or 64KB");
    }
}
