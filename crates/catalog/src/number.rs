//! Numbers of spec strings: decimals, and products and quotients of them with square roots.
//!
//! ```text
//! product = factor { ("*" | "/") factor }
//! factor  = [ "-" | "+" ] ( decimal | "sqrt" ( decimal | "(" product ")" ) )
//! decimal = digits and at most one point, with an optional exponent: 7, 0.5, .5, 1e-3
//! ```
//!
//! Spaces are allowed between the parts. The grammar has neither commas nor `=`, so a number is always one
//! value of a spec.

/// Maximum length of a number. The longest decimal that [`f64`] prints is shorter, and nested roots of this
/// length need only a small stack.
const MAX_NUMBER_BYTES: usize = 512;

/// Parses a number: a decimal, or products and quotients of decimals and square roots. Returns `None` if the
/// text is not a number, or the number is not finite.
///
/// ```
/// use tussle_catalog::parse_number;
///
/// assert_eq!(parse_number("1.4"), Some(1.4));
/// assert_eq!(parse_number("sqrt2"), Some(2f64.sqrt()));
/// assert_eq!(parse_number("sqrt(2)/7"), Some(2f64.sqrt() / 7.0));
/// assert_eq!(parse_number("1/0"), None);
/// ```
pub fn parse_number(text: &str) -> Option<f64> {
    if text.len() > MAX_NUMBER_BYTES {
        return None;
    }
    let mut reader = Reader { rest: text };
    let value = reader.product()?;
    // `+ 0.0` turns -0 into 0, so that every number has one text.
    (reader.is_at_end() && value.is_finite()).then_some(value + 0.0)
}

/// Parser with the rest of the text.
struct Reader<'a> {
    rest: &'a str,
}

