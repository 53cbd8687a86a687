//! Tables that map the keys of a spec string to the options of a game, an agent or an evaluation.

use std::fmt;

use crate::param::{Args, Param, ParamKind, Setting};

/// Key of a spec string: the values it accepts, and the field of `O` that it sets.
///
/// Every constructor takes the key, the accepted values, the default as a spec would write it (empty for
/// none), the setter, and one line of help. The setter gets only checked values. If there is neither a value nor a
/// default, the field keeps the default of `O`.
///
/// ```
/// use tussle_catalog::Key;
///
/// struct Options { heaps: usize }
///
/// const KEYS: &[Key<Options>] =
///     &[Key::int("heaps", (1, 8), "3", |options, n| options.heaps = n as usize, "number of heaps")];
/// assert_eq!(KEYS[0].param().key, "heaps");
/// ```
pub struct Key<O> {
    param: Param,
    set: Set<O>,
}

impl<O> Clone for Key<O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for Key<O> {}

impl<O> fmt::Debug for Key<O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Key").field("param", &self.param).finish_non_exhaustive()
    }
}

/// Setter of a value of one type.
enum Set<O> {
    Int(fn(&mut O, i64)),
    /// `None` stands for the word instead of a number.
    IntOr(fn(&mut O, Option<i64>)),
    Float(fn(&mut O, f64)),
    /// `None` stands for the word instead of a number.
    FloatOr(fn(&mut O, Option<f64>)),
    Switch(fn(&mut O, bool)),
    Choice(fn(&mut O, &str)),
    /// Path and text.
    File(fn(&mut O, &str, &str)),
    /// The value is read by other code, because evaluations and files need more than the options.
    Elsewhere,
}

impl<O> Clone for Set<O> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<O> Copy for Set<O> {}

/// Creates a parameter.
const fn param(
    key: &'static str,
    kind: ParamKind,
    default: &'static str,
    help: &'static str,
) -> Param {
    Param { key, kind, default, help }
}

impl<O> Key<O> {
    /// Creates a key for a whole number from `range.0` to `range.1`.
    pub const fn int(
        key: &'static str,
        range: (i64, i64),
        default: &'static str,
        set: fn(&mut O, i64),
        help: &'static str,
    ) -> Self {
        Self {
            param: param(key, ParamKind::Int(range.0, range.1), default, help),
            set: Set::Int(set),
        }
    }

    /// Creates a key for a whole number or `off`.
    pub const fn int_or_off(
        key: &'static str,
        range: (i64, i64),
        default: &'static str,
        set: fn(&mut O, Option<i64>),
        help: &'static str,
    ) -> Self {
        let kind = ParamKind::IntOr(range.0, range.1, "off");
        Self { param: param(key, kind, default, help), set: Set::IntOr(set) }
    }

    /// Creates a key for a number.
    pub const fn float(
        key: &'static str,
        range: (f64, f64),
        default: &'static str,
        set: fn(&mut O, f64),
        help: &'static str,
    ) -> Self {
        let kind = ParamKind::Float(range.0, range.1);
        Self { param: param(key, kind, default, help), set: Set::Float(set) }
    }

    /// Creates a key for a number or `off`.
    pub const fn float_or_off(
        key: &'static str,
        range: (f64, f64),
        default: &'static str,
        set: fn(&mut O, Option<f64>),
        help: &'static str,
    ) -> Self {
        let kind = ParamKind::FloatOr(range.0, range.1, "off");
        Self { param: param(key, kind, default, help), set: Set::FloatOr(set) }
    }

    /// Creates a key for an amount of memory.
    pub const fn bytes(
        key: &'static str,
        default: &'static str,
        set: fn(&mut O, i64),
        help: &'static str,
    ) -> Self {
        Self { param: param(key, ParamKind::Bytes, default, help), set: Set::Int(set) }
    }

    /// Creates a key for `on` or `off`.
    pub const fn switch(
        key: &'static str,
        default: &'static str,
        set: fn(&mut O, bool),
        help: &'static str,
    ) -> Self {
        Self { param: param(key, ParamKind::Switch, default, help), set: Set::Switch(set) }
    }

    /// Creates a key for one of these words.
    pub const fn choice(
        key: &'static str,
        words: &'static [&'static str],
        default: &'static str,
        set: fn(&mut O, &str),
        help: &'static str,
    ) -> Self {
        Self { param: param(key, ParamKind::Choice(words), default, help), set: Set::Choice(set) }
    }

    /// Creates a key for the path of a text file; the setter gets the path and the text.
    pub const fn file(key: &'static str, set: fn(&mut O, &str, &str), help: &'static str) -> Self {
        Self { param: param(key, ParamKind::File, "", help), set: Set::File(set) }
    }

    /// Returns the parameter without its setter, as lists and help show it.
    pub const fn param(&self) -> Param {
        self.param
    }

    /// Creates a key whose value is read by other code.
    pub(crate) const fn elsewhere(param: Param) -> Self {
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
            (Set::File(set), Setting::File { path, text }) => set(options, path, text),
            _ => {}
        }
    }
}

/// Returns the parameters of a table, for lists and help.
pub(crate) const fn params<O, const N: usize>(keys: &[Key<O>; N]) -> [Param; N] {
    let mut params = [keys[0].param; N];
    let mut i = 1;
    while i < N {
        params[i] = keys[i].param;
        i += 1;
    }
    params
}

/// Returns the options with the values of a spec.
pub(crate) fn options<O: Default>(keys: &[Key<O>], args: &Args) -> O {
    let mut options = O::default();
    for key in keys {
        if let Some(setting) = args.get(key.param.key) {
            key.apply(&mut options, setting);
        }
    }
    options
}
