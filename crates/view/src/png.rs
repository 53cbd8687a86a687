//! Conversion of SVG to PNG.

use std::sync::{Arc, LazyLock};

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{ImageHrefResolver, Options, Tree, fontdb::Database};

/// Maximum number of pixels of a picture; rendering it takes 400 MB.
const MAX_PIXELS: f64 = 100e6;

/// Error of [`png`].
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum ViewError {
    /// The input is not valid SVG.
    #[error("the SVG cannot be read: {0}")]
    Svg(String),
    /// The scale is zero, negative or not finite.
    #[error("scale {0}: expected a number above 0, such as 2 for twice the size")]
    Scale(f32),
    /// The picture would have too many pixels.
    #[error(
        "a picture of {width:.0} x {height:.0} pixels is too large (the limit is 100 megapixels); \
         use a smaller scale"
    )]
    TooLarge {
        /// Width in pixels.
        width: f64,
        /// Height in pixels.
        height: f64,
    },
    /// The PNG could not be encoded.
    #[error("the PNG cannot be written: {0}")]
    Encode(String),
}

/// Renders an SVG and returns the bytes of a PNG file. `scale` is the number of pixels per pixel of the SVG.
///
/// Only the fonts embedded in this crate are used and no file is read, so the same SVG looks the
/// same on every machine.
///
/// # Errors
/// If the input is not valid SVG, the scale is not above 0, or the picture would exceed 100 megapixels.
///
/// ```
/// use tussle_view::{ViewError, png};
///
/// let square = r#"<svg xmlns="http://www.w3.org/2000/svg" width="8" height="8"/>"#;
/// assert!(png(square, 3.0)?.starts_with(b"\x89PNG"));
/// assert!(matches!(png(square, 1e6), Err(ViewError::TooLarge { .. })));
/// # Ok::<(), ViewError>(())
/// ```
pub fn png(svg: &str, scale: f32) -> Result<Vec<u8>, ViewError> {
    if !(scale.is_finite() && scale > 0.0) {
        return Err(ViewError::Scale(scale));
    }
    let options = Options {
        font_family: FAMILY.to_owned(),
        fontdb: fonts(),
        image_href_resolver: ImageHrefResolver {
            resolve_string: Box::new(|_, _| None), // the default one opens files
            ..ImageHrefResolver::default()
        },
        ..Options::default()
    };
    let tree = Tree::from_str(svg, &options).map_err(|e| ViewError::Svg(e.to_string()))?;
    let pixels = |side: f32| (f64::from(side) * f64::from(scale)).round().max(1.0);
    let (width, height) = (pixels(tree.size().width()), pixels(tree.size().height()));
    let too_large = ViewError::TooLarge { width, height };
    if width * height > MAX_PIXELS {
        return Err(too_large);
    }
    let mut canvas = Pixmap::new(width as u32, height as u32).ok_or(too_large)?;
    resvg::render(&tree, Transform::from_scale(scale, scale), &mut canvas.as_mut());
    canvas.encode_png().map_err(|e| ViewError::Encode(e.to_string()))
}

const FAMILY: &str = "Tussle Sans";

