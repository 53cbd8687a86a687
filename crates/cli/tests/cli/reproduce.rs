//! `tussle reproduce` from outside.

use crate::common::{Folder, json, stdout, tussle};

#[test]
fn without_arguments_it_lists_the_reproductions_with_their_times() {
    let text = stdout(&["reproduce"], "");
    for name in ["gobblet", "keep-on-moving-heavy", "go-mcts", "pentago-reuse", "ucb1", "hours"] {
        assert!(text.contains(name), "{name}: {text}");
    }
    assert_eq!(text, stdout(&["reproduce", "--list"], ""));
    let all = json(&["reproduce", "--json"]);
    assert_eq!(all.as_array().unwrap().len(), 12);
    assert!(all[0]["full_seconds"].as_f64() > all[0]["quick_seconds"].as_f64());
}

#[test]
fn exact_reproductions_agree_and_write_a_page() {
    let folder = Folder::new("reproduce");
    let (html, out) = (folder.path("report.html"), folder.path("kept"));
    let args = ["reproduce", "lecture-alphabeta", "--only", "ucb1,lecture-alphabeta"];
    let text = stdout(&[&args[..], &["--html", &html, "--out", &out]].concat(), "");
    assert!(text.contains("A B D H I E J C F L M"), "{text}");
    assert!(text.contains("lecture-alphabeta: agrees (10 agree)"), "{text}");
    assert!(text.contains("ucb1: agrees (12 agree)"), "{text}");
    let page = std::fs::read_to_string(&html).unwrap();
    assert!(page.starts_with("<!doctype html>") && page.ends_with("</html>\n"));
    assert_eq!(page.matches("<section id=").count(), 2);
    for file in ["report.html", "report.json"] {
        assert!(std::fs::metadata(format!("{out}/{file}")).unwrap().len() > 0, "{file}");
    }
}

#[test]
fn reproductions_show_our_and_published_numbers() {
    let report = json(&["reproduce", "gobblet", "--quick", "--json"]);
    assert_eq!([&report["agree"], &report["differ"]], [1, 0]);
    let row = &report["reproductions"][0]["rows"][0];
    assert_eq!(row["published"]["share"]["hits"], 94);
    assert_eq!(row["ours"]["share"]["of"], 2000);
    assert_eq!(row["verdict"], "agrees");
    assert!(row["p"].as_f64().unwrap() > 0.01);
}

#[test]
fn wrong_usage_is_reported_before_the_work() {
    let folder = Folder::new("reproduce-bad");
    let missing = folder.path("no/such/folder/report.html");
    // A file cannot be used as a folder.
    let file = folder.path("file");
    std::fs::write(&file, "x").unwrap();
    let cases: [(&[&str], &str); 7] = [
        (&["reproduce", "goblet"], "did you mean `gobblet`?"),
        (&["reproduce", "--full", "--only", "chess"], "there is no reproduction `chess`"),
        (&["reproduce", "--full", "--html", &missing], "cannot write"),
        (&["reproduce", "--full", "--out", &file], "cannot write"),
        (&["reproduce", "--quick", "--full"], "cannot be used with"),
        (&["reproduce", "--html", "report.html"], "needs a name, --quick or --full"),
        (&["reproduce", "ucb1", "--jobs", "0"], "--jobs"),
    ];
    for (args, why) in cases {
        let output = tussle(args);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(stderr.contains(why), "{args:?}: {stderr}");
    }
}
