//! Colours of the light and the dark theme.
//!
//! The players' colours are based on the palette of Okabe and Ito: blue, vermilion, bluish green, reddish purple, yellow,
//! sky blue, black. They are made darker or lighter until they stand out from the board. The tests check the distances
//! between them, for people with and without colour blindness.

use std::fmt;

use tussle_core::Ink;

/// Colour theme: light or dark.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Theme {
    /// Dark pieces on a warm, light board.
    #[default]
    Light,
    /// Bright pieces on a deep grey board.
    Dark,
}

/// Colour, printed as `#rrggbb`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Rgb(
    /// Red.
    pub u8,
    /// Green.
    pub u8,
    /// Blue.
    pub u8,
);

impl fmt::Display for Rgb {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{:02x}{:02x}{:02x}", self.0, self.1, self.2)
    }
}

/// Number of different player colours; further players reuse them from the first.
pub(crate) const PLAYERS: usize = 8;

/// Colours of one theme.
struct Palette {
    background: Rgb,
    board: Rgb,
    board_alt: Rgb,
    grid: Rgb,
    blocked: Rgb,
    text: Rgb,
    faint: Rgb,
    accent: Rgb,
    players: [Rgb; PLAYERS],
    on_player: Rgb,
    /// Opacity of a player's colour over the board in its trail.
    trail: f32,
    /// Colours of a bad, a middling and a good move. Good stands out most from the board.
    heat: [Rgb; 3],
}

#[expect(clippy::unreadable_literal, reason = "rrggbb is how colours are written")]
const LIGHT: Palette = Palette {
    background: hex(0xfcfaf6),
    board: hex(0xf5ecda),
    board_alt: hex(0xede0c8),
    grid: hex(0xbfad8e),
    blocked: hex(0xa3998a),
    text: hex(0x2a2520),
    faint: hex(0x665d51),
    accent: hex(0xa87000),
    players: [
        hex(0x0b4f94), // blue
        hex(0xc84e00), // vermilion
        hex(0x07755f), // green
        hex(0xb5508f), // reddish purple
        hex(0x864300), // brown, a yellow dark enough for this board
        hex(0x1879c3), // sky blue
        hex(0x26221e), // black
        hex(0x524561), // slate
    ],
    on_player: hex(0xffffff),
    trail: 0.4,
    heat: [hex(0xf2bfaa), hex(0xb4c078), hex(0x0c7772)],
};

#[expect(clippy::unreadable_literal, reason = "rrggbb is how colours are written")]
const DARK: Palette = Palette {
    background: hex(0x17191c),
    board: hex(0x2a2d32),
    board_alt: hex(0x343840),
    grid: hex(0x555b64),
    blocked: hex(0x0b0c0e),
    text: hex(0xf3f0ea),
    faint: hex(0xa9acb1),
    accent: hex(0xf2c14e),
    players: [
        hex(0x86c8f4), // sky blue
        hex(0xe8681c), // vermilion
        hex(0x5fce9a), // green
        hex(0xc2769a), // reddish purple
        hex(0xf5e25c), // yellow
        hex(0x4a91e8), // blue
        hex(0xf2f0ec), // white, for black
        hex(0xf8a400), // orange
    ],
    on_player: hex(0x111111),
    trail: 0.33,
    heat: [hex(0x703a40), hex(0x68703b), hex(0x34a389)],
};

/// Stones are black and white in both themes; their outlines separate them from the board.
#[expect(clippy::unreadable_literal, reason = "rrggbb is how colours are written")]
const BLACK_STONE: Rgb = hex(0x23201d);
#[expect(clippy::unreadable_literal, reason = "rrggbb is how colours are written")]
const WHITE_STONE: Rgb = hex(0xfcfbf7);

impl Theme {
    /// Returns the colour of an ink.
    pub fn ink(self, ink: Ink) -> Rgb {
        let palette = self.palette();
        match ink {
            Ink::Background => palette.background,
            Ink::Board => palette.board,
            Ink::BoardAlt => palette.board_alt,
            Ink::Grid => palette.grid,
            Ink::Blocked => palette.blocked,
            Ink::Text => palette.text,
            Ink::Faint => palette.faint,
            Ink::Player(p) => palette.players[usize::from(p) % PLAYERS],
            Ink::Stone(0) => BLACK_STONE,
            Ink::Stone(_) => WHITE_STONE,
            Ink::Trail(p) => blend(palette.board, self.ink(Ink::Player(p)), palette.trail),
            Ink::OnPlayer(_) => palette.on_player,
            Ink::Accent => palette.accent,
        }
    }

