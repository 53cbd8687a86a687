//! The signature of all searches.

use crate::common::{as_recorded, json, stdout};
use serde_json::Value;

/// One line a search, so that a difference tells which ones have changed.
fn lines(document: &Value) -> String {
    let word = |search: &Value, key: &str| search[key].as_str().unwrap_or("-").to_owned();
    let searches = document["searches"].as_array().expect("a list").iter().map(|search| {
        let words = ["game", "moves", "agent", "best"].map(|key| word(search, key)).join(" | ");
        format!("{words} | {} | {}\n", search["nodes"], search["count"])
    });
    let signature = format!("signature: {}\n", document["signature"]);
    searches.chain([signature]).collect()
}

#[test]
fn every_search_is_as_recorded() {
    as_recorded("signature.txt", &lines(&json(&["bench", "--json"])));
}

#[test]
fn the_signature_is_the_sum_of_its_counts_and_the_last_line() {
    let document = json(&["bench", "--json"]);
    let searches = document["searches"].as_array().unwrap();
    let sum: u64 = searches.iter().map(|search| search["count"].as_u64().unwrap()).sum();
    assert_eq!(document["signature"], sum);
    let text = stdout(&["bench"], "");
    assert_eq!(text.lines().last(), Some(&*format!("signature: {sum}")));
}
