//! The pages in the frame: the step player, an exercise that was worked out, or why there is neither.

use tussle_view::EscapedText;

use super::work::Told;

/// The page of a search or of an exercise.
pub(super) fn page(told: &Told) -> String {
    match told {
        Told::Search(searched) => searched.explanation.page(searched.position.as_ref()),
        Told::Exercise { game, exercise } => {
            let name = game.rsplit('=').next().unwrap_or(game);
            plain(
                &format!("{name}, worked out"),
                &format!("<pre>{}</pre>", EscapedText(&exercise.text())),
            )
        }
    }
}

/// A page that says why there is nothing to see.
pub(super) fn sorry(why: &str) -> String {
    plain(
        "This cannot be explained",
        &format!("<p class=\"why\" role=\"alert\">{}</p>", EscapedText(why)),
    )
}

/// A page with a heading and something below it.
fn plain(heading: &str, body: &str) -> String {
    let heading = EscapedText(heading);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{heading}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{heading}</h1>\n{body}\n</body>\n\
         </html>\n"
    )
}

// `data-theme` is set by the page around it.
const STYLE: &str = "\
:root { color-scheme: light dark; }
:root[data-theme=light] { color-scheme: light; }
:root[data-theme=dark] { color-scheme: dark; }
body { margin: 0; padding: 1rem; background: #fcfaf6; background: light-dark(#fcfaf6, #17191c);
  color: #2a2520; color: light-dark(#2a2520, #f3f0ea);
  font: clamp(15px, 0.35vw + 11px, 22px)/1.45 'DejaVu Sans', Verdana, system-ui, sans-serif; }
h1 { font-size: 1.2rem; margin: 0 0 0.6rem; }
pre { font: 0.95rem/1.5 'DejaVu Sans Mono', ui-monospace, monospace; white-space: pre; overflow-x: auto; margin: 0; }
.why { padding: 0.5rem 0.8rem; border-left: 0.35rem solid #b3261e; border-left-color: light-dark(#b3261e, #ff8a80); overflow-wrap: anywhere;
  background: #f5ecda; background: light-dark(#f5ecda, #2a2d32); border-radius: 0.3rem; max-width: 60rem; }";
