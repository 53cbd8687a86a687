//! Small JSON reader without dependencies. The crate `serde_json` does more.

/// JSON value. A number is kept as text, because a seed has more digits than an `f64`.
#[derive(Clone, Debug, PartialEq)]
pub enum Json {
    Null,
    Bool(bool),
    Number(String),
    Text(String),
    List(Vec<Json>),
    Object(Vec<(String, Json)>),
}

impl Json {
    /// Parses a whole text; returns `None` if it is not JSON.
    pub fn parse(text: &str) -> Option<Self> {
        let mut reader = Reader { text, at: 0 };
        let value = reader.value()?;
        reader.space();
        (reader.at == text.len()).then_some(value)
    }

    /// Returns the value of a key, or `Null` if there is none.
    pub fn get(&self, key: &str) -> &Self {
        let Self::Object(fields) = self else { return &Self::Null };
        fields.iter().find(|(name, _)| name == key).map_or(&Self::Null, |(_, value)| value)
    }

    pub fn text(&self) -> &str {
        if let Self::Text(text) = self { text } else { "" }
    }

    pub fn list(&self) -> &[Self] {
        if let Self::List(values) = self { values } else { &[] }
    }

    pub fn number(&self) -> Option<u64> {
        if let Self::Number(text) = self { text.parse().ok() } else { None }
    }
}

/// Returns a text as a JSON string.
pub fn quoted(text: &str) -> String {
    let mut out = String::from("\"");
    for c in text.chars() {
        match c {
            '"' => out += "\\\"",
            '\\' => out += "\\\\",
            c if c < ' ' => out += &format!("\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out + "\""
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn space(&mut self) {
        self.at = self.text.len() - self.rest().trim_start().len();
    }

    /// Skips this text and returns true if the input continues with it.
    fn take(&mut self, piece: &str) -> bool {
        self.space();
        let is_next = self.rest().starts_with(piece);
        self.at += if is_next { piece.len() } else { 0 };
        is_next
    }

    fn value(&mut self) -> Option<Json> {
        if self.take("null") {
            Some(Json::Null)
        } else if self.take("true") {
            Some(Json::Bool(true))
        } else if self.take("false") {
            Some(Json::Bool(false))
        } else if self.take("\"") {
            self.string().map(Json::Text)
        } else if self.take("[") {
            let mut values = Vec::new();
            while !self.take("]") {
                values.push(self.value()?);
                self.take(",");
            }
            Some(Json::List(values))
        } else if self.take("{") {
            let mut fields = Vec::new();
            while !self.take("}") {
                if !self.take("\"") {
                    return None;
                }
                let name = self.string()?;
                if !self.take(":") {
                    return None;
                }
                fields.push((name, self.value()?));
                self.take(",");
            }
            Some(Json::Object(fields))
        } else {
            let is_part = |c: char| c.is_ascii_digit() || "+-.eE".contains(c);
            let end = self.rest().find(|c| !is_part(c)).unwrap_or(self.rest().len());
            let number = self.rest()[..end].to_owned();
            self.at += end;
            (!number.is_empty()).then_some(Json::Number(number))
        }
    }

    /// The rest of a string whose first quote was taken.
    fn string(&mut self) -> Option<String> {
        let mut out = String::new();
        loop {
            let c = self.rest().chars().next()?;
            self.at += c.len_utf8();
            match c {
                '"' => return Some(out),
                '\\' => out.push(self.escaped()?),
                c => out.push(c),
            }
        }
    }

    fn escaped(&mut self) -> Option<char> {
        let c = self.rest().chars().next()?;
        self.at += c.len_utf8();
        Some(match c {
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'b' => '\u{8}',
            'f' => '\u{c}',
            'u' => {
                let code = u32::from_str_radix(self.rest().get(..4)?, 16).ok()?;
                self.at += 4;
                char::from_u32(code).unwrap_or('\u{fffd}')
            }
            c => c,
        })
    }
}
