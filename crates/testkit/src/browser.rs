//! Chromium without a window, for tests of pages. It is controlled over two pipes.
//!
//! The protocol (Chrome `DevTools`) is a sequence of JSON messages separated by zero bytes. The few
//! calls that tests need are written by hand, because the crates with complete bindings take
//! minutes to compile.
//!
//! The browser has no network beyond this machine, because names do not resolve. The requests of
//! pages are recorded.

use std::io::{Read as _, Write as _};
use std::os::fd::AsFd as _;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

use command_fds::{CommandFdExt as _, FdMapping};
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use serde_json::{Value, json};

/// Time after which a call fails, sufficient even on a slow machine.
const CALL_TIMEOUT: Duration = Duration::from_mins(1);

/// Names of the program on different systems.
const PROGRAM_NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "chrome"];

/// Message of an error of the browser.
pub type BrowserError = String;

/// Browser with one page. Dropping the value ends the browser.
#[derive(Debug)]
pub struct Browser {
    child: Child,
    to: std::fs::File,
    from: std::fs::File,
    profile: PathBuf,
    buffer: Vec<u8>,
    last: u64,
    session: Option<String>,
    /// Addresses that pages requested.
    requests: Vec<String>,
    /// Errors of pages: exceptions, and errors in the log.
    complaints: Vec<String>,
}

/// Returns true if Chromium is installed. With `TUSSLE_BROWSER=required`, a missing one is an
/// error.
///
/// # Panics
/// If a browser is required and none is installed.
pub fn is_there() -> bool {
    let found = program().is_some();
    let required = std::env::var("TUSSLE_BROWSER").is_ok_and(|value| value == "required");
    assert!(found || !required, "TUSSLE_BROWSER=required, but PATH has none of {PROGRAM_NAMES:?}");
    if !found {
        eprintln!("skipped: Chromium is not installed");
    }
    found
}

fn program() -> Option<PathBuf> {
    let path = std::env::var_os("PATH")?;
    let named = |folder: PathBuf| PROGRAM_NAMES.iter().map(move |name| folder.join(name));
    std::env::split_paths(&path).flat_map(named).find(|file| file.is_file())
}

impl Browser {
    /// Starts a browser whose page has this size in pixels.
    ///
    /// # Errors
    /// If no browser is installed, or it does not answer.
    pub fn start(width: u32, height: u32) -> Result<Self, BrowserError> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let program = program().ok_or("Chromium is not installed")?;
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let profile =
            std::env::temp_dir().join(format!("tussle-browser-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&profile).map_err(|e| e.to_string())?;
        let (theirs_in, to) = nix::unistd::pipe().map_err(|e| e.to_string())?;
        let (from, theirs_out) = nix::unistd::pipe().map_err(|e| e.to_string())?;
        // The browser must not inherit these ends, or it would never see the pipe close.
        for end in [&to, &from] {
            use nix::fcntl::{FcntlArg, FdFlag, fcntl};
            fcntl(end, FcntlArg::F_SETFD(FdFlag::FD_CLOEXEC)).map_err(|e| e.to_string())?;
        }
        let mut command = Command::new(program);
        command
            .args(["--headless", "--remote-debugging-pipe", "--no-first-run", "--disable-gpu"])
            // Tests run as root in containers, where the sandbox does not work. All pages are
            // trusted.
            .args(["--no-sandbox", "--disable-dev-shm-usage", "--disable-extensions"])
            .args(["--disable-background-networking", "--disable-component-update"])
            .args(["--hide-scrollbars", "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .arg("about:blank")
            .env("HOME", &profile)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .fd_mappings(vec![
                FdMapping { parent_fd: theirs_in, child_fd: 3 },
                FdMapping { parent_fd: theirs_out, child_fd: 4 },
            ])
            .map_err(|e| e.to_string())?;
        let child = command.spawn().map_err(|e| e.to_string())?;
        drop(command); // closes the browser's ends of the pipes in this process
        let mut browser = Self {
            child,
            to: to.into(),
            from: from.into(),
            profile,
            buffer: Vec::new(),
            last: 0,
            session: None,
            requests: Vec::new(),
            complaints: Vec::new(),
        };
        browser.attach()?;
        browser.resize(width, height)?;
        Ok(browser)
    }

    fn attach(&mut self) -> Result<(), BrowserError> {
        let target = self.call("Target.createTarget", &json!({"url": "about:blank"}))?;
        let params = json!({"targetId": target["targetId"], "flatten": true});
        let session = self.call("Target.attachToTarget", &params)?;
        self.session = session["sessionId"].as_str().map(str::to_owned);
        for domain in ["Page", "Runtime", "Network", "Log"] {
            self.call(&format!("{domain}.enable"), &json!({}))?;
        }
        Ok(())
    }

    /// Changes the size of the page; below 600 pixels of width it is a mobile page.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub fn resize(&mut self, width: u32, height: u32) -> Result<(), BrowserError> {
        let size = json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600});
        self.call("Emulation.setDeviceMetricsOverride", &size).map(drop)
    }

