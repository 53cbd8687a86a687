//! Tidy tables: one row per measurement, one named column per field of the row.
//!
//! A row is a struct. Its serialised fields are the columns of the written table, in order; skipped fields are for
//! figures and sentences only. An array is one column per element; its name has their names, separated by `|`.

use serde::Serialize;
use serde_json::{Map, Value};

/// Rows of numbers and texts, as they are written.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Table {
    /// Names of the columns.
    pub columns: Vec<String>,
    /// Rows, each with one entry per column.
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// Writes typed rows as a table. `{x}` in the name of a column is replaced by `swept`, the swept parameter.
    ///
    /// # Errors
    /// If a row cannot be serialised.
    pub(crate) fn of<R: Serialize + Default>(rows: &[R], swept: &str) -> serde_json::Result<Self> {
        let fields =
            |row: &R| serde_json::from_value::<Map<String, Value>>(serde_json::to_value(row)?);
        let names = fields(&R::default())?
            .keys()
            .map(|name| name.replace("{x}", swept))
            .collect::<Vec<_>>();
        let cells = |value| if let Value::Array(cells) = value { cells } else { vec![value] };
        let row =
            |row: &R| Ok(fields(row)?.into_iter().flat_map(|(_, value)| cells(value)).collect());
        Ok(Self {
            columns: names.join("|").split('|').map(str::to_owned).collect(),
            rows: rows.iter().map(row).collect::<serde_json::Result<_>>()?,
        })
    }

    /// Comma-separated values (RFC 4180).
    pub fn csv(&self) -> String {
        let quoted = |text: &str| {
            if text.contains([',', '"', '\n', '\r']) {
                format!("\"{}\"", text.replace('"', "\"\""))
            } else {
                text.to_owned()
            }
        };
        let cell = |value: &Value| match value {
            Value::Null => String::new(),
            Value::String(text) => quoted(text),
            other => quoted(&other.to_string()),
        };
        let line = |cells: Vec<String>| cells.join(",") + "\r\n";
        let head = line(self.columns.iter().map(|name| quoted(name)).collect());
        let rows = self.rows.iter().map(|row| line(row.iter().map(cell).collect()));
        std::iter::once(head).chain(rows).collect()
    }
}

/// Groups rows by a key. Groups are in the order of their first rows.
pub(crate) fn groups<'a, R: 'a, K: PartialEq>(
    rows: impl IntoIterator<Item = &'a R>,
    key: impl Fn(&'a R) -> K,
) -> Vec<(K, Vec<&'a R>)> {
    let mut groups: Vec<(K, Vec<&R>)> = Vec::new();
    for row in rows {
        let key = key(row);
        match groups.iter_mut().find(|(known, _)| *known == key) {
            Some((_, rows)) => rows.push(row),
            None => groups.push((key, vec![row])),
        }
    }
    groups
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Default, Serialize)]
    struct Row {
        agent: &'static str,
        #[serde(rename = "{x}")]
        depth: Option<u32>,
        #[serde(rename = "from|to")]
        range: [u32; 2],
        #[serde(skip)]
        seconds: f64,
    }

    const ROWS: [Row; 3] = [
        Row { agent: "a \"b\", c", depth: Some(3), range: [2, 4], seconds: 1.0 },
        Row { agent: "d", depth: None, range: [0, 0], seconds: 2.0 },
        Row { agent: "a \"b\", c", depth: Some(4), range: [3, 5], seconds: 1.0 },
    ];

    #[test]
    fn tables_are_written_as_spreadsheets_read_them() {
        let table = Table::of(&ROWS[..2], "depth").unwrap();
        assert_eq!(table.csv(), "agent,depth,from,to\r\n\"a \"\"b\"\", c\",3,2,4\r\nd,,0,0\r\n");
        assert_eq!(Table::of::<Row>(&[], "depth").unwrap().csv(), "agent,depth,from,to\r\n");
    }

    #[test]
    fn groups_keep_the_order_of_the_rows() {
        let sizes = |groups: Vec<(f64, Vec<&Row>)>| {
            groups.iter().map(|(_, rows)| rows.len()).collect::<Vec<_>>()
        };
        assert_eq!(sizes(groups(&ROWS, |row| row.seconds)), [2, 1]);
        assert_eq!(groups(&ROWS, |row| row.agent)[0].1[1].depth, Some(4));
    }
}
