//! Checking the parameters of a spec against their table.

use std::fs::File;
use std::io::Read as _;

use tussle_core::{Args, Evaluation, Kind, Param, Setting};

use crate::suggest::suggest;
use crate::{Error, Spec};

/// No game file needs more; a larger one is a mistake, or a trap.
const LARGEST_FILE: u64 = 256 << 20;

/// Gives every parameter its value: from the spec, or its default. An evaluation's own
/// parameters join the table once it is known which evaluation is meant.
pub(crate) fn settle(
    spec: &Spec,
    params: &[Param],
    evaluations: &'static [Evaluation],
) -> Result<Args, Error> {
    let mut params: Vec<Param> = params.to_vec();
    let mut settings = Vec::new();
    let mut i = 0;
    while let Some(&param) = params.get(i) {
        let value = spec.pairs.iter().find(|(key, _)| key == param.key).map(|(_, v)| v.as_str());
        let setting = read(param, value.unwrap_or(param.default), evaluations).map_err(|why| {
            Error::Spec(format!("{}: {}={}: {why}", spec.name, param.key, value.unwrap_or("")))
        })?;
        if let Setting::Evaluation(index) = setting {
            params.extend(evaluations[index].params);
        }
        settings.push((param.key, setting));
        i += 1;
    }
    for (n, (key, _)) in spec.pairs.iter().enumerate() {
        if !params.iter().any(|param| param.key == key) {
            let help = suggest(key, "keys", params.iter().map(|param| param.key));
            return Err(Error::Spec(format!("{}: unknown key `{key}`; {help}", spec.name)));
        }
        if spec.pairs[..n].iter().any(|(earlier, _)| earlier == key) {
            return Err(Error::Spec(format!("{}: `{key}` is given twice", spec.name)));
        }
    }
    Ok(Args::new(settings))
}

fn read(param: Param, text: &str, evaluations: &'static [Evaluation]) -> Result<Setting, String> {
    match param.kind {
        Kind::Evaluation if text.is_empty() => match evaluations {
            [] => Err("this game has no evaluations".to_owned()),
            _ => Ok(Setting::Evaluation(0)),
        },
        _ if text.is_empty() && param.default.is_empty() => Ok(Setting::Unset),
        Kind::Int(low, high) => match text.parse() {
            Ok(n) if (low..=high).contains(&n) => Ok(Setting::Int(n)),
            _ => Err(format!("expected a whole number from {low} to {high}")),
        },
        Kind::IntOr(_, _, word) if text == word => Ok(Setting::Choice(word)),
        Kind::IntOr(low, high, word) => match text.parse() {
            Ok(n) if (low..=high).contains(&n) => Ok(Setting::Int(n)),
            _ => Err(format!("expected a whole number from {low} to {high}, or `{word}`")),
        },
        Kind::Float(low, high) => match text.parse() {
            Ok(x) if (low..=high).contains(&x) => Ok(Setting::Float(x)),
            _ => Err(format!("expected a number from {low} to {high}")),
        },
        Kind::Switch => match text {
            "on" => Ok(Setting::Switch(true)),
            "off" => Ok(Setting::Switch(false)),
            _ => Err("expected `on` or `off`".to_owned()),
        },
        Kind::Choice(words) => match words.iter().find(|&&word| word == text) {
            Some(word) => Ok(Setting::Choice(word)),
            None => Err(suggest(text, "values", words.iter().copied())),
        },
        Kind::Words => {
            let words = text.split([',', ' ', '|']).filter(|word| !word.is_empty());
            Ok(Setting::Words(words.map(str::to_owned).collect()))
        }
        Kind::Evaluation => match evaluations.iter().position(|e| e.name == text) {
            Some(index) => Ok(Setting::Evaluation(index)),
            None => Err(suggest(text, "evaluations", evaluations.iter().map(|e| e.name))),
        },
        Kind::File => {
            let text_of = read_file(text)?;
            Ok(Setting::File { path: text.to_owned(), text: text_of })
        }
    }
}

fn read_file(path: &str) -> Result<String, String> {
    let file = File::open(path).map_err(|e| format!("cannot open the file: {e}"))?;
    let mut bytes = Vec::new();
    file.take(LARGEST_FILE + 1)
        .read_to_end(&mut bytes)
        .map_err(|e| format!("cannot read the file: {e}"))?;
    if bytes.len() as u64 > LARGEST_FILE {
        return Err(format!("the file is larger than {} MB", LARGEST_FILE >> 20));
    }
    String::from_utf8(bytes).map_err(|e| {
        let line = e.as_bytes()[..e.utf8_error().valid_up_to()].split(|&b| b == b'\n').count();
        format!("the file is not UTF-8 text (line {line})")
    })
}

/// The spec string that gives these parameters: defaults are left out.
pub(crate) fn canonical(spec: &Spec, params: &[Param]) -> String {
    let given = params.iter().filter_map(|param| {
        let (key, value) = spec.pairs.iter().find(|(key, _)| key == param.key)?;
        (value != param.default).then(|| format!("{key}={value}"))
    });
    let given: Vec<String> = given.collect();
    match given.as_slice() {
        [] => spec.name.clone(),
        given => format!("{}:{}", spec.name, given.join(",")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &[Param] = &[
        Param { key: "width", kind: Kind::Int(1, 16), default: "7", help: "" },
        Param { key: "c", kind: Kind::Float(0.0, 9.0), default: "1.4", help: "" },
        Param { key: "cap", kind: Kind::IntOr(1, 99, "off"), default: "", help: "" },
        Param { key: "reuse", kind: Kind::Switch, default: "off", help: "" },
        Param { key: "moves", kind: Kind::Words, default: "", help: "" },
        Param { key: "file", kind: Kind::File, default: "", help: "" },
    ];

    fn args(text: &str) -> Result<Args, String> {
        settle(&Spec::parse(text).unwrap(), TABLE, &[]).map_err(|e| e.to_string())
    }

    #[test]
    fn defaults_fill_what_is_not_given() {
        let args = args("x:c=2,moves=a1|b2 c3").unwrap();
        assert_eq!((args.int("width"), args.float("c"), args.switch("reuse")), (7, 2.0, false));
        assert_eq!(args.words("moves"), ["a1", "b2", "c3"]);
        assert!(!args.is_set("file") && !args.is_set("cap"));
    }

    #[test]
    fn a_word_may_stand_in_the_place_of_a_number() {
        assert_eq!(args("x:cap=50").unwrap().int_or("cap"), Some(50));
        assert_eq!(args("x:cap=off").unwrap().int_or("cap"), None);
    }

    #[test]
    fn a_wrong_value_is_answered_with_the_right_ones() {
        for (text, part) in [
            ("x:width=17", "x: width=17: expected a whole number from 1 to 16"),
            ("x:width=", "from 1 to 16"),
            ("x:cap=100", "expected a whole number from 1 to 99, or `off`"),
            ("x:cap=of", "from 1 to 99, or `off`"),
            ("x:c=nan", "expected a number from 0 to 9"),
            ("x:reuse=yes", "expected `on` or `off`"),
            ("x:witdh=3", "unknown key `witdh`; did you mean `width`?"),
            ("x:c=1,c=2", "`c` is given twice"),
            ("x:file=/nowhere/x", "cannot open the file"),
            ("x:file=/", "cannot read the file"),
        ] {
            let message = args(text).unwrap_err();
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn the_canonical_spec_leaves_out_defaults() {
        let spec = Spec::parse("x:c=2,width=7").unwrap();
        assert_eq!(canonical(&spec, TABLE), "x:c=2");
    }
}
