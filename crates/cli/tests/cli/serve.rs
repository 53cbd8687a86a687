//! `tussle serve` on the command line. The server itself is tested in its own crate.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command};

use serde_json::{Value, json};
use tussle_testkit::browser::{Browser, is_there};

use crate::common::{json as run, start, tussle};

/// Running server on a free port.
struct TestServer {
    child: Child,
    address: String,
}

impl TestServer {
    fn new(args: &[&str]) -> Self {
        let mut child = start(&[&["serve", "--port", "0"], args].concat());
        let mut line = String::new();
        BufReader::new(child.stdout.as_mut().unwrap()).read_line(&mut line).unwrap();
        let address = line.trim_end().strip_prefix("http://").expect("an address").to_owned();
        Self { child, address }
    }

    /// Sends a question, and does not wait for its answer.
    fn send(&self, way: &str, path: &str, body: &Value) -> TcpStream {
        let body = if body.is_null() { String::new() } else { body.to_string() };
        let mut stream = TcpStream::connect(&self.address).unwrap();
        write!(
            stream,
            "{way} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: {}\r\n\r\n{body}",
            self.address,
            body.len()
        )
        .unwrap();
        stream
    }

    fn ask(&self, way: &str, path: &str, body: &Value) -> Value {
        let mut answer = String::new();
        self.send(way, path, body).read_to_string(&mut answer).unwrap();
        let (_, told) = answer.split_once("\r\n\r\n").unwrap();
        serde_json::from_str(told).unwrap_or_else(|e| panic!("{path}: {e}: {answer}"))
    }

    /// Ctrl-C; the exit code.
    fn interrupt(&mut self) -> Option<i32> {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
        self.child.wait().unwrap().code()
    }
}

impl Drop for TestServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

#[test]
fn server_prints_its_address_first_and_ends_with_ctrl_c() {
    let mut served = TestServer::new(&["--searches", "1"]);
    let games = served.ask("GET", "/api/games", &Value::Null);
    assert_eq!(games, run(&["games", "--json"]));
    let wish = json!({ "place": { "game": "go:size=9" }, "agent": "mcts", "time_ms": 600_000 });
    let _searching = served.send("POST", "/api/analyse", &wish);
    assert_eq!(served.interrupt(), Some(0));
}

#[test]
fn scripts_hear_what_analyse_prints() {
    let served = TestServer::new(&[]);
    let wish = json!({
        "place": { "game": "connect4", "moves": ["4", "4"] }, "agent": "mcts", "nodes": 300, "lines": 3,
    });
    let mut told = served.ask("POST", "/api/analyse", &wish);
    let mut printed = run(&[
        "analyse", "connect4", "--moves", "4,4", "--agent", "mcts", "--nodes", "300", "--lines",
        "3", "--json",
    ]);
    for document in [&mut told, &mut printed] {
        document.as_object_mut().unwrap().remove("timing").expect("it has times");
        document["stats"].as_object_mut().unwrap().remove("bytes").expect("it counts bytes");
    }
    assert_eq!(told, printed);
}

#[test]
fn a_program_plays_only_where_programs_are_allowed_and_ends_with_the_game() {
    let command = format!(
        "{} ugi --game tictactoe --agent random --seed 80868086",
        env!("CARGO_BIN_EXE_tussle")
    );
    let place = json!({ "game": "tictactoe", "moves": ["a1", "b2"] });
    let wish = json!({ "place": place, "agent": format!("ugi:{command}"), "time_ms": 5000 });
    let careful = TestServer::new(&[]);
    let refused = careful.ask("POST", "/api/analyse", &wish);
    assert!(refused["error"].as_str().unwrap().contains("--allow-programs"), "{refused}");
    let mut served = TestServer::new(&["--allow-programs"]);
    let told = served.ask("POST", "/api/analyse", &wish);
    let seen = served.ask("POST", "/api/position", &place);
    assert!(seen["legal"].as_array().unwrap().contains(&told["best"]), "{told}");
    assert_eq!(served.interrupt(), Some(0));
    let left = Command::new("pgrep").args(["-f", "seed 80868086"]).output().unwrap();
    assert_eq!(String::from_utf8_lossy(&left.stdout), "");
}