    /// Sets the preferred colour scheme of the system: `light` or `dark`.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub fn prefer(&mut self, theme: &str) -> Result<(), BrowserError> {
        let params = json!({"features": [{"name": "prefers-color-scheme", "value": theme}]});
        self.call("Emulation.setEmulatedMedia", &params).map(drop)
    }

    /// Opens a file and waits until it is loaded.
    ///
    /// # Errors
    /// If it is not loaded in time.
    pub fn open(&mut self, file: &Path) -> Result<(), BrowserError> {
        let file = file.canonicalize().map_err(|e| format!("{}: {e}", file.display()))?;
        self.visit(&format!("file://{}", file.display()))
    }

    /// Opens an address of this machine and waits until it is loaded.
    ///
    /// # Errors
    /// If it is not loaded in time.
    pub fn visit(&mut self, url: &str) -> Result<(), BrowserError> {
        self.call("Page.navigate", &json!({"url": url}))?;
        // Pages can change the part after `#`.
        let base = url.split('#').next().unwrap_or(url);
        let is_loaded = format!(
            "document.readyState === 'complete' && location.href.split('#')[0] === {base:?}"
        );
        self.wait_for(&is_loaded)
    }

    /// Returns the value of an expression in the page, or of the promise that it returns.
    ///
    /// # Errors
    /// If the expression throws.
    pub fn eval(&mut self, script: &str) -> Result<Value, BrowserError> {
        let params = json!({"expression": script, "returnByValue": true, "awaitPromise": true});
        let answer = self.call("Runtime.evaluate", &params)?;
        match answer.get("exceptionDetails") {
            Some(thrown) => Err(format!("{script}: {thrown}")),
            None => Ok(answer["result"]["value"].clone()),
        }
    }

    /// Waits until an expression is true.
    ///
    /// # Errors
    /// If it does not become true in time.
    pub fn wait_for(&mut self, script: &str) -> Result<(), BrowserError> {
        let end = Instant::now() + CALL_TIMEOUT;
        loop {
            match self.eval(script) {
                Ok(Value::Bool(true)) => return Ok(()),
                // "navigated" means that the page was replaced during the call.
                Err(error) if !error.contains("navigated") => return Err(error),
                _ if Instant::now() > end => {
                    return Err(format!("not true after {CALL_TIMEOUT:?}: {script}"));
                }
                _ => std::thread::sleep(Duration::from_millis(20)),
            }
        }
    }

    /// Presses and releases a key, such as `ArrowRight`, `Home` or ` `.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub fn press(&mut self, key: &str) -> Result<(), BrowserError> {
        let code = match key {
            " " => 32,
            "PageUp" => 33,
            "PageDown" => 34,
            "End" => 35,
            "Home" => 36,
            "ArrowLeft" => 37,
            "ArrowUp" => 38,
            "ArrowRight" => 39,
            "ArrowDown" => 40,
            "Enter" => 13,
            "Tab" => 9,
            _ => 0,
        };
        let text = match key {
            "Enter" => "\r", // without this text, Enter activates nothing
            _ if key.chars().count() == 1 => key,
            _ => "",
        };
        for kind in ["keyDown", "keyUp"] {
            let event =
                json!({"type": kind, "key": key, "windowsVirtualKeyCode": code, "text": text});
            self.call("Input.dispatchKeyEvent", &event)?;
        }
        Ok(())
    }

    /// Moves the pointer to a point of the page.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub fn point(&mut self, x: f64, y: f64) -> Result<(), BrowserError> {
        self.mouse("mouseMoved", x, y, 0)
    }

    /// Clicks on a point of the page.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub fn click(&mut self, x: f64, y: f64) -> Result<(), BrowserError> {
        self.point(x, y)?;
        self.mouse("mousePressed", x, y, 1)?;
        self.mouse("mouseReleased", x, y, 1)
    }

    /// Double-clicks on a point of the page.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub fn double_click(&mut self, x: f64, y: f64) -> Result<(), BrowserError> {
        self.click(x, y)?;
        self.mouse("mousePressed", x, y, 2)?;
        self.mouse("mouseReleased", x, y, 2)
    }

    /// Drags the pointer from one point to another.
    ///
    /// # Errors
    /// If the browser does not answer.
    pub fn drag(&mut self, from: (f64, f64), to: (f64, f64)) -> Result<(), BrowserError> {
        self.point(from.0, from.1)?;
        self.mouse("mousePressed", from.0, from.1, 1)?;
        // The moves must report the pressed button, or the page loses the pointer.
        self.mouse("mouseMoved", f64::midpoint(from.0, to.0), f64::midpoint(from.1, to.1), 1)?;
        self.mouse("mouseMoved", to.0, to.1, 1)?;
        self.mouse("mouseReleased", to.0, to.1, 1)
    }

    fn mouse(&mut self, kind: &str, x: f64, y: f64, clicks: u32) -> Result<(), BrowserError> {
        let button = if clicks > 0 { "left" } else { "none" };
        let down = u32::from(clicks > 0 && kind != "mouseReleased");
        let event = json!({
            "type": kind, "x": x, "y": y, "button": button, "buttons": down, "clickCount": clicks,
        });
        self.call("Input.dispatchMouseEvent", &event).map(drop)
    }

    /// Returns the middle of the first element that matches a selector.
    ///
    /// # Errors
    /// If no element matches.
    pub fn middle(&mut self, selector: &str) -> Result<(f64, f64), BrowserError> {
        let script = format!(
            "(() => {{ const r = document.querySelector({selector:?}).getBoundingClientRect(); \
             return [r.x + r.width / 2, r.y + r.height / 2]; }})()"
        );
        let middle = self.eval(&script)?;
        match (middle[0].as_f64(), middle[1].as_f64()) {
            (Some(x), Some(y)) => Ok((x, y)),
            _ => Err(format!("{selector}: {middle}")),
        }
    }

    /// Writes a screenshot of the page to a PNG file.
    ///
    /// # Errors
    /// If the browser does not answer or the file cannot be written.
    pub fn screenshot(&mut self, file: &Path) -> Result<(), BrowserError> {
        let picture = self.call("Page.captureScreenshot", &json!({"format": "png"}))?;
        let bytes = base64(picture["data"].as_str().unwrap_or_default());
        std::fs::write(file, bytes).map_err(|e| format!("{}: {e}", file.display()))
    }

    /// Returns the addresses that pages requested so far.
    pub fn requests(&self) -> &[String] {
        &self.requests
    }

    /// Returns the errors of pages so far.
    pub fn complaints(&self) -> &[String] {
        &self.complaints
    }

    /// Sends a call and returns its answer. Records the events that arrive in the meantime.
    fn call(&mut self, method: &str, params: &Value) -> Result<Value, BrowserError> {
        self.last += 1;
        let mut call = json!({"id": self.last, "method": method, "params": params});
        if let Some(session) = &self.session {
            call["sessionId"] = json!(session);
        }
        let mut bytes = call.to_string().into_bytes();
        bytes.push(0);
        self.to.write_all(&bytes).map_err(|e| format!("{method}: {e}"))?;
        let end = Instant::now() + CALL_TIMEOUT;
        loop {
            let message = self.message(end).map_err(|e| format!("{method}: {e}"))?;
            if message["id"] == json!(self.last) {
                return match message.get("error") {
                    Some(error) => Err(format!("{method}: {error}")),
                    None => Ok(message["result"].clone()),
                };
            }
            self.record(&message);
        }
    }

    fn record(&mut self, message: &Value) {
        let params = &message["params"];
        match message["method"].as_str() {
            Some("Network.requestWillBeSent") => {
                self.requests.extend(params["request"]["url"].as_str().map(str::to_owned));
            }
            Some("Runtime.exceptionThrown") => self.complaints.push(params.to_string()),
            Some("Log.entryAdded") if params["entry"]["level"] == "error" => {
                self.complaints.push(params.to_string());
            }
            _ => {}
        }
    }

    /// Returns the next message, or an error if none arrives before `end`.
    fn message(&mut self, end: Instant) -> Result<Value, BrowserError> {
        loop {
            if let Some(length) = self.buffer.iter().position(|&byte| byte == 0) {
                let message: Vec<u8> = self.buffer.drain(..=length).collect();
                return serde_json::from_slice(&message[..length]).map_err(|e| e.to_string());
            }
            let left = end.saturating_duration_since(Instant::now());
            let timeout = PollTimeout::try_from(left).unwrap_or(PollTimeout::MAX);
            let mut wait = [PollFd::new(self.from.as_fd(), PollFlags::POLLIN)];
            if left.is_zero() || poll(&mut wait, timeout).map_err(|e| e.to_string())? == 0 {
                return Err("no answer in time".to_owned());
            }
            let mut part = [0; 8192];
            let length = self.from.read(&mut part).map_err(|e| e.to_string())?;
            if length == 0 {
                return Err("the browser closed the connection".to_owned());
            }
            self.buffer.extend_from_slice(&part[..length]);
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // The browser starts many processes, all of them in its process group.
        let _ = killpg(Pid::from_raw(self.child.id() as i32), Signal::SIGKILL);
        let _ = self.child.wait();
        // The processes can still write files while they end.
        for _ in 0..50 {
            if std::fs::remove_dir_all(&self.profile).is_ok() || !self.profile.exists() {
                break;
            }
            std::thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Decodes base 64, the encoding of screenshots.
fn base64(text: &str) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let digits = text.bytes().filter_map(|c| DIGITS.iter().position(|&digit| digit == c));
    let (mut bytes, mut bits, mut count) = (Vec::with_capacity(text.len() / 4 * 3), 0u32, 0);
    for digit in digits {
        bits = bits << 6 | digit as u32;
        count += 6;
        if count >= 8 {
            count -= 8;
            bytes.push((bits >> count) as u8);
        }
    }
    bytes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_decodes_known_texts() {
        for (text, bytes) in [("", ""), ("Zg==", "f"), ("Zm8=", "fo"), ("Zm9vYmFy", "foobar")] {
            assert_eq!(base64(text), bytes.as_bytes());
        }
    }

    #[test]
    fn a_browser_answers_and_cleans_up() {
        if !is_there() {
            return;
        }
        let mut browser = Browser::start(700, 400).unwrap();
        assert_eq!(browser.eval("1 + innerWidth").unwrap(), json!(701));
        assert!(browser.eval("nothing.there").is_err());
        let (profile, id) = (browser.profile.clone(), browser.child.id());
        assert!(profile.is_dir());
        drop(browser);
        assert!(!profile.exists());
        assert!(!Path::new(&format!("/proc/{id}")).exists());
    }
}
