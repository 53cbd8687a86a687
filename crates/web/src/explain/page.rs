//! Pages of the frame: the step player, the solution of an exercise, or an error.

use tussle_view::EscapedText;

use super::work::ExplainResult;

/// Returns the page of a search or an exercise.
pub(super) fn page(result: &ExplainResult) -> String {
    match result {
        ExplainResult::Search(searched) => searched.explanation.page(searched.position.as_ref()),
        ExplainResult::Exercise { game, exercise } => {
            let name = game.rsplit('=').next().unwrap_or(game);
            plain(
                &format!("{name}: worked solution"),
                &format!("<pre>{}</pre>", EscapedText(&exercise.text())),
            )
        }
    }
}

/// Returns a page with an error message.
pub(super) fn error_page(message: &str) -> String {
    plain(
        "This cannot be explained",
        &format!("<p class=\"why\" role=\"alert\">{}</p>", EscapedText(message)),
    )
}

/// Returns a page with a heading and a body.
fn plain(heading: &str, body: &str) -> String {
    let heading = EscapedText(heading);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{heading}</title>\n<style>{STYLE}</style>\n</head>\n<body>\n<h1>{heading}</h1>\n{body}\n</body>\n\
         </html>\n"
    )
}

// The enclosing page sets `data-theme`.
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
