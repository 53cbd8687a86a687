//! Lost connections.

use tussle_testkit::browser::{Browser, is_there};
use tussle_web::Options;

use crate::served::TestServer;

#[test]
fn a_task_resumes_when_the_server_is_back() {
    if !is_there() {
        return;
    }
    let served = TestServer::new(Options::default());
    let port = served.url.rsplit(':').next().and_then(|port| port.parse().ok()).unwrap();
    let mut browser = Browser::start(800, 800).unwrap();
    browser.visit(&format!("{}/#tictactoe?first=human&second=human", served.url)).unwrap();
    // Start another task besides those of the page. It takes longer than this server runs.
    let begin = "import('./assets/net.js').then(({ Live }) => {
        window.live = new Live();
        window.heard = [];
        const ask = { op: 'search', place: { game: 'go:size=9' }, agent: 'mcts:memory=20MB' };
        window.task = live.begin(ask, (told) => heard.push(told.event));
    })";
    browser.eval(begin).unwrap();
    browser.wait_for("window.heard?.includes('report')").unwrap();
    drop(served);
    browser.wait_for("live.socket === null").unwrap();
    browser.eval("heard.length = 0").unwrap();
    let _again = TestServer::new(Options { port, ..Options::default() });
    browser.wait_for("heard.includes('report')").unwrap();
    browser.eval("live.stop(task)").unwrap();
    browser.wait_for("heard.includes('done')").unwrap();
    assert!(!browser.eval("heard").unwrap().to_string().contains("error"));
}
