//! The one way to print a table.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};
use tussle_catalog::{Param, ParamRow};

/// A table with these column headings.
pub(crate) fn new<'a>(headings: impl IntoIterator<Item = &'a str>) -> Table {
    let mut table = Table::new();
    table
        .load_style(presets::NOTHING)
        .set_content_arrangement(ContentArrangement::Dynamic)
        .set_header(headings.into_iter().collect::<Vec<_>>());
    for column in table.column_iter_mut() {
        column.set_padding((0, 2));
    }
    table
}

/// Aligns these columns to the right, as numbers should be.
pub(crate) fn numbers(table: &mut Table, columns: impl IntoIterator<Item = usize>) {
    for index in columns {
        if let Some(column) = table.column_mut(index) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
}

/// Writes a number with this many digits after the point, and `-` for an unknown one.
pub(crate) fn number(number: Option<f64>, digits: usize) -> String {
    number.map_or_else(|| "-".to_owned(), |number| format!("{number:.digits$}"))
}

/// Adds parameters to a printed table, indented under what they belong to.
pub(crate) fn add_params(table: &mut Table, params: &[Param]) {
    for param in params {
        let default = match param.default {
            "" => String::new(),
            default => format!(" ({default})"),
        };
        let ParamRow { key, values, help, .. } = param.into();
        table.add_row([format!("  {key}={values}{default}"), help.to_owned()]);
    }
}

/// The table as text without trailing blanks.
pub(crate) fn text(table: &Table) -> String {
    let lines = table.lines().map(|line| format!("{}\n", line.trim_end()));
    lines.collect()
}
