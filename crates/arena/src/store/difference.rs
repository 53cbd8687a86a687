//! Readable differences between two tournament configurations.

use serde_json::Value;

/// Maximum length of a value, in characters. Longer ones are cut.
const MAX_VALUE_CHARS: usize = 80;

/// Returns one line for each difference between two configurations. `places` names where they are, such as `in the store`.
pub(super) fn differences(stored: &Value, now: &Value, places: [&str; 2]) -> Vec<String> {
    let line = |what: &str, then: &str, here: &str| {
        let [there, now] = places;
        format!("{what}: {then} {there}, {here} {now}")
    };
    let mut found = Vec::new();
    let keys = |value: &Value| -> Vec<String> {
        value.as_object().map(|object| object.keys().cloned().collect()).unwrap_or_default()
    };
    let mut all = keys(stored);
    for key in keys(now) {
        if !all.contains(&key) {
            all.push(key);
        }
    }
    for key in all {
        let (then, here) = (&stored[key.as_str()], &now[key.as_str()]);
        if then == here {
            continue;
        }
        match key.as_str() {
            "agents" => agents(then, here, &line, &mut found),
            "openings" => found.push(openings(then, here, &line)),
            key => found.push(line(&key.replace('_', "-"), &words(then), &words(here))),
        }
    }
    found
}

/// Function that makes a line from a setting and its two values.
type Line<'a> = dyn Fn(&str, &str, &str) -> String + 'a;

/// Returns a value as text without the quotation marks and brackets of JSON.
fn words(value: &Value) -> String {
    let text = match value {
        Value::Null => "none".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(values) if values.is_empty() => "none".to_owned(),
        Value::Array(values) => values.iter().map(words).collect::<Vec<_>>().join(", "),
        other => other.to_string(),
    };
    match text.char_indices().nth(MAX_VALUE_CHARS) {
        Some((at, _)) => format!("{}…", &text[..at]),
        None => text,
    }
}

/// Adds the differences between two lists of agents, by name.
fn agents(then: &Value, here: &Value, line: &Line<'_>, found: &mut Vec<String>) {
    let list = |value: &Value| -> Vec<(String, String)> {
        let agents = value.as_array().map(Vec::as_slice).unwrap_or_default();
        agents.iter().map(|agent| (words(&agent["name"]), words(&agent["spec"]))).collect()
    };
    let (then, here) = (list(then), list(here));
    let spec = |list: &[(String, String)], name: &str| {
        list.iter().find(|(known, _)| known == name).map(|(_, spec)| spec.clone())
    };
    let before = found.len();
    for (name, was) in &then {
        match spec(&here, name) {
            None => found.push(line(&format!("agent {name}"), was, "absent")),
            Some(is) if is != *was => found.push(line(&format!("agent {name}"), was, &is)),
            Some(_) => {}
        }
    }
    for (name, is) in &here {
        if spec(&then, name).is_none() {
            found.push(line(&format!("agent {name}"), "absent", is));
        }
    }
    if found.len() == before {
        let names = |list: &[(String, String)]| {
            list.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join(", ")
        };
        found.push(line("order of the agents", &names(&then), &names(&here)));
    }
}

/// Returns the first difference between two lists of openings, which may be long.
fn openings(then: &Value, here: &Value, line: &Line<'_>) -> String {
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let (then, here) = (list(then), list(here));
    let most = then.len().max(here.len());
    let at = (0..most).find(|&i| then.get(i) != here.get(i)).unwrap_or(0);
    let one = |list: &[Value]| list.get(at).map_or_else(|| "none".to_owned(), words);
    line(&format!("opening {} of {most}", at + 1), &one(&then), &one(&here))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn differences(then: &Value, now: &Value) -> Vec<String> {
        super::differences(then, now, ["in the store", "now"])
    }

    #[test]
    fn each_difference_has_its_own_line() {
        let then = json!({
            "games": ["go", "go:size=9"], "clock": "2s", "limit": null, "opening_plies": 0, "seed": 1,
            "agents": [{"name": "a", "spec": "greedy"}, {"name": "b", "spec": "random"}],
            "openings": ["1 2", "3"],
        });
        assert!(differences(&then, &then).is_empty());
        let now = json!({
            "games": ["go"], "clock": "1s", "limit": 5, "opening_plies": 4, "seed": 1,
            "agents": [{"name": "a", "spec": "greedy:eval=x"}, {"name": "c", "spec": "random"}],
            "openings": ["1 2"], "pace": true,
        });
        assert_eq!(
            differences(&then, &now),
            [
                "games: go, go:size=9 in the store, go now",
                "clock: 2s in the store, 1s now",
                "limit: none in the store, 5 now",
                "opening-plies: 0 in the store, 4 now",
                "agent a: greedy in the store, greedy:eval=x now",
                "agent b: random in the store, absent now",
                "agent c: absent in the store, random now",
                "opening 2 of 2: 3 in the store, none now",
                "pace: none in the store, true now",
            ]
        );
        let mut swapped = then.clone();
        swapped["agents"].as_array_mut().unwrap().reverse();
        assert_eq!(
            differences(&then, &swapped),
            ["order of the agents: a, b in the store, b, a now"]
        );
    }
}
