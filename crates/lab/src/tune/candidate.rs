//! Specs of candidates: an agent or a program with the values of the tuned parameters.

use tussle_catalog::{AGENTS, AnyGame, Catalog, ParamKind, Spec, is_program};

use super::TuneError;
use super::parameter::{Parameter, Point};

/// Agent as given, in which values are set.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Template {
    /// Agent of the catalog.
    Agent(Spec),
    /// Program whose command has placeholders `{key}` or `{key=VALUE}`.
    Program(String),
}

impl Template {
    /// Creates the template of an agent.
    ///
    /// # Errors
    /// If the spec is not of the form of a spec, or a program has no placeholder for one of the parameters.
    pub(crate) fn new(spec: &str, parameters: &[Parameter]) -> Result<Self, TuneError> {
        if !is_program(spec) {
            return Ok(Self::Agent(Spec::parse(spec)?));
        }
        for Parameter { key, .. } in parameters {
            if placeholders(spec, key).is_empty() {
                let (spec, key) = (spec.to_owned(), key.clone());
                return Err(TuneError::NoPlaceholder { spec, key });
            }
        }
        Ok(Self::Program(spec.to_owned()))
    }

    /// Returns the spec with these values.
    pub(crate) fn with_values(&self, parameters: &[Parameter], values: &[String]) -> String {
        let named = || parameters.iter().map(|parameter| parameter.key.as_str()).zip(values);
        match self {
            Self::Agent(spec) => {
                let mut pairs = spec.pairs.clone();
                for (key, value) in named() {
                    match pairs.iter_mut().find(|(known, _)| known == key) {
                        Some((_, old)) => old.clone_from(value),
                        None => pairs.push((key.to_owned(), value.clone())),
                    }
                }
                let pairs: Vec<String> =
                    pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
                format!("{}:{}", spec.name, pairs.join(","))
            }
            Self::Program(command) => {
                named().fold(command.clone(), |text, (key, value)| filled(&text, key, value))
            }
        }
    }

    /// Returns the values of the agent as given; `None` for a parameter without a known value.
    pub(crate) fn start_values(
        &self,
        spec: &str,
        parameters: &[Parameter],
        game: &dyn AnyGame,
    ) -> Vec<Option<String>> {
        let settled = match self {
            Self::Agent(_) => game.settled_agent(spec).ok(),
            Self::Program(_) => None,
        };
        let value = |parameter: &Parameter| match self {
            Self::Agent(_) => settled.as_ref()?.value(&parameter.key).map(str::to_owned),
            Self::Program(command) => {
                let mut all = placeholders(command, &parameter.key).into_iter();
                let given = all.find_map(|(_, value)| value);
                Some(given.map_or_else(|| parameter.middle(), str::to_owned))
            }
        };
        parameters.iter().map(value).collect()
    }

    /// Returns the spec of the agent as given, with the start values in place of placeholders.
    pub(crate) fn start_spec(
        &self,
        spec: &str,
        parameters: &[Parameter],
        values: &[Option<String>],
    ) -> String {
        match self {
            Self::Agent(_) => spec.to_owned(),
            Self::Program(_) => {
                let values: Vec<String> =
                    values.iter().map(|value| value.clone().unwrap_or_default()).collect();
                self.with_values(parameters, &values)
            }
        }
    }
}

/// Returns the byte ranges of all placeholders of a key, and their values.
fn placeholders<'a>(command: &'a str, key: &str) -> Vec<((usize, usize), Option<&'a str>)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(open) = command[from..].find('{').map(|at| from + at) {
        let Some(close) = command[open..].find('}').map(|at| open + at) else { break };
        let (name, value) = match command[open + 1..close].split_once('=') {
            Some((name, value)) => (name, Some(value)),
            None => (&command[open + 1..close], None),
        };
        // In `{{c}` the inner brace begins the placeholder.
        from = if name.contains('{') { open + 1 } else { close + 1 };
        if name == key {
            found.push(((open, close + 1), value));
        }
    }
    found
}

