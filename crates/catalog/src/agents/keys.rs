//! Tables that map the keys of a spec string to the fields of an agent's options.

use tussle_core::{Args, Kind, Param, Setting};

/// One key of an agent: how its value is written, and the field of `O` that it sets.
///
/// Reading cannot fail: the value was checked against its [`Kind`], and an unset value leaves the
/// field at its default.
pub(super) struct Key<O> {
    param: Param,
    set: Set<O>,
}

impl<O> Clone for Key<O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for Key<O> {}

/// Stores a value of one type.
enum Set<O> {
    Int(fn(&mut O, i64)),
    /// `None` stands for the word that takes the place of a number.
    IntOr(fn(&mut O, Option<i64>)),
    Float(fn(&mut O, f64)),
    /// `None` stands for the word that takes the place of a number.
    FloatOr(fn(&mut O, Option<f64>)),
    Switch(fn(&mut O, bool)),
    Choice(fn(&mut O, &str)),
    /// The value is read elsewhere: evaluations and files need more than the options.
    Elsewhere,
}

impl<O> Clone for Set<O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for Set<O> {}

/// A parameter without its setter.
const fn param(key: &'static str, kind: Kind, default: &'static str, help: &'static str) -> Param {
    Param { key, kind, default, help }
}

impl<O> Key<O> {
    /// A whole number from `range.0` to `range.1`.
    pub(super) const fn int(
        key: &'static str,
        range: (i64, i64),
        default: &'static str,
        set: fn(&mut O, i64),
        help: &'static str,
    ) -> Self {
        Self { param: param(key, Kind::Int(range.0, range.1), default, help), set: Set::Int(set) }
    }

    /// A whole number, or `off`.
    pub(super) const fn int_or_off(
        key: &'static str,
        range: (i64, i64),
        default: &'static str,
        set: fn(&mut O, Option<i64>),
        help: &'static str,
    ) -> Self {
        let kind = Kind::IntOr(range.0, range.1, "off");
        Self { param: param(key, kind, default, help), set: Set::IntOr(set) }
    }

    /// A number.
    pub(super) const fn float(
        key: &'static str,
        range: (f64, f64),
        default: &'static str,
        set: fn(&mut O, f64),
        help: &'static str,
    ) -> Self {
        let kind = Kind::Float(range.0, range.1);
        Self { param: param(key, kind, default, help), set: Set::Float(set) }
    }

    /// A number, or `off`.
    pub(super) const fn float_or_off(
        key: &'static str,
        range: (f64, f64),
        default: &'static str,
        set: fn(&mut O, Option<f64>),
        help: &'static str,
    ) -> Self {
        let kind = Kind::FloatOr(range.0, range.1, "off");
        Self { param: param(key, kind, default, help), set: Set::FloatOr(set) }
    }

    /// An amount of memory.
    pub(super) const fn bytes(
        key: &'static str,
        default: &'static str,
        set: fn(&mut O, i64),
        help: &'static str,
    ) -> Self {
        Self { param: param(key, Kind::Bytes, default, help), set: Set::Int(set) }
    }

    /// `on` or `off`.
    pub(super) const fn switch(
        key: &'static str,
        default: &'static str,
        set: fn(&mut O, bool),
        help: &'static str,
    ) -> Self {
        Self { param: param(key, Kind::Switch, default, help), set: Set::Switch(set) }
    }

    /// One of these words.
    pub(super) const fn choice(
        key: &'static str,
        words: &'static [&'static str],
        default: &'static str,
        set: fn(&mut O, &str),
        help: &'static str,
    ) -> Self {
        Self { param: param(key, Kind::Choice(words), default, help), set: Set::Choice(set) }
    }

    /// A value that is read elsewhere.
    pub(super) const fn elsewhere(param: Param) -> Self {
        Self { param, set: Set::Elsewhere }
    }

    fn apply(&self, options: &mut O, setting: &Setting) {
        match (self.set, setting) {
            (Set::Int(set), Setting::Int(n)) => set(options, *n),
            (Set::IntOr(set), Setting::Int(n)) => set(options, Some(*n)),
            (Set::IntOr(set), Setting::Choice(_)) => set(options, None),
            (Set::Float(set), Setting::Float(x)) => set(options, *x),
            (Set::FloatOr(set), Setting::Float(x)) => set(options, Some(*x)),
            (Set::FloatOr(set), Setting::Choice(_)) => set(options, None),
            (Set::Switch(set), Setting::Switch(on)) => set(options, *on),
            (Set::Choice(set), Setting::Choice(word)) => set(options, word),
            _ => {}
        }
    }
}

/// Returns the parameters of a table, for lists and help.
pub(super) const fn params<O, const N: usize>(keys: &[Key<O>; N]) -> [Param; N] {
    let mut params = [keys[0].param; N];
    let mut i = 1;
    while i < N {
        params[i] = keys[i].param;
        i += 1;
    }
    params
}

/// Returns the options that the values of a spec stand for.
pub(super) fn options<O: Default>(keys: &[Key<O>], args: &Args) -> O {
    let mut options = O::default();
    for key in keys {
        if let Some(setting) = args.get(key.param.key) {
            key.apply(&mut options, setting);
        }
    }
    options
}
