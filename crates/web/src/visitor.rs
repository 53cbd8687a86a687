//! Who may talk to the server: browsers that were told its own address, from its own page.
//!
//! Any site that somebody visits can make their browser send requests to this machine. A foreign page shows
//! in `Origin`; a foreign name that was made to point here (DNS rebinding) shows in `Host`.

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Request};

use crate::refusal::Refusal;

/// The names under which a server may be called.
#[derive(Clone, Debug)]
pub(crate) struct Doors {
    address: SocketAddr,
    names: Vec<String>,
}

impl Doors {
    pub(crate) fn new(address: SocketAddr, names: &[String]) -> Self {
        Self { address, names: names.iter().map(|name| name.to_ascii_lowercase()).collect() }
    }

    /// Lets a request in, or says why not.
    pub(crate) fn check<B>(&self, request: &Request<B>) -> Result<(), Refusal> {
        // A request that names its server in its first line means that one, whatever `Host` says.
        if request.uri().authority().is_some_and(|named| !self.is_ours(named.as_str())) {
            return Err(Refusal::forbidden("this server is no proxy"));
        }
        self.check_headers(request.headers(), request.uri().path())
    }

    fn check_headers(&self, headers: &HeaderMap, path: &str) -> Result<(), Refusal> {
        let host = one(headers.get_all(HOST).iter()).unwrap_or_default();
        if !self.is_ours(host) {
            return Err(Refusal::forbidden(format!(
                "this server is not called `{host}`; open http://{}",
                self.address
            )));
        }
        if headers.contains_key(ORIGIN) {
            let origin = one(headers.get_all(ORIGIN).iter()).unwrap_or_default();
            let own = ["http", "https"].map(|scheme| format!("{scheme}://{host}"));
            // Only behind a proxy, which has a name, is there a page by https.
            let own = if self.is_named(host) { &own[..] } else { &own[..1] };
            if !own.iter().any(|own| origin.eq_ignore_ascii_case(own)) {
                return Err(Refusal::forbidden(format!(
                    "pages of `{origin}` may not use this server"
                )));
            }
        }
        // Browsers say so even where they send no origin: pictures, frames, links of other sites. A link
        // leads to the board and nowhere else: what is behind other addresses may be work.
        let is_own = |site: &HeaderValue| site == "same-origin" || site == "none";
        let is_foreign = !headers.get_all("sec-fetch-site").iter().all(is_own);
        let goes_there = path == "/"
            && headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate")
            && headers.get("sec-fetch-dest").is_some_and(|dest| dest == "document");
        if is_foreign && !goes_there {
            return Err(Refusal::forbidden("other sites may not use this server"));
        }
        Ok(())
    }

    /// Whether whoever started the server gave it this name. The port may be a proxy's.
    fn is_named(&self, host: &str) -> bool {
        let (name, port) = parts(host);
        port.is_some() && self.names.contains(&name.to_ascii_lowercase())
    }

    fn is_ours(&self, host: &str) -> bool {
        if self.is_named(host) {
            return true;
        }
        let (name, port) = parts(host);
        if port != Some(self.address.port()) {
            return false;
        }
        let name = name.to_ascii_lowercase();
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']'));
        let ip = match bare {
            Some(bare) => bare.parse().ok().map(IpAddr::V6),
            None => name.parse().ok().map(IpAddr::V4),
        };
        // A name can be made to point anywhere; an address is what it is.
        match ip {
            Some(ip) => !self.address.ip().is_loopback() || ip.is_loopback(),
            None => name == "localhost",
        }
    }
}

/// A name and the port it is called at.
fn parts(host: &str) -> (&str, Option<u16>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => {
            // As browsers write it: no sign, no zeros before it.
            let port = port.parse().ok().filter(|number: &u16| number.to_string() == port);
            (name, port)
        }
        _ => (host, Some(80)),
    }
}

/// The only value of a header, if it is text.
fn one<'a>(mut values: impl Iterator<Item = &'a HeaderValue>) -> Option<&'a str> {
    let first = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(first)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn allows(bound: &str, headers: &[(&'static str, &str)]) -> bool {
        allows_at("/", bound, headers)
    }

    fn allows_at(path: &str, bound: &str, headers: &[(&'static str, &str)]) -> bool {
        let doors = Doors::new(bound.parse().unwrap(), &["board.lan".to_owned()]);
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        doors.check_headers(&map, path).is_ok()
    }

    #[test]
    fn only_our_own_names_are_answered() {
        for host in
            ["127.0.0.1:8000", "localhost:8000", "LOCALHOST:8000", "[::1]:8000", "board.lan:8000"]
        {
            assert!(allows("127.0.0.1:8000", &[("host", host)]), "{host}");
        }
        for host in [
            "",
            "evil.example",
            "evil.example:8000",
            "127.0.0.1",
            "localhost:80",
            "192.168.0.7:8000",
            "127.0.0.1:8000:8000",
            "localhost:+8000",
            "localhost:08000",
            "localhost:",
            "[127.0.0.1]:8000",
            "::1:8000",
        ] {
            assert!(!allows("127.0.0.1:8000", &[("host", host)]), "{host}");
        }
        assert!(!allows("127.0.0.1:8000", &[]));
        assert!(!allows("127.0.0.1:8000", &[("host", "localhost:8000"), ("host", "evil.example")]));
        assert!(allows("0.0.0.0:8000", &[("host", "192.168.0.7:8000")]));
        assert!(!allows("0.0.0.0:8000", &[("host", "evil.example:8000")]));
        assert!(allows("127.0.0.1:80", &[("host", "localhost")]));
    }

    #[test]
    fn a_name_that_was_given_may_be_a_proxys() {
        let bound = "127.0.0.1:8000";
        for origin in ["https://board.lan", "http://board.lan"] {
            assert!(allows(bound, &[("host", "board.lan"), ("origin", origin)]), "{origin}");
        }
        assert!(!allows(bound, &[("host", "board.lan"), ("origin", "https://evil.example")]));
        assert!(!allows(bound, &[("host", "board.lan:x")]));
        assert!(!allows(bound, &[("host", "x.board.lan")]));
    }

    #[test]
    fn pages_of_other_sites_are_refused() {
        let host = ("host", "localhost:8000");
        assert!(allows("127.0.0.1:8000", &[host, ("origin", "http://localhost:8000")]));
        for origin in [
            "null",
            "http://localhost",
            "http://127.0.0.1:8000",
            "https://localhost:8000",
            "http://evil.example",
        ] {
            assert!(!allows("127.0.0.1:8000", &[host, ("origin", origin)]), "{origin}");
        }
        assert!(!allows("127.0.0.1:8000", &[host, ("sec-fetch-site", "cross-site")]));
        assert!(allows("127.0.0.1:8000", &[host, ("sec-fetch-site", "same-origin")]));
        let link = [
            host,
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-mode", "navigate"),
            ("sec-fetch-dest", "document"),
        ];
        assert!(allows("127.0.0.1:8000", &link));
        for path in ["/explain", "/api/games", "/live"] {
            assert!(!allows_at(path, "127.0.0.1:8000", &link), "{path} is no place to link to");
        }
        let site = |site| ("sec-fetch-site", site);
        for sites in [["same-origin", "cross-site"], ["Cross-Site", "none"], ["", "none"]] {
            assert!(
                !allows("127.0.0.1:8000", &[host, site(sites[0]), site(sites[1])]),
                "{sites:?}"
            );
        }
        assert!(allows_at("/explain", "127.0.0.1:8000", &[host, site("none")]), "typed by hand");
    }
}
