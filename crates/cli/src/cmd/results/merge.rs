//! `tussle results merge`

use std::path::PathBuf;

use clap::Args;
use tussle_arena::{Store, Withdrawals};
use tussle_catalog::text::counted;

use crate::failure::Failure;
use crate::output;

/// Put the stores of the parts of a tournament (`--shard`) together
///
/// They must be of one tournament and share no game. The result is the store of the whole
/// tournament: the command without `--shard` plays in it what is still missing.
///
/// Examples:
///   tussle results merge one.db two.db --into all.db
///   tussle results merge part-*.db --into all.db
#[derive(Args)]
#[command(verbatim_doc_comment)]
pub(super) struct Merge {
    /// The stores.
    #[arg(value_name = "STORE", required = true)]
    stores: Vec<PathBuf>,
    /// The new store.
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
        let (are, place) = (if games == 1 { "is" } else { "are" }, self.into.display());
        let [games, stores] = [counted(games, "game"), counted(stores, "store")];
        output::line(&format!("{games} of {stores} {are} in {place}"))?;
        if outlook.remaining > 0 {
            let (missing, all) = (outlook.remaining, counted(outlook.attainable(), "game"));
            let are = if missing == 1 { "is" } else { "are" };
            eprintln!(
                "{missing} of the {all} {are} missing: the command without --shard plays them"
            );
        }
        Ok(())
    }
}
