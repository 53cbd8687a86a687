//! Checks of the parameters of a spec against their table.

use std::path::Path;

use tussle_core::{ParseError, parse_bytes};

use crate::file::{ReadError, read_text};
use crate::number::parse_number;
use crate::param::{Args, Setting};
use crate::suggest::suggest;
use crate::{Error, Evaluation, Param, ParamKind, Spec};

/// Reason why a text is not a value of its parameter.
#[derive(Debug, thiserror::Error)]
enum ValueError {
    #[error("expected a value; leave the key out for the default")]
    Missing,
    #[error("this game has no evaluations")]
    NoEvaluations,
    #[error("expected {what} from {low} to {high}{}", or_word(*.word))]
    Number { what: &'static str, low: String, high: String, word: Option<&'static str> },
    #[error(transparent)]
    Bytes(#[from] ParseError),
    #[error("expected `on` or `off`")]
    Switch,
    #[error("{}", suggest(.given, .what, .valid.iter().copied()))]
    Word { given: String, what: &'static str, valid: Vec<&'static str> },
    #[error(transparent)]
    File(#[from] ReadError),
    #[error("expected one of {}, or a file; {reason}", .words.join(", "))]
    WordOrFile { words: &'static [&'static str], reason: ReadError },
}

/// Returns the end of a sentence that names the word accepted instead of a number.
fn or_word(word: Option<&'static str>) -> String {
    word.map(|word| format!(", or `{word}`")).unwrap_or_default()
}

impl ValueError {
    fn int(low: i64, high: i64, word: Option<&'static str>) -> Self {
        let (low, high) = (low.to_string(), high.to_string());
        Self::Number { what: "a whole number", low, high, word }
    }

