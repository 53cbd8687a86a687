//! `tussle results merge`

use std::path::PathBuf;

use clap::Args;
use tussle_arena::{Store, Withdrawals};
use tussle_catalog::text::counted;

use crate::failure::Failure;
use crate::grammar::is_or_are;
use crate::output;

/// Merge the stores of the parts of a tournament (`--shard`)
///
/// The stores must be of the same tournament and have no game in common. The result is the store of the whole
/// tournament: the tournament command without `--shard` plays its missing games.
///
/// Examples:
///   tussle results merge one.db two.db --into all.db
///   tussle results merge part-*.db --into all.db
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Merge {
    /// Stores to merge
    #[arg(value_name = "STORE", required = true)]
    stores: Vec<PathBuf>,
    /// New store
    #[arg(long, value_name = "FILE")]
    into: PathBuf,
}

impl Merge {
    pub(super) fn run(&self) -> Result<(), Failure> {
        for path in &self.stores {
            Failure::unless_other_file(&self.into, path)?;
        }
        let parts = self.stores.iter().map(|path| Store::read(path));
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        let merged = Store::merge(&parts, &self.into)?;
        let (games, stores) = (merged.len()?, parts.len() as u64);
        let outlook = Withdrawals::of(&merged)?.outlook();
        let (are, place) = (is_or_are(games), self.into.display());
        let [games, stores] = [counted(games, "game"), counted(stores, "store")];
        output::report(&format!("{games} of {stores} {are} in {place}\n"))?;
        if outlook.remaining > 0 {
            let (missing, all) = (outlook.remaining, counted(outlook.attainable(), "game"));
            let are = is_or_are(missing);
            eprintln!(
                "{missing} of {all} {are} missing; run the tournament command without --shard to play them"
            );
        }
        Ok(())
    }
}
