//! Speed comparisons with other libraries in one run.
//!
//! ```text
//! tussle-bench playouts [--rounds N] [--json FILE]
//! ```
//!
//! `bench/run` also compares with peers in other languages. For it, the command `slices` answers
//! requests for small tasks.

mod error;
mod grow;
mod measure;
mod plain;
mod playouts;
mod slices;
mod solve;

use std::process::ExitCode;

use error::BenchError;
use measure::Row;

const USAGE: &str = "usage: tussle-bench playouts [--rounds N] [--json FILE] | slices";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let outcome = if arguments == ["slices"] {
        slices::serve()
    } else if let Some(options) = Options::parse(&arguments) {
        run(&options)
    } else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::FAILURE
        }
    }
}

struct Options {
    rounds: usize,
    json: Option<String>,
}

impl Options {
    fn parse(arguments: &[String]) -> Option<Self> {
        let mut options = Self { rounds: 7, json: None };
        let mut arguments = arguments.iter();
        if arguments.next()? != "playouts" {
            return None;
        }
        while let Some(key) = arguments.next() {
            let value = arguments.next()?;
            match key.as_str() {
                "--rounds" => options.rounds = value.parse().ok().filter(|&n| n > 0)?,
                "--json" => options.json = Some(value.clone()),
                _ => return None,
            }
        }
        Some(options)
    }
}

fn run(options: &Options) -> Result<(), BenchError> {
    let rows = playouts::run(options.rounds)?;
    println!("{:<12} {:>12} {:>12} {:>8} {:>8}  rounds", "", "ours", "peer", "ratio", "spread");
    for row in &rows {
        let (speed, ratio, spread) = match &row.peer {
            Some(p) => (millions(p.speed), format!("{:.3}", p.ratio), format!("{:.3}", p.spread)),
            None => Default::default(),
        };
        let ours = millions(row.ours);
        println!("{:<12} {ours:>12} {speed:>12} {ratio:>8} {spread:>8}  {}", row.name, row.rounds);
    }
    println!("M {}; ratio = ours / peer, median of the rounds", rows[0].unit);
    if let Some(path) = &options.json {
        let document = serde_json::Value::Array(rows.iter().map(Row::json).collect());
        let failed = |source| BenchError::Output { path: path.clone(), source };
        std::fs::write(path, format!("{document:#}\n")).map_err(failed)?;
    }
    Ok(())
}

fn millions(speed: f64) -> String {
    format!("{:.2}", speed / 1e6)
}
