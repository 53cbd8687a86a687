//! `tussle doctor`.

use crate::common::{json, stdout};

#[test]
fn doctor_checks_processor_limits_clock_and_programs() {
    let document = json(&["doctor", "--json"]);
    assert_eq!(document["ok"], true);
    let checks = document["checks"].as_array().unwrap();
    let names: Vec<&str> = checks.iter().filter_map(|check| check["name"].as_str()).collect();
    for name in ["build", "processor", "cores", "clock", "temporary files", "guard", "gnugo"] {
        assert!(names.contains(&name), "{name} is not among {names:?}");
    }
    for check in checks {
        let status = check["status"].as_str().unwrap();
        assert!(["ok", "note"].contains(&status), "{check}");
        // Each note has advice.
        assert_eq!(status == "note", check["advice"].is_string(), "{check}");
    }
    let cores = std::thread::available_parallelism().unwrap().to_string();
    let found = checks.iter().find(|check| check["name"] == "cores").unwrap();
    assert!(found["found"].as_str().unwrap().starts_with(&cores));
    let text = stdout(&["doctor"], "");
    assert!(names.iter().all(|name| text.contains(name)), "{text}");
}

#[cfg(unix)]
#[test]
fn a_folder_that_cannot_be_written_is_noted() {
    use std::process::Command;
    // Not even root can write to /proc.
    let output = Command::new(env!("CARGO_BIN_EXE_tussle"))
        .args(["doctor", "--json"])
        .current_dir("/proc")
        .output()
        .unwrap();
    let document: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = document["checks"].as_array().unwrap();
    let folder = checks.iter().find(|check| check["name"] == "this folder").unwrap();
    assert_eq!(folder["status"], "note", "{folder}");
    assert!(folder["found"].as_str().unwrap().contains("cannot be written"), "{folder}");
}