impl Reader<'_> {
    fn product(&mut self) -> Option<f64> {
        let mut value = self.factor()?;
        loop {
            if self.take("*") {
                value *= self.factor()?;
            } else if self.take("/") {
                value /= self.factor()?;
            } else {
                return Some(value);
            }
        }
    }

    fn factor(&mut self) -> Option<f64> {
        let is_negative = self.take("-");
        if !is_negative {
            self.take("+");
        }
        let size = if self.take("sqrt") { self.argument()?.sqrt() } else { self.decimal()? };
        Some(if is_negative { -size } else { size })
    }

    /// Reads the argument of a square root.
    fn argument(&mut self) -> Option<f64> {
        if !self.take("(") {
            return self.decimal();
        }
        let value = self.product()?;
        self.take(")").then_some(value)
    }

    fn decimal(&mut self) -> Option<f64> {
        self.skip_spaces();
        let digits = |text: &str| text.bytes().take_while(u8::is_ascii_digit).count();
        let text = self.rest;
        let mut end = digits(text);
        if text[end..].starts_with('.') {
            end += 1 + digits(&text[end + 1..]);
        }
        if let Some(exponent) = text[end..].strip_prefix(['e', 'E']) {
            let unsigned = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            end += 1 + (exponent.len() - unsigned.len()) + digits(unsigned);
        }
        let (decimal, rest) = text.split_at(end);
        self.rest = rest;
        // Rejects texts without digits: an empty text, a single point, an exponent without a number.
        decimal.parse().ok()
    }

    /// Consumes `token` if it is next.
    fn take(&mut self, token: &str) -> bool {
        self.skip_spaces();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn skip_spaces(&mut self) {
        self.rest = self.rest.trim_start_matches(' ');
    }

    fn is_at_end(&mut self) -> bool {
        self.skip_spaces();
        self.rest.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use std::f64::consts::SQRT_2;

    use proptest::prelude::*;

    use super::{MAX_NUMBER_BYTES, parse_number};

    #[test]
    fn roots_products_and_quotients_are_numbers() {
        for (text, value) in [
            ("7", 7.0),
            ("-0.5", -0.5),
            ("+3", 3.0),
            (".5", 0.5),
            ("5.", 5.0),
            ("1e-3", 0.001),
            ("2E+2", 200.0),
            ("sqrt2", SQRT_2),
            ("sqrt0.25", 0.5),
            ("sqrt(2)", SQRT_2),
            ("sqrt(2)/7", SQRT_2 / 7.0),
            ("sqrt2/7", SQRT_2 / 7.0),
            ("2*sqrt2", 2.0 * SQRT_2),
            ("-sqrt(2)", -SQRT_2),
            ("2*-3", -6.0),
            ("1/3", 1.0 / 3.0),
            ("8/2/2", 2.0),
            ("8/2*2", 8.0),
            ("sqrt(1/4)", 0.5),
            ("sqrt(sqrt(16)*4)", 4.0),
            (" sqrt ( 2 ) / 7 ", SQRT_2 / 7.0),
        ] {
            assert_eq!(parse_number(text), Some(value), "{text}");
        }
    }

    #[test]
    fn everything_else_is_not_a_number() {
        for text in [
            "",
            " ",
            ".",
            "-",
            "--3",
            "e5",
            "1e",
            "1 2",
            "1,5",
            "0x10",
            "nan",
            "inf",
            "infinity",
            "pi",
            "sqrt",
            "sqrt()",
            "sqrt(2",
            "sqrt2)",
            "(2)",
            "2sqrt2",
            "sqrt-4",
            "sqrt(-4)",
            "sqrtsqrt2",
            "2*",
            "/2",
            "2**3",
            "1/0",
            "0/0",
            "-1/0",
            "1e999",
            "1e200*1e200",
            "sqrt(1/0)",
            "1+1",
            "½",
            "√2",
            "2·3",
        ] {
            assert_eq!(parse_number(text), None, "{text}");
        }
    }

    #[test]
    fn zero_has_no_sign() {
        for text in ["-0", "0*-1", "-sqrt0", "-0/5"] {
            let zero = parse_number(text).unwrap();
            assert!(zero == 0.0 && zero.is_sign_positive(), "{text}");
        }
    }

    #[test]
    fn a_text_over_the_limit_is_rejected() {
        let decimal = |bytes: usize| format!("0.{}", "1".repeat(bytes - 2));
        assert!(parse_number(&decimal(MAX_NUMBER_BYTES)).is_some());
        assert_eq!(parse_number(&decimal(MAX_NUMBER_BYTES + 1)), None);
        let nested = |depth: usize| format!("{}1{}", "sqrt(".repeat(depth), ")".repeat(depth));
        assert_eq!(parse_number(&nested(80)), Some(1.0));
        assert_eq!(parse_number(&nested(100_000)), None);
    }

    proptest! {
        #[test]
        fn every_finite_number_is_read_from_its_own_text(bits: u64) {
            let value = f64::from_bits(bits);
            prop_assume!(value.is_finite());
            prop_assert_eq!(parse_number(&value.to_string()), Some(value));
            prop_assert_eq!(parse_number(&format!("{value:e}")), Some(value));
        }

        #[test]
        fn any_text_is_a_finite_number_or_rejected(text in any::<String>()) {
            prop_assert!(parse_number(&text).is_none_or(f64::is_finite));
        }

        #[test]
        fn texts_of_the_grammar_never_panic(text in "([0-9.eE+*/() -]|sqrt){0,40}") {
            prop_assert!(parse_number(&text).is_none_or(f64::is_finite));
        }

        #[test]
        fn a_product_of_roots_is_computed_from_the_left(
            factors in prop::collection::vec((any::<bool>(), any::<bool>(), 1u32..1000), 1..8),
        ) {
            let mut text = String::from("1");
            let mut value = 1.0;
            for (is_quotient, is_root, n) in factors {
                let factor = if is_root { f64::from(n).sqrt() } else { f64::from(n) };
                if is_quotient { value /= factor } else { value *= factor }
                text.push(if is_quotient { '/' } else { '*' });
                text.push_str(&if is_root { format!("sqrt({n})") } else { n.to_string() });
            }
            prop_assert_eq!(parse_number(&text), Some(value));
        }
    }
}
