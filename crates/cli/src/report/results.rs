//! The results of a store: as tables or as one JSON document.

use std::io::{self, BufWriter, Write as _};

use tussle_arena::export;
use tussle_arena::{Anchor, Record, Store, StoreError, Tally, TournamentSpec};
use tussle_catalog::text::counted;

use super::Losses;
use crate::failure::{Failure, visible};
use crate::layout::Table;
use crate::{output, progress};

/// Prints the report, after a list of the games if `with_games`.
pub(crate) fn print(store: &Store, with_games: bool, anchors: &[Anchor]) -> Result<(), Failure> {
    let (config, anchors) = store.spec().for_display(anchors);
    let mut tally = Tally::new(&config).anchored(&anchors).map_err(Failure::usage)?;
    let mut losses = Losses::default();
    let mut games = game_table();
    store.for_each(|record| {
        let surplus = tally.is_surplus(&record);
        tally.add(&record);
        if !surplus {
            losses.add(&config, &record);
        }
        if with_games {
            game_row(&mut games, &config, &record, surplus);
        }
        Ok::<_, StoreError>(())
    })?;
    let replays = store.replays()?;
    let summary = progress::named(&rating(store), || tally.finish(replays));
    if with_games {
        output::print(&format!("{}\n", games.text()))?;
    }
    output::report(&super::text(&config, &summary, &losses))
}

/// Prints one JSON document.
pub(crate) fn json(store: &Store, anchors: &[Anchor]) -> Result<(), Failure> {
    let mut out = BufWriter::new(io::stdout().lock());
    let tally = Tally::new(store.spec()).anchored(anchors).map_err(Failure::usage)?;
    let written =
        progress::named(&rating(store), || export::write_document(store, tally, &mut out));
    written.map_err(|e| Failure::of_export(e, Failure::from))?;
    out.flush()?;
    Ok(())
}

/// Returns the name of the step, which takes long with many agents.
fn rating(store: &Store) -> String {
    format!("rating {}", counted(store.spec().agents.len() as u64, "agent"))
}

fn game_table() -> Table {
    let mut games = Table::new(["game", "", "agents", "result", "plies", "verdict"]);
    games.numbers([0, 4]);
    games
}

fn game_row(games: &mut Table, config: &TournamentSpec, record: &Record, surplus: bool) {
    let names = export::names(config, record).join(" v ");
    games.add_row([
        record.id.to_string(),
        super::one_line(&record.game),
        visible(&names),
        export::result(record),
        record.moves.len().to_string(),
        format!("{}{}", record.verdict, if surplus { ", does not count" } else { "" }),
    ]);
}
