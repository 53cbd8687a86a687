//! Colours in old browsers, which do not support `light-dark()`.

use std::collections::HashMap;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};

use tussle_testkit::browser::{Browser, is_there};
use tussle_web::Options;

use crate::served::TestServer;

/// Style sheets with the colours of both themes.
const STYLES: [&str; 2] =
    [include_str!("../../assets/style.css"), include_str!("../../assets/play.css")];

#[test]
fn every_light_dark_colour_has_a_plain_fallback() {
    for style in STYLES {
        let plain: HashMap<&str, &str> = style
            .split([';', '{', '\n'])
            .filter_map(|part| part.trim().split_once(": "))
            .filter(|(name, value)| name.starts_with("--") && value.starts_with('#'))
            .collect();
        let both = style.split("light-dark(").count() - 2; // without the text before the first, and `@supports`
        let named: Vec<(&str, &str)> = style
            .lines()
            .filter_map(|line| line.trim().split_once(": light-dark("))
            .filter(|(name, _)| name.starts_with("--"))
            .filter_map(|(name, rest)| Some((name, rest.split_once(", ")?.0)))
            .collect();
        assert_eq!(named.len(), both, "every light-dark() is the value of a name");
        for (name, light) in named {
            assert_eq!(plain.get(name), Some(&light), "{name}");
        }
    }
}

/// Starts a proxy that misspells `light-dark()`, so that browsers behave as if they did not support it; returns its address.
fn start_proxy(server: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    let server = server.trim_start_matches("http://").to_owned();
    std::thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let server = server.clone();
            std::thread::spawn(move || forward(stream, &server));
        }
    });
    url
}

fn forward(mut page: TcpStream, server: &str) -> Option<()> {
    let mut request = Vec::new();
    let mut part = [0; 4096];
    let head = loop {
        let length = page.read(&mut part).ok().filter(|length| *length > 0)?;
        request.extend_from_slice(&part[..length]);
        let text = String::from_utf8_lossy(&request).into_owned();
        let Some((head, body)) = text.split_once("\r\n\r\n") else { continue };
        let head = head.to_ascii_lowercase();
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if body.len() >= length.map_or(0, |length| length.parse().unwrap()) {
            break head;
        }
    };
    // One request per connection, so that the end of the answer is known.
    let keep = if head.contains("connection: keep-alive") { "keep-alive" } else { return None };
    let text = String::from_utf8_lossy(&request).replacen(keep, "close", 1);
    let mut asked = TcpStream::connect(server).ok()?;
    asked.write_all(text.as_bytes()).ok()?;
    let mut answer = Vec::new();
    asked.read_to_end(&mut answer).ok()?;
    let told = String::from_utf8_lossy(&answer).replace("light-dark(", "light-dork(");
    page.write_all(told.as_bytes()).ok()
}

#[test]
fn a_browser_without_light_dark_shows_the_light_colours() {
    if !is_there() {
        return;
    }
    let served =
        TestServer::new(Options { hosts: vec!["127.0.0.1".to_owned()], ..Options::default() });
    let url = start_proxy(&served.url);
    let mut browser = Browser::start(1000, 800).unwrap();
    browser.prefer("dark").unwrap();
    browser.visit(&format!("{url}/#go:size=5/moves/C3,D3?first=human&second=human")).unwrap();
    browser.wait_for("document.querySelectorAll('.drawing circle').length > 1").unwrap();
    let paints = "(() => {
      const all = [...document.querySelectorAll('.drawing :is(rect, circle, text, polygon, polyline, path)')];
      const fills = all.map((one) => getComputedStyle(one).fill);
      return { black: fills.filter((fill) => fill === 'rgb(0, 0, 0)').length, kinds: new Set(fills).size,
        page: getComputedStyle(document.body).backgroundColor, ink: getComputedStyle(document.body).color };
    })()";
    let painted = browser.eval(paints).unwrap();
    assert_eq!(painted["black"], 0, "{painted}");
    assert!(painted["kinds"].as_u64() > Some(3), "{painted}");
    assert_eq!(painted["page"], "rgb(252, 250, 246)");
    assert_eq!(painted["ink"], "rgb(42, 37, 32)");
}
