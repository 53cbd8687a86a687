//! Protection against requests that other web sites make browsers send.
//!
//! Any site that a user visits can make the browser send requests to this machine. The header `Origin` shows the page that
//! sent a request. The header `Host` shows a foreign name that was made to point to this machine (DNS rebinding).

use std::net::{IpAddr, SocketAddr};

use axum::http::header::{HOST, ORIGIN};
use axum::http::{HeaderMap, HeaderValue, Request};

use crate::api_error::ApiError;

/// Host names that the server accepts in requests.
#[derive(Clone, Debug)]
pub(crate) struct AllowedHosts {
    address: SocketAddr,
    names: Vec<String>,
}

impl AllowedHosts {
    pub(crate) fn new(address: SocketAddr, names: &[String]) -> Self {
        Self { address, names: names.iter().map(|name| name.to_ascii_lowercase()).collect() }
    }

    /// Rejects a request with a foreign host name or from another site.
    pub(crate) fn check<B>(&self, request: &Request<B>) -> Result<(), ApiError> {
        // A host in the request line takes precedence over `Host`.
        if request.uri().authority().is_some_and(|host| !self.is_allowed(host.as_str())) {
            return Err(ApiError::forbidden("this server is not a proxy"));
        }
        self.check_headers(request.headers(), request.uri().path())
    }

    fn check_headers(&self, headers: &HeaderMap, path: &str) -> Result<(), ApiError> {
        let host = one(headers.get_all(HOST).iter()).unwrap_or_default();
        if !self.is_allowed(host) {
            return Err(ApiError::forbidden(format!(
                "host `{host}` is not allowed; open http://{}, or allow the name with `tussle serve --host`",
                self.address
            )));
        }
        if headers.contains_key(ORIGIN) {
            let origin = one(headers.get_all(ORIGIN).iter()).unwrap_or_default();
            let own = ["http", "https"].map(|scheme| format!("{scheme}://{host}"));
            // Only a proxy, which has a name of its own, can serve the page over https.
            let own = if self.is_named(host) { &own[..] } else { &own[..1] };
            if !own.iter().any(|own| origin.eq_ignore_ascii_case(own)) {
                return Err(ApiError::forbidden(format!(
                    "pages of `{origin}` may not send requests to this server"
                )));
            }
        }
        // Browsers send `Sec-Fetch-Site` even without `Origin`: for images, frames and links of other sites. A link may lead
        // only to the board, because requests to other paths may start work.
        let is_own = |site: &HeaderValue| site == "same-origin" || site == "none";
        let is_foreign = !headers.get_all("sec-fetch-site").iter().all(is_own);
        let is_link_to_board = path == "/"
            && headers.get("sec-fetch-mode").is_some_and(|mode| mode == "navigate")
            && headers.get("sec-fetch-dest").is_some_and(|dest| dest == "document");
        if is_foreign && !is_link_to_board {
            return Err(ApiError::forbidden("other sites may not send requests to this server"));
        }
        Ok(())
    }

    /// Returns true if the operator allowed this name. It may have any port, which may be that of a proxy.
    fn is_named(&self, host: &str) -> bool {
        let (name, port) = parts(host);
        port.is_some() && self.names.contains(&name.to_ascii_lowercase())
    }

    fn is_allowed(&self, host: &str) -> bool {
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
        // A name can be made to point to any machine; an IP address cannot.
        match ip {
            Some(ip) => !self.address.ip().is_loopback() || ip.is_loopback(),
            None => name == "localhost",
        }
    }
}

/// Splits a host into name and port.
fn parts(host: &str) -> (&str, Option<u16>) {
    match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => {
            // Only the form that browsers send: without sign and leading zeros.
            let port = port.parse().ok().filter(|number: &u16| number.to_string() == port);
            (name, port)
        }
        _ => (host, Some(80)),
    }
}

/// Returns the value of a header if it has exactly one, which is text.
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
        let hosts = AllowedHosts::new(bound.parse().unwrap(), &["board.lan".to_owned()]);
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, value.parse().unwrap());
        }
        hosts.check_headers(&map, path).is_ok()
    }

    #[test]
    fn only_own_addresses_and_allowed_names_are_accepted() {
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
    fn an_allowed_name_may_be_that_of_a_proxy() {
        let bound = "127.0.0.1:8000";
        for origin in ["https://board.lan", "http://board.lan"] {
            assert!(allows(bound, &[("host", "board.lan"), ("origin", origin)]), "{origin}");
        }
        assert!(!allows(bound, &[("host", "board.lan"), ("origin", "https://evil.example")]));
        assert!(!allows(bound, &[("host", "board.lan:x")]));
        assert!(!allows(bound, &[("host", "x.board.lan")]));
    }

    #[test]
    fn requests_of_other_sites_are_rejected() {
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
            assert!(!allows_at(path, "127.0.0.1:8000", &link), "{path} accepts no links");
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
