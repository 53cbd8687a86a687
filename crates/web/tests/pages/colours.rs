//! Contrast of the colours in `style.css`.

use std::collections::HashMap;

const STYLE: &str = include_str!("../../assets/style.css");

/// Text colours with the backgrounds they are used on. WCAG requires a contrast of 4.5.
const TEXT_COLOURS: &[(&str, &str)] = &[
    ("ink", "background"),
    ("ink", "board"),
    ("ink", "alt"),
    ("faint", "background"),
    ("faint", "board"),
    ("accent", "background"),
    ("accent", "board"),
    ("on-accent", "accent"),
    ("bad", "background"),
    ("good", "background"),
    ("background", "ink"),
];

/// Returns the colours by name, with their light and dark values.
fn colours() -> HashMap<&'static str, [&'static str; 2]> {
    let named = |line: &'static str| {
        let (name, rest) = line.trim().strip_prefix("--")?.split_once(": light-dark(")?;
        let (light, dark) = rest.split_once(')')?.0.split_once(", ")?;
        Some((name, [light, dark]))
    };
    STYLE.lines().filter_map(named).collect()
}

/// Returns the relative luminance of a colour as defined by WCAG 2.2.
fn luminance(hex: &str) -> f64 {
    let number = u32::from_str_radix(hex.trim_start_matches('#'), 16).unwrap();
    let channel = |shift: u32| {
        let value = f64::from(number >> shift & 255) / 255.0;
        if value <= 0.04045 { value / 12.92 } else { ((value + 0.055) / 1.055).powf(2.4) }
    };
    0.2126 * channel(16) + 0.7152 * channel(8) + 0.0722 * channel(0)
}

fn contrast(a: &str, b: &str) -> f64 {
    let (a, b) = (luminance(a), luminance(b));
    (a.max(b) + 0.05) / (a.min(b) + 0.05)
}

#[test]
fn all_texts_are_readable_in_both_themes() {
    assert!((contrast("#ffffff", "#000000") - 21.0).abs() < 1e-9);
    assert!((contrast("#777777", "#ffffff") - 4.48).abs() < 0.01, "just too faint");
    let colours = colours();
    for (text, ground) in TEXT_COLOURS {
        for (text_is, ground_is) in colours[text].iter().zip(&colours[ground]) {
            let found = contrast(text_is, ground_is);
            assert!(found >= 4.5, "{text} {text_is} on {ground} {ground_is}: {found:.2}");
        }
    }
}
