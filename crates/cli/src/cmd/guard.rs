//! `tussle guard`: process between the arena and a program, and a test program that measures its overhead.

use std::ffi::OsString;
use std::io::{self, BufRead, Write};

use clap::Args;
use serde_json::{Value, json};

use crate::failure::Failure;
use crate::guard::{INSTANT, ISOLATES};

/// For the arena only: supervise one program and end all its processes
#[derive(Args)]
#[command(hide = true, disable_help_flag = true)]
pub(crate) struct Guard {
    #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
    args: Vec<OsString>,
}

impl Guard {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        if let [first, protocol, moves] = &self.args[..]
            && first == INSTANT
        {
            let moves = moves.to_string_lossy();
            let moves: Vec<&str> = moves.split(',').collect();
            let (input, output) = (io::stdin().lock(), io::stdout().lock());
            return Ok(answer_at_once(protocol == "ugi", &moves, input, output)?);
        }
        if self.args == [ISOLATES] {
            std::process::exit(i32::from(!tussle_engine::isolates()));
        }
        match tussle_engine::guard(&self.args) {
            0 => Ok(()),
            code => std::process::exit(code.into()),
        }
    }
}

/// Answers each request with the next move of the list, without rules or a search.
fn answer_at_once(
    is_ugi: bool,
    moves: &[&str],
    input: impl BufRead,
    mut output: impl Write,
) -> io::Result<()> {
    let mv = |made: usize| moves.get(made).copied().unwrap_or("none");
    let mut made = 0;
    for line in input.lines() {
        let line = line?;
        if !is_ugi {
            let request: Value = serde_json::from_str(&line)?;
            let made = request["history"].as_array().map_or(0, Vec::len);
            writeln!(output, "{}", json!({ "id": request["id"], "move": mv(made) }))?;
            output.flush()?;
            continue;
        }
        let mut words = line.split(' ');
        match words.next() {
            Some("ugi") => writeln!(output, "ugiok")?,
            Some("isready") => writeln!(output, "readyok")?,
            Some("position") => made = words.skip(2).count(),
            Some("go") => writeln!(output, "bestmove {}", mv(made))?,
            Some("quit") => break,
            _ => {}
        }
        output.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::answer_at_once;

    fn answers(is_ugi: bool, input: &str) -> String {
        let mut output = Vec::new();
        answer_at_once(is_ugi, &["a", "b"], input.as_bytes(), &mut output).expect("no file");
        String::from_utf8(output).expect("text")
    }

    #[test]
    fn test_program_answers_with_the_next_move() {
        let game = "ugi\nposition startpos\ngo\nposition startpos moves a\ngo\nquit\nugi\n";
        assert_eq!(answers(true, game), "ugiok\nbestmove a\nbestmove b\n");
        assert_eq!(
            answers(false, "{\"id\":3,\"history\":[\"a\"]}\n"),
            "{\"id\":3,\"move\":\"b\"}\n"
        );
    }
}
