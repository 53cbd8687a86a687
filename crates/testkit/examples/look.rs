//! Takes a screenshot of a page: `look PAGE OUT.png WIDTH HEIGHT light|dark [SCRIPT]…`.

use std::path::Path;

use tussle_testkit::browser::{Browser, BrowserError};

fn main() -> Result<(), BrowserError> {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let [page, out, width, height, theme, script @ ..] = args.as_slice() else {
        return Err("usage: look PAGE OUT.png WIDTH HEIGHT light|dark [SCRIPT]…".to_owned());
    };
    let pixels = |text: &String| text.parse().map_err(|e| format!("{text}: {e}"));
    let mut browser = Browser::start(pixels(width)?, pixels(height)?)?;
    browser.prefer(theme)?;
    if page.starts_with("http") { browser.visit(page) } else { browser.open(Path::new(page)) }?;
    for script in script {
        println!("{}", browser.eval(script)?);
    }
    std::thread::sleep(std::time::Duration::from_millis(400)); // let animations end
    browser.screenshot(Path::new(out))?;
    for complaint in browser.complaints() {
        println!("{complaint}");
    }
    Ok(())
}