    /// Returns the heat colour of a move, from 0 (bad) to 1 (good). Values outside are clamped.
    ///
    /// Better moves stand out more from the board, in greyscale too.
    pub fn heat(self, heat: f32) -> Rgb {
        let [bad, middling, good] = self.palette().heat;
        let heat = heat.clamp(0.0, 1.0);
        if heat < 0.5 {
            blend(bad, middling, 2.0 * heat)
        } else {
            blend(middling, good, 2.0 * heat - 1.0)
        }
    }

    fn palette(self) -> &'static Palette {
        match self {
            Self::Light => &LIGHT,
            Self::Dark => &DARK,
        }
    }
}

const fn hex(rgb: u32) -> Rgb {
    Rgb((rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8)
}

/// Returns the colour of `top` over `bottom` at this opacity.
pub(crate) fn blend(bottom: Rgb, top: Rgb, opacity: f32) -> Rgb {
    let mix = |b: u8, t: u8| (f32::from(b) + (f32::from(t) - f32::from(b)) * opacity).round() as u8;
    Rgb(mix(bottom.0, top.0), mix(bottom.1, top.1), mix(bottom.2, top.2))
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::svg::HEAT_OPACITY;

    const THEMES: [Theme; 2] = [Theme::Light, Theme::Dark];
    const SURFACES: [Ink; 3] = [Ink::Background, Ink::Board, Ink::BoardAlt];

    fn linear(colour: Rgb) -> [f32; 3] {
        [colour.0, colour.1, colour.2].map(|c| {
            let c = f32::from(c) / 255.0;
            if c <= 0.040_45 { c / 12.92 } else { ((c + 0.055) / 1.055).powf(2.4) }
        })
    }

    /// Returns the relative luminance, from 0 (black) to 1 (white).
    fn luminance(colour: Rgb) -> f32 {
        let [r, g, b] = linear(colour);
        0.2126 * r + 0.7152 * g + 0.0722 * b
    }

    /// Returns the contrast ratio of the Web Content Accessibility Guidelines, 1 to 21.
    pub(crate) fn contrast(a: Rgb, b: Rgb) -> f32 {
        let (a, b) = (luminance(a) + 0.05, luminance(b) + 0.05);
        a.max(b) / a.min(b)
    }

    type Matrix = [[f32; 3]; 3];
    const NORMAL: Matrix = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    // Machado, Oliveira and Fernandes (2009) at full severity, on linear RGB.
    const DEUTERANOPIA: Matrix = [
        [0.367_322, 0.860_646, -0.227_968],
        [0.280_085, 0.672_501, 0.047_413],
        [-0.011_820, 0.042_940, 0.968_881],
    ];
    const PROTANOPIA: Matrix = [
        [0.152_286, 1.052_583, -0.204_868],
        [0.114_503, 0.786_281, 0.099_216],
        [-0.003_882, -0.048_116, 1.051_998],
    ];

    fn apply(matrix: Matrix, v: [f32; 3]) -> [f32; 3] {
        matrix.map(|row| row[0] * v[0] + row[1] * v[1] + row[2] * v[2])
    }

    /// Converts a colour to Oklab (Ottosson 2020), where equal distances look equally large. From black to white is 1;
    /// about 0.02 is just noticeable.
    fn oklab(colour: Rgb, sight: Matrix) -> [f32; 3] {
        let seen = apply(sight, linear(colour)).map(|c| c.clamp(0.0, 1.0));
        let cones = [
            [0.412_221_46, 0.536_332_55, 0.051_445_995],
            [0.211_903_5, 0.680_699_5, 0.107_396_96],
            [0.088_302_46, 0.281_718_85, 0.629_978_7],
        ];
        let lab = [
            [0.210_454_26, 0.793_617_8, -0.004_072_047],
            [1.977_998_5, -2.428_592_2, 0.450_593_7],
            [0.025_904_037, 0.782_771_77, -0.808_675_77],
        ];
        apply(lab, apply(cones, seen).map(f32::cbrt))
    }

    fn distance(a: Rgb, b: Rgb, sight: Matrix) -> f32 {
        let (a, b) = (oklab(a, sight), oklab(b, sight));
        (0..3).map(|i| (a[i] - b[i]).powi(2)).sum::<f32>().sqrt()
    }

    #[test]
    fn contrast_matches_the_guidelines() {
        let white = Rgb(255, 255, 255);
        assert!((contrast(Rgb(0, 0, 0), white) - 21.0).abs() < 0.001);
        // The well-known lightest grey that passes 4.5 on white.
        assert!(contrast(Rgb(0x76, 0x76, 0x76), white) >= 4.5);
        assert!(contrast(Rgb(0x77, 0x77, 0x77), white) < 4.5);
    }

    #[test]
    fn text_is_readable_on_every_surface() {
        for theme in THEMES {
            for ink in [Ink::Text, Ink::Faint] {
                for surface in SURFACES {
                    let ratio = contrast(theme.ink(ink), theme.ink(surface));
                    assert!(ratio >= 4.5, "{theme:?} {ink:?} on {surface:?}: {ratio}");
                }
            }
            for p in 0..PLAYERS as u8 {
                let piece = contrast(theme.ink(Ink::OnPlayer(p)), theme.ink(Ink::Player(p)));
                let trail = contrast(theme.ink(Ink::Text), theme.ink(Ink::Trail(p)));
                assert!(piece.min(trail) >= 4.5, "{theme:?} player {p}: {piece} {trail}");
            }
        }
    }

    #[test]
    fn pieces_and_accents_stand_out_from_the_board() {
        for theme in THEMES {
            let stones = contrast(theme.ink(Ink::Stone(0)), theme.ink(Ink::Stone(1)));
            assert!(stones > 10.0, "{stones}");
            for ink in (0..PLAYERS as u8).map(Ink::Player).chain([Ink::Accent]) {
                for surface in SURFACES {
                    let ratio = contrast(theme.ink(ink), theme.ink(surface));
                    assert!(ratio >= 3.0, "{theme:?} {ink:?} on {surface:?}: {ratio}");
                }
            }
        }
    }

    #[test]
    fn player_colours_differ_for_colour_blind_people_too() {
        for theme in THEMES {
            for a in 0..PLAYERS as u8 {
                for b in 0..a {
                    for (sight, least) in [(NORMAL, 0.1), (DEUTERANOPIA, 0.08), (PROTANOPIA, 0.08)]
                    {
                        let (ours, theirs) = (theme.ink(Ink::Player(a)), theme.ink(Ink::Player(b)));
                        let apart = distance(ours, theirs, sight);
                        assert!(apart >= least, "{theme:?}: {a} {ours}, {b} {theirs}: {apart}");
                    }
                }
            }
        }
    }

    #[test]
    fn the_first_two_players_differ_in_greyscale_too() {
        for theme in THEMES {
            let ratio = contrast(theme.ink(Ink::Player(0)), theme.ink(Ink::Player(1)));
            assert!(ratio >= 1.7, "{theme:?}: {ratio}");
        }
    }

    #[test]
    fn a_trail_lies_between_its_player_and_the_board() {
        for theme in THEMES {
            for p in 0..PLAYERS as u8 {
                let trail = theme.ink(Ink::Trail(p));
                let to_board = contrast(trail, theme.ink(Ink::Board));
                let to_piece = contrast(trail, theme.ink(Ink::Player(p)));
                assert!(to_board.min(to_piece) >= 1.4, "{theme:?} {p}: {to_board} {to_piece}");
            }
        }
    }

    #[test]
    fn better_moves_stand_out_more_from_the_board() {
        for theme in THEMES {
            let board = theme.ink(Ink::Board);
            let steps: Vec<f32> =
                (0..=20).map(|i| contrast(theme.heat(i as f32 / 20.0), board)).collect();
            assert!(steps.is_sorted(), "{theme:?}: {steps:?}");
            assert!(steps[20] > 2.0 * steps[0], "{theme:?}: {steps:?}");
            assert_eq!(theme.heat(-1.0), theme.heat(0.0));
            assert_eq!(theme.heat(7.0), theme.heat(1.0));
        }
    }

    #[test]
    fn pieces_and_labels_stay_visible_under_heat() {
        for theme in THEMES {
            for i in 0..=10 {
                let hot = |ink| blend(theme.ink(ink), theme.heat(i as f32 / 10.0), HEAT_OPACITY);
                for surface in [Ink::Board, Ink::BoardAlt] {
                    for p in 0..PLAYERS as u8 {
                        let ratio = contrast(hot(Ink::Player(p)), hot(surface));
                        assert!(ratio >= 1.4, "{theme:?} player {p} at heat {i}: {ratio}");
                    }
                    let label = contrast(theme.ink(Ink::Text), hot(surface));
                    assert!(label >= 4.5, "{theme:?} label at heat {i} on {surface:?}: {label}");
                }
            }
        }
    }
}
