//! Random games in small slices, on demand, so that a peer in another program can take turns.

use std::io::{self, BufRead};

use cpu_time::ProcessTime;
use tussle_core::Budget;

/// Answers every line `SPEC N` with the seconds of processor time that N random games of that
/// game took, or with `?` and why not.
pub fn serve() -> Result<(), String> {
    println!("tussle {}", env!("CARGO_PKG_VERSION"));
    let mut seed = 0;
    for line in io::stdin().lock().lines() {
        let line = line.map_err(|e| e.to_string())?;
        let wrong = || format!("`{line}`: a line is `SPEC N`");
        let (spec, games) = line.rsplit_once(' ').ok_or_else(wrong)?;
        let games = games.parse().map_err(|_| wrong())?;
        let start = match tussle_catalog::game(spec) {
            Ok(game) => game.start(),
            Err(why) => {
                println!("? {why}");
                continue;
            }
        };
        seed += 1;
        let began = ProcessTime::now();
        let tally = start.playouts(&Budget::default().nodes(games), seed);
        let seconds = began.elapsed().as_secs_f64();
        assert_eq!(tally.playouts, games);
        println!("{seconds}");
    }
    Ok(())
}