/// A page of another site: it sends its visitor to an address without a click.
fn other_site(target: &str) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/", listener.local_addr().unwrap());
    let page = format!("<!doctype html><script>location.href = {target:?};</script>");
    std::thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let _ = stream.read(&mut [0; 4096]);
            let _ = write!(
                stream,
                "HTTP/1.1 200 OK\r\ncontent-type: text/html\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{page}",
                page.len()
            );
        }
    });
    url
}

/// Text for an address.
fn encoded(text: &str) -> String {
    text.bytes().fold(String::new(), |text, byte| text + &format!("%{byte:02X}"))
}

const QUESTION: &str = "document.querySelector('dialog.consent[open]') !== null";

#[test]
fn no_address_starts_a_program_without_a_click() {
    if !is_there() {
        return;
    }
    let folder = std::env::temp_dir().join(format!("tussle-link-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let stores = folder.to_str().unwrap();
    let served = TestServer::new(&["--allow-programs", "--stores", stores]);
    let mut browser = Browser::start(1000, 800).unwrap();
    let started = folder.join("started");
    let command = format!("touch {}", started.display());
    let program = encoded(&format!("json:{command}"));
    let spaced = encoded(&format!(" ugi : {command}"));
    let gtp = encoded(&format!("gtp:{command}"));
    let refused = "/an external program can only play/.test(document.body.textContent)";
    let in_frame = "/an external program can only play/.test(document.querySelector('iframe')?.contentDocument?.body?.textContent ?? '')";
    let in_form = "document.querySelector('.start') !== null && document.querySelector('.preview svg') !== null";
    for (hash, end) in [
        (format!("#tictactoe?first={program}"), QUESTION),
        (format!("#tictactoe?first={program}&second={program}&pace=0"), QUESTION),
        (format!("#tictactoe/moves/a1?second={program}"), QUESTION),
        (format!("#go:size=5/moves/C3?second={gtp}&clock=5s"), QUESTION),
        (format!("#tictactoe/moves/a1?second={spaced}"), QUESTION),
        (format!("#connect4?first=human&second=human&analyse={program}"), QUESTION),
        (format!("#tictactoe?first=human&second=human&analyse={spaced}&heat=visits"), QUESTION),
        (format!("#explain/tictactoe?agent={program}"), in_frame),
        (format!("#explain/tictactoe?view=tree&agent={program}"), refused),
        (format!("#?game=tictactoe&first={program}&second={program}"), in_form),
    ] {
        let target = format!("http://{}/{hash}", served.address);
        browser.visit("about:blank").unwrap();
        // The other site's page leaves for ours at once, so its own address is not waited for.
        let site = other_site(&target);
        browser.eval(&format!("void (location.href = {site:?})")).unwrap();
        browser.wait_for("location.hash.length > 1").unwrap();
        browser.wait_for(end).unwrap_or_else(|e| {
            panic!("{hash}: {e}: {:?}", browser.eval("document.body.innerText"))
        });
        assert!(!started.exists(), "{hash} runs a command");
    }

    // The whole command is shown; what hides or reverses text is written out.
    let tricky = encoded(&format!("json:{command}\u{202e}\u{200b}   #"));
    browser.visit(&format!("http://{}/#tictactoe?first={tricky}", served.address)).unwrap();
    browser.wait_for(QUESTION).unwrap();
    let shown = browser.eval("document.querySelector('.consent pre').textContent").unwrap();
    assert_eq!(shown, format!("json:{command}\\u{{202e}}\\u{{200b}}␣␣␣#"));

    // A key that comes at once declines.
    let visit = |browser: &mut Browser| {
        browser.visit("about:blank").unwrap();
        let url = format!("http://{}/#tictactoe?first={program}&second=human", served.address);
        browser.visit(&url).unwrap();
        browser.wait_for(QUESTION).unwrap();
    };
    visit(&mut browser);
    browser.press("Enter").unwrap();
    browser.wait_for("document.querySelector('dialog') === null").unwrap();
    browser
        .wait_for("document.querySelector('.status').textContent.includes('not started')")
        .unwrap();
    assert!(!started.exists(), "declined");

    // A click of a script is none of a person's.
    visit(&mut browser);
    browser.wait_for("document.querySelector('.consent .yes').disabled === false").unwrap();
    browser.eval("document.querySelector('.consent .yes').click()").unwrap();
    assert_eq!(browser.eval(QUESTION).unwrap(), true);
    // A page that has just come to the front takes no click: it may be the second one of a double click elsewhere.
    let front =
        "dispatchEvent(new Event('focus')), document.querySelector('.consent .yes').disabled";
    assert_eq!(browser.eval(front).unwrap(), true);

    // A person's click starts it, once: a reload and the way back ask again.
    let agree = |browser: &mut Browser| {
        browser.wait_for("document.querySelector('.consent .yes')?.disabled === false").unwrap();
        let (x, y) = browser.middle(".consent .yes").unwrap();
        browser.click(x, y).unwrap();
    };
    agree(&mut browser);
    let gone = "document.querySelector('dialog') === null && document.querySelector('.status .wrong') !== null";
    browser.wait_for(gone).unwrap(); // `touch` does not play
    assert!(started.exists(), "agreed");
    std::fs::remove_file(&started).unwrap();
    browser.eval("location.reload()").unwrap();
    browser.wait_for(QUESTION).unwrap();
    browser.eval("void (location.hash = '#tictactoe?first=human&second=human')").unwrap();
    browser.wait_for("document.querySelector('dialog') === null").unwrap();
    browser.wait_for("document.querySelector('.board.active') !== null").unwrap();
    browser.eval("history.back()").unwrap();
    browser.wait_for(QUESTION).unwrap();
    agree(&mut browser);
    browser.wait_for(gone).unwrap();
    std::fs::remove_file(&started).unwrap();
    // The same address again, from the page itself, is another question.
    browser.eval("import('/assets/link.js').then(({ visit }) => visit(location.hash))").unwrap();
    browser.wait_for(QUESTION).unwrap();
    assert!(!started.exists(), "asked every time");
    let _ = std::fs::remove_dir_all(&folder);
}

#[test]
fn the_server_starts_no_program_for_a_browser_that_has_not_confirmed() {
    let served = TestServer::new(&["--allow-programs"]);
    let wish = json!({ "place": { "game": "tictactoe" }, "agent": "json:true", "time_ms": 100 });
    let body = wish.to_string();
    let mut stream = TcpStream::connect(&served.address).unwrap();
    write!(
        stream,
        "POST /api/analyse HTTP/1.1\r\nhost: {0}\r\norigin: http://{0}\r\nconnection: close\r\n\
         content-type: application/json\r\ncontent-length: {1}\r\n\r\n{body}",
        served.address,
        body.len()
    )
    .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    assert!(answer.starts_with("HTTP/1.1 428 "), "{answer}");
    assert!(answer.contains("json:true: "), "{answer}");
}

#[test]
fn a_port_in_use_is_reported_with_advice() {
    let taken = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let output = tussle(&["serve", "--port", &port]);
    let message = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{message}");
    assert!(message.contains(&port) && message.contains("--port 0"), "{message}");
    for args in [["--searches", "0"], ["--sessions", "x"], ["--port", "99999"]] {
        assert_eq!(tussle(&["serve", args[0], args[1]]).status.code(), Some(2), "{args:?}");
    }
}