    fn float(low: f64, high: f64, word: Option<&'static str>) -> Self {
        let (low, high) = (low.to_string(), high.to_string());
        Self::Number { what: "a number", low, high, word }
    }
}

/// Returns the value of every parameter: from the spec, or the default.
///
/// The spec also has the parameters of a chosen evaluation. If the table has a parameter of the same name, that of
/// the evaluation is written with the prefix `eval.`: `eval.c=2`.
pub(crate) fn settle(
    spec: &Spec,
    params: &[Param],
    evaluations: &[Evaluation],
) -> Result<Args, Error> {
    let mut known: Vec<String> = params.iter().map(|param| param.key.to_owned()).collect();
    let mut settings = Vec::new();
    for &param in params {
        let mut setting = setting(spec, param.key, param, evaluations)?;
        if let Setting::Evaluation(index, args) = &mut setting {
            let mut own = Vec::new();
            for &inner in &evaluations[*index].params {
                let mut key = inner.key.to_owned();
                if known.contains(&key) {
                    key = format!("{}.{}", param.key, inner.key);
                }
                own.push((inner.key, self::setting(spec, &key, inner, &[])?));
                known.push(key);
            }
            *args = Args::new(own);
        }
        settings.push((param.key, setting));
    }
    for (n, (key, _)) in spec.pairs.iter().enumerate() {
        if !known.contains(key) {
            let help = suggest(key, "keys", known.iter().map(String::as_str));
            return Err(Error::Spec(format!("{}: unknown key `{key}`; {help}", spec.name)));
        }
        if spec.pairs[..n].iter().any(|(earlier, _)| earlier == key) {
            return Err(Error::Spec(format!("{}: `{key}` is given twice", spec.name)));
        }
    }
    Ok(Args::new(settings))
}

/// Returns the value of one parameter, which the spec gives under `key`.
fn setting(
    spec: &Spec,
    key: &str,
    param: Param,
    evaluations: &[Evaluation],
) -> Result<Setting, Error> {
    let value = spec.value(key);
    let text = value.unwrap_or(param.default);
    // Only a list of words may be empty; any other key without a value is a mistake, not the default.
    let settled = if value == Some("") && param.default.is_empty() && param.kind != ParamKind::Words
    {
        Err(ValueError::Missing)
    } else {
        read(param, text, evaluations)
    };
    settled.map_err(|why| {
        let given = value.map_or_else(|| key.to_owned(), |value| format!("{key}={value}"));
        Error::Spec(format!("{}: {given}: {why}", spec.name))
    })
}

fn read(param: Param, text: &str, evaluations: &[Evaluation]) -> Result<Setting, ValueError> {
    let int = |low: i64, high: i64, word| match text.parse() {
        Ok(n) if (low..=high).contains(&n) => Ok(Setting::Int(n)),
        _ => Err(ValueError::int(low, high, word)),
    };
    let float = |low: f64, high: f64, word| match parse_number(text) {
        Some(x) if (low..=high).contains(&x) => Ok(Setting::Float(x)),
        _ => Err(ValueError::float(low, high, word)),
    };
    let unknown = |what, valid| Err(ValueError::Word { given: text.to_owned(), what, valid });
    match param.kind {
        ParamKind::Evaluation if text.is_empty() => match evaluations {
            [] => Err(ValueError::NoEvaluations),
            _ => Ok(Setting::Evaluation(0, Args::default())),
        },
        _ if text.is_empty() && param.default.is_empty() => Ok(Setting::Unset),
        ParamKind::IntOr(_, _, word) | ParamKind::FloatOr(_, _, word) if text == word => {
            Ok(Setting::Choice(word))
        }
        ParamKind::Int(low, high) => int(low, high, None),
        ParamKind::IntOr(low, high, word) => int(low, high, Some(word)),
        ParamKind::Float(low, high) => float(low, high, None),
        ParamKind::FloatOr(low, high, word) => float(low, high, Some(word)),
        ParamKind::Bytes => Ok(Setting::Int(parse_bytes(text)? as i64)),
        ParamKind::Switch => match text {
            "on" => Ok(Setting::Switch(true)),
            "off" => Ok(Setting::Switch(false)),
            _ => Err(ValueError::Switch),
        },
        ParamKind::Choice(words) => match words.iter().find(|&&word| word == text) {
            Some(word) => Ok(Setting::Choice(word)),
            None => unknown("values", words.to_vec()),
        },
        ParamKind::Words => {
            let words = text.split([',', ' ', '|']).filter(|word| !word.is_empty());
            Ok(Setting::Words(words.map(str::to_owned).collect()))
        }
        ParamKind::Evaluation => match evaluations.iter().position(|e| e.name == text) {
            Some(index) => Ok(Setting::Evaluation(index, Args::default())),
            None => unknown("evaluations", evaluations.iter().map(|e| e.name).collect()),
        },
        ParamKind::ChoiceOrFile(words) => match words.iter().find(|&&word| word == text) {
            Some(word) => Ok(Setting::Choice(word)),
            None => file(text).map_err(|reason| ValueError::WordOrFile { words, reason }),
        },
        ParamKind::File => Ok(file(text)?),
    }
}

fn file(path: &str) -> Result<Setting, ReadError> {
    Ok(Setting::File { path: path.to_owned(), text: read_text(Path::new(path))? })
}

/// Returns the canonical spec string: without defaults, and with values in one form (`width=7` for `width=07`).
pub(crate) fn canonical(spec: &Spec, params: &[Param]) -> String {
    let given = params.iter().filter_map(|param| {
        let value = spec.value(param.key)?;
        let value = match param.kind {
            ParamKind::Int(..) => value.parse().map_or(value.to_owned(), |n: i64| n.to_string()),
            ParamKind::Float(..) | ParamKind::FloatOr(..) => {
                parse_number(value).map_or(value.to_owned(), |x| x.to_string())
            }
            _ => value.to_owned(),
        };
        (value != param.default).then(|| format!("{}={value}", param.key))
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
        Param { key: "width", kind: ParamKind::Int(1, 16), default: "7", help: "" },
        Param { key: "c", kind: ParamKind::Float(0.0, 9.0), default: "1.4", help: "" },
        Param { key: "cap", kind: ParamKind::IntOr(1, 99, "off"), default: "", help: "" },
        Param { key: "draw", kind: ParamKind::FloatOr(-5.0, 5.0, "off"), default: "", help: "" },
        Param { key: "reuse", kind: ParamKind::Switch, default: "off", help: "" },
        Param { key: "moves", kind: ParamKind::Words, default: "", help: "" },
        Param { key: "file", kind: ParamKind::File, default: "", help: "" },
    ];

    fn args(text: &str) -> Result<Args, Error> {
        settle(&Spec::parse(text).unwrap(), TABLE, &[])
    }

    #[test]
    fn missing_parameters_get_their_defaults() {
        let args = args("x:c=2,moves=a1|b2 c3").unwrap();
        let get = |key| args.get(key).expect("the table has it");
        assert_eq!(get("width"), &Setting::Int(7));
        assert_eq!(get("c"), &Setting::Float(2.0));
        assert_eq!(get("reuse"), &Setting::Switch(false));
        assert_eq!(get("moves"), &Setting::Words(["a1", "b2", "c3"].map(String::from).to_vec()));
        assert_eq!((get("file"), get("cap")), (&Setting::Unset, &Setting::Unset));
    }

    #[test]
    fn a_word_may_replace_a_number() {
        assert_eq!(args("x:cap=50").unwrap().get("cap"), Some(&Setting::Int(50)));
        assert_eq!(args("x:cap=off").unwrap().get("cap"), Some(&Setting::Choice("off")));
    }

    #[test]
    fn the_error_of_a_wrong_value_names_the_valid_ones() {
        for (text, part) in [
            ("x:width=17", "x: width=17: expected a whole number from 1 to 16"),
            ("x:width=", "from 1 to 16"),
            ("x:cap=", "x: cap=: expected a value; leave the key out for the default"),
            ("x:file=", "expected a value"),
            ("x:cap=100", "expected a whole number from 1 to 99, or `off`"),
            ("x:cap=of", "from 1 to 99, or `off`"),
            ("x:c=nan", "expected a number from 0 to 9"),
            ("x:reuse=yes", "expected `on` or `off`"),
            ("x:witdh=3", "unknown key `witdh`; did you mean `width`?"),
            ("x:c=1,c=2", "`c` is given twice"),
            ("x:file=/nowhere/x", "cannot open the file"),
            ("x:file=/", "cannot read the file"),
        ] {
            let message = args(text).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn the_canonical_spec_has_no_defaults() {
        let canonical = |text: &str| canonical(&Spec::parse(text).unwrap(), TABLE);
        assert_eq!(canonical("x:c=2.0,width=07"), "x:c=2");
        assert_eq!(canonical("x:c=7/5,draw=sqrt(4)"), "x:draw=2");
        assert_eq!(canonical("x:draw=off"), "x:draw=off");
        assert_eq!(canonical("x:c=sqrt2"), "x:c=1.4142135623730951");
        assert_eq!(canonical(&canonical("x:c=sqrt2")), canonical("x:c=sqrt2"));
    }

    #[test]
    fn a_number_may_be_an_expression() {
        let given = args("x:c=sqrt(2)/7,draw=2*sqrt2,width=3").unwrap();
        assert_eq!(given.get("c"), Some(&Setting::Float(2f64.sqrt() / 7.0)));
        assert_eq!(given.get("draw"), Some(&Setting::Float(2.0 * 2f64.sqrt())));
        for (text, part) in [
            ("x:c=sqrt(100)", "x: c=sqrt(100): expected a number from 0 to 9"),
            ("x:c=-sqrt2", "expected a number from 0 to 9"),
            ("x:draw=sqrt(-1)", "expected a number from -5 to 5, or `off`"),
            ("x:width=sqrt4", "expected a whole number from 1 to 16"),
        ] {
            let message = args(text).unwrap_err().to_string();
            assert!(message.contains(part), "{text}: {message}");
        }
    }

    #[test]
    fn a_key_of_both_agent_and_evaluation_belongs_to_the_agent() {
        const C: Param =
            Param { key: "c", kind: ParamKind::Float(0.0, 9.0), default: "1", help: "" };
        const A: Param = Param { key: "a", ..C };
        const EVAL: Param =
            Param { key: "eval", kind: ParamKind::Evaluation, default: "", help: "" };
        let evaluations =
            [Evaluation { name: "e", summary: "", params: vec![A, C], antisymmetric: false }];
        let float = |args: &Args, key| match args.get(key) {
            Some(Setting::Float(x)) => *x,
            other => panic!("{key}: {other:?}"),
        };
        let read = |text: &str| {
            let args = settle(&Spec::parse(text).unwrap(), &[C, EVAL], &evaluations).unwrap();
            let (_, eval) = args.evaluation("eval");
            (float(&args, "c"), float(&eval, "a"), float(&eval, "c"))
        };
        assert_eq!(read("x:c=2,a=3"), (2.0, 3.0, 1.0));
        assert_eq!(read("x:eval=e,eval.c=4"), (1.0, 1.0, 4.0));
    }
}