/// Replaces all placeholders of a key by a value.
fn filled(command: &str, key: &str, value: &str) -> String {
    let mut text = command.to_owned();
    for ((from, to), _) in placeholders(command, key).into_iter().rev() {
        text.replace_range(from..to, value);
    }
    text
}

/// Returns the parameter with real numbers if the agent's parameter of this key takes real numbers.
pub(crate) fn with_kind_of_agent(parameter: Parameter, spec: &str, catalog: &Catalog) -> Parameter {
    let name = catalog.expanded(spec).map(|spec| spec.name).unwrap_or_default();
    let info = AGENTS.iter().find(|info| info.name == name);
    let param = info.and_then(|info| info.params.iter().find(|param| param.key == parameter.key));
    let is_real = matches!(
        param.map(|param| param.kind),
        Some(ParamKind::Float(..) | ParamKind::FloatOr(..))
    );
    if is_real { parameter.as_real() } else { parameter }
}

/// Returns the coordinates of values; `None` if one of them has none.
pub(crate) fn point_of(parameters: &[Parameter], values: &[Option<String>]) -> Option<Point> {
    let coordinate =
        |(parameter, value): (&Parameter, &Option<String>)| parameter.coordinate(value.as_deref()?);
    parameters.iter().zip(values).map(coordinate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameters(texts: &[&str]) -> Vec<Parameter> {
        texts.iter().map(|text| text.parse().unwrap()).collect()
    }

    fn values(values: &[&str]) -> Vec<String> {
        values.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_value_replaces_the_given_one_or_is_added() {
        let keys = parameters(&["c=0.1..2", "rollout=random|heavy"]);
        let template = Template::new("mcts:c=1,book=a,b", &keys).unwrap();
        let spec = template.with_values(&keys, &values(&["0.5", "heavy"]));
        assert_eq!(spec, "mcts:c=0.5,book=a,b,rollout=heavy");
        let plain = Template::new("mcts", &keys).unwrap();
        assert_eq!(plain.with_values(&keys[..1], &values(&["0.5"])), "mcts:c=0.5");
    }

    #[test]
    fn a_program_takes_values_in_the_placeholders_of_its_command() {
        let keys = parameters(&["c=0.1..2", "d=2..6"]);
        let command = "json:python3 mine.py --c {c=1.4} -d{d} --again {c} --set {x=1}";
        let template = Template::new(command, &keys).unwrap();
        let spec = template.with_values(&keys, &values(&["0.5", "3"]));
        assert_eq!(spec, "json:python3 mine.py --c 0.5 -d3 --again 0.5 --set {x=1}");
        let game = tussle_catalog::game("tictactoe").unwrap();
        let start = template.start_values(command, &keys, game.as_ref());
        assert_eq!(start, [Some("1.4".to_owned()), Some("4".to_owned())]);
        let start = template.start_spec(command, &keys, &start);
        assert_eq!(start, "json:python3 mine.py --c 1.4 -d4 --again 1.4 --set {x=1}");
        let error = Template::new("json:mine {c}", &keys).unwrap_err().to_string();
        assert!(error.contains("json:mine {c}: expected the placeholder {d}"), "{error}");
    }

    #[test]
    fn the_start_values_of_an_agent_are_given_or_defaults() {
        let keys = parameters(&["c=0..2", "nodes=10..100"]);
        let game = tussle_catalog::game("connect4").unwrap();
        let start = |spec: &str| {
            Template::new(spec, &keys).unwrap().start_values(spec, &keys, game.as_ref())
        };
        assert_eq!(start("mcts:c=0.7")[0].as_deref(), Some("0.7"));
        assert!(start("mcts")[0].is_some() && start("mcts")[1].is_none());
        let real = with_kind_of_agent(keys[0].clone(), "level-3", &Catalog::standard());
        assert_eq!(real, keys[0].clone().as_real());
        let whole = with_kind_of_agent(keys[1].clone(), "mcts", &Catalog::standard());
        assert_eq!(whole, keys[1]);
    }
}
