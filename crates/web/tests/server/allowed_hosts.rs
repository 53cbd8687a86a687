//! Requests with foreign host names and from other sites.

use tussle_web::ServerLimits;

use crate::client::TestServer;

#[test]
fn requests_with_foreign_host_names_are_rejected() {
    let served = TestServer::new(ServerLimits::default());
    let port = served.address.port();
    let get = |host: &str| {
        served.raw(&format!("GET /api/games HTTP/1.1\r\n{host}connection: close\r\n\r\n")).0
    };
    for name in ["127.0.0.1", "localhost", "[::1]"] {
        assert_eq!(get(&format!("host: {name}:{port}\r\n")), 200, "{name}");
    }
    assert_eq!(get(""), 403);
    assert_eq!(get(&format!("host: localhost:{port}\r\nhost: evil.example:{port}\r\n")), 403);
    for name in
        ["evil.example", "localhost.evil.example", "127.0.0.1.nip.io", "192.168.0.7", "0", ""]
    {
        assert_eq!(get(&format!("host: {name}:{port}\r\n")), 403, "{name}");
        assert_eq!(get(&format!("host: {name}\r\n")), 403, "{name}");
    }
    let old = served.raw("GET /api/games HTTP/1.0\r\n\r\n");
    assert_eq!(old.0, 403);
    let proxied = format!(
        "GET http://evil.example/api/games HTTP/1.1\r\nhost: localhost:{port}\r\nconnection: close\r\n\r\n"
    );
    assert_eq!(served.raw(&proxied).0, 403);
}

#[test]
fn requests_of_other_sites_are_rejected() {
    let served = TestServer::new(ServerLimits::default());
    let host = served.address.to_string();
    let own = format!("http://{host}");
    assert!(served.open_socket(&[("host", &host), ("origin", &own)]).is_ok());
    assert!(served.open_socket(&[("host", &host)]).is_ok(), "a script has no origin");
    let other_port = format!("http://127.0.0.1:{}", served.address.port() ^ 1);
    for origin in ["http://evil.example", "null", "https://evil.example", &other_port, "file://"] {
        let refused = served.open_socket(&[("host", &host), ("origin", origin)]);
        assert_eq!(refused.err(), Some(403), "{origin}");
        let post = format!(
            "POST /api/position HTTP/1.1\r\nhost: {host}\r\norigin: {origin}\r\nconnection: close\r\n\
             content-type: application/json\r\ncontent-length: 18\r\n\r\n{{\"game\":\"connect4\"}}"
        );
        assert_eq!(served.raw(&post).0, 403, "{origin}");
    }
    // With DNS rebinding, both headers have the foreign name.
    let rebound = format!("evil.example:{}", served.address.port());
    let origin = format!("http://{rebound}");
    assert_eq!(served.open_socket(&[("host", &rebound), ("origin", &origin)]).err(), Some(403));
    let fetched = [("host", host.as_str()), ("sec-fetch-site", "cross-site")];
    assert_eq!(served.open_socket(&fetched).err(), Some(403));
}