/// The embedded fonts, parsed once.
pub(crate) fn fonts() -> Arc<Database> {
    static FONTS: LazyLock<Arc<Database>> = LazyLock::new(|| {
        let mut fonts = Database::new();
        fonts.load_font_data(include_bytes!("../fonts/TussleSans-Regular.ttf").to_vec());
        fonts.load_font_data(include_bytes!("../fonts/TussleSans-Bold.ttf").to_vec());
        fonts.set_serif_family(FAMILY); // fallback for missing font families
        fonts.set_sans_serif_family(FAMILY);
        fonts.set_monospace_family(FAMILY);
        Arc::new(fonts)
    });
    Arc::clone(&FONTS)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Theme, svg};
    use std::collections::HashSet;
    use tussle_core::{Anchor, Drawn, Form, Game, Ink, Scene};
    use tussle_games::TicTacToe;

    fn paint(scene: &Scene, scale: f32) -> Pixmap {
        Pixmap::decode_png(&png(&svg(scene, Theme::Light), scale).unwrap()).unwrap()
    }

    /// Returns the pixels of a rendered text.
    fn render_text(text: &str, bold: bool) -> Vec<u8> {
        let mut scene = Scene::new(1.0, 1.0);
        let (x, y, size, anchor, text) = (0.5, 0.5, 0.8, Anchor::Middle, text.to_owned());
        scene.shape(Form::Text { x, y, size, anchor, bold, text }, Some(Ink::Text), None);
        paint(&scene, 1.0).take()
    }

    #[test]
    fn a_picture_has_the_requested_size_and_is_not_blank() {
        let scene = TicTacToe.scene(&TicTacToe.start());
        for (scale, side) in [(1.0, 200), (2.0, 400), (0.333, 67)] {
            let pixels = paint(&scene, scale);
            assert_eq!((pixels.width(), pixels.height()), (side, side));
            let colours: HashSet<_> =
                pixels.pixels().iter().map(|p| (p.red(), p.green(), p.blue())).collect();
            assert!(colours.len() > 20, "{} colours at scale {scale}", colours.len());
        }
    }

    #[test]
    fn shapes_keep_their_place_and_colour() {
        let mut scene = Scene::new(2.0, 1.0);
        scene.rect(0.0, 0.0, 2.0, 1.0, Ink::Board);
        scene.disc(1.5, 0.5, 0.4, Ink::Player(1));
        let pixels = paint(&scene, 1.0);
        let colour = |x, y| {
            let p = pixels.pixel(x, y).unwrap();
            crate::Rgb(p.red(), p.green(), p.blue())
        };
        assert_eq!(colour(2, 2), Theme::Light.ink(Ink::Background));
        assert_eq!(colour(40, 40), Theme::Light.ink(Ink::Board));
        assert_eq!(colour(88, 40), Theme::Light.ink(Ink::Player(1)));
    }

    #[test]
    fn both_fonts_contain_every_documented_character() {
        let signs = "–—…‘’“”•−×±≤≥≠≈∞√→←↑↓▲▼●○■□★½·✓✗αβγελπσ\u{fffd}";
        let latin = (0x21..0x7f).chain(0xa1..0x100).filter_map(char::from_u32);
        let blank = paint(&Scene::new(1.0, 1.0), 1.0).take();
        for bold in [false, true] {
            let missing = render_text("\u{4e2d}", bold);
            for sign in latin.clone().chain(signs.chars()).filter(|&c| c != '\u{ad}') {
                let pixels = render_text(&sign.to_string(), bold);
                assert!(pixels != blank && pixels != missing, "{sign} {bold}");
            }
        }
    }

    #[test]
    fn bold_text_is_darker() {
        let darkness =
            |bold| render_text("H", bold).iter().map(|&c| u32::from(255 - c)).sum::<u32>();
        assert!(darkness(true) > darkness(false));
    }

    #[test]
    fn images_from_files_are_not_loaded() {
        let inner = r##"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4">
            <rect width="4" height="4" fill="#ff0000"/></svg>"##;
        let path = std::env::temp_dir().join(format!("tussle-view-{}.svg", std::process::id()));
        std::fs::write(&path, inner).unwrap();
        let outer = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="4" height="4">
            <image href="{}" width="4" height="4"/></svg>"#,
            path.display()
        );
        let pixels = Pixmap::decode_png(&png(&outer, 1.0).unwrap()).unwrap();
        std::fs::remove_file(&path).unwrap();
        assert!(pixels.pixels().iter().all(|p| p.alpha() == 0));
    }

    #[test]
    fn invalid_scales_sizes_and_svgs_are_rejected() {
        let scene = TicTacToe.scene(&TicTacToe.start());
        let picture = svg(&scene, Theme::Light);
        for scale in [0.0, -1.0, f32::NAN, f32::INFINITY] {
            assert!(matches!(png(&picture, scale), Err(ViewError::Scale(_))), "{scale}");
        }
        let error = png(&picture, 1000.0).unwrap_err().to_string();
        assert!(error.contains("200000 x 200000") && error.contains("100 mega"), "{error}");
        let wide = svg(&Scene::new(1e30, 1e30), Theme::Light);
        assert!(matches!(png(&wide, 1.0), Err(ViewError::TooLarge { .. })));
        assert!(matches!(png("<svg", 1.0), Err(ViewError::Svg(_))));
        assert!(matches!(png("", 1.0), Err(ViewError::Svg(_))));
    }
}
