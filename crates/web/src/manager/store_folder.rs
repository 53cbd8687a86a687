//! The folder that holds tournament stores.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};
use std::{fs, io};

use serde::Serialize;
use tussle_arena::{Store, StoreError, Withdrawals};
use tussle_catalog::text::is_unprintable;
use tussle_stats::SequentialTest;
use utoipa::ToSchema;

use super::{Run, total_games};
use crate::api_error::ApiError;

/// Extension of store files.
const EXTENSION: &str = ".db";

/// Maximum length of the name of a tournament in bytes.
const MAX_NAME_BYTES: usize = 100;

/// Number of games after which [`StoreFolder::find_early_ends`] reads no further store. The next call continues.
const MAX_GAMES_PER_LIST: u64 = 20_000;

/// Folder of the stores, and a temporary folder that replaces it if it is not writable.
pub(super) struct StoreFolder {
    folder: PathBuf,
    temporary: OnceLock<TemporaryFolder>,
    /// Cached results of [`is_over`], by the name of the tournament.
    cache: Mutex<BTreeMap<String, CachedEnd>>,
}

/// Result of [`is_over`], with the state of the store at that time.
struct CachedEnd {
    modified: u64,
    played: u64,
    is_over: bool,
}

/// Folder that is removed when the server ends.
struct TemporaryFolder(PathBuf);

impl TemporaryFolder {
    fn new() -> Result<Self, TemporaryFolderError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        let unique = format!("tussle-web-{}-{}", std::process::id(), now.as_nanos());
        let folder = std::env::temp_dir().join(unique);
        // Fails if the folder exists: another user may have made it.
        match fs::create_dir(&folder) {
            Ok(()) => Ok(Self(folder)),
            Err(source) => Err(TemporaryFolderError { folder, source }),
        }
    }
}

impl Drop for TemporaryFolder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Error of a temporary folder that cannot be created.
#[derive(Debug, thiserror::Error)]
#[error("cannot create the temporary folder {}: {source}", .folder.display())]
pub(super) struct TemporaryFolderError {
    folder: PathBuf,
    source: io::Error,
}

/// Tournament in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct TournamentEntry {
    pub(crate) name: String,
    games: Vec<String>,
    agents: Vec<String>,
    format: Option<tussle_arena::Format>,
    played: u64,
    scheduled: u64,
    /// True if an SPRT may end the tournament early.
    sprt: bool,
    /// True if no game is left to play, or the SPRT has accepted a hypothesis.
    complete: bool,
    /// Process that plays the tournament: `here` is this server, `elsewhere` another process; null if it is not played now.
    #[schema(value_type = Option<crate::openapi::RunLocation>)]
    running: Option<&'static str>,
    /// True if the games stay when the server ends.
    kept: bool,
    /// Time of the last change, in seconds since 1970.
    pub(crate) modified: u64,
    /// Error, if the file cannot be read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<String>,
}

impl TournamentEntry {
    /// Adds the state of the tournament's run on this server.
    pub(super) fn set_run(&mut self, run: Option<&Run>) {
        let Some(run) = run else { return };
        self.kept = run.kept;
        if run.is_running() {
            self.running = Some("here");
        }
        if self.error.is_none() {
            self.error.clone_from(&run.progress().borrow().error);
        }
    }
}

/// Removes the file extension from a name.
pub(crate) fn without_extension(name: &str) -> &str {
    name.strip_suffix(EXTENSION).unwrap_or(name)
}

/// Returns the name without extension, or an error if it does not name a file directly in the folder.
pub(super) fn check_name(name: &str) -> Result<&str, ApiError> {
    let name = without_extension(name);
    let is_forbidden = |c: char| matches!(c, '/' | '\\' | ':') || is_unprintable(c);
    if name.is_empty() || name.starts_with('.') || name.contains(is_forbidden) {
        return Err(ApiError::bad_request(format!(
            "`{name}` is not a valid name of a tournament: use no slashes, colons or control characters, and no dot at the \
             beginning"
        )));
    }
    if name.len() > MAX_NAME_BYTES {
        let found = name.len();
        return Err(ApiError::bad_request(format!(
            "name: expected at most {MAX_NAME_BYTES} bytes, found {found}"
        )));
    }
    Ok(name)
}

/// Reads the list entry of a store.
pub(super) fn read_entry(name: &str, path: &Path) -> TournamentEntry {
    let changed = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    // The latest changes are in SQLite's write-ahead log beside the store.
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let modified = changed(path).max(changed(Path::new(&log)));
    let mut entry = TournamentEntry {
        name: name.to_owned(),
        games: Vec::new(),
        agents: Vec::new(),
        format: None,
        played: 0,
        scheduled: 0,
        sprt: false,
        complete: false,
        running: Store::is_in_use(path).then_some("elsewhere"),
        kept: true,
        modified: seconds(modified.unwrap_or(UNIX_EPOCH)),
        error: None,
    };
    let store = Store::read(path).and_then(|store| Ok((store.len()?, store)));
    match store {
        Ok((played, store)) => {
            let config = store.spec();
            entry.games.clone_from(&config.games);
            entry.agents = config.agents.iter().map(|agent| agent.name.clone()).collect();
            entry.format = Some(config.format);
            entry.played = played;
            entry.scheduled = total_games(config);
            entry.sprt = config.sprt.is_some();
            entry.complete = played >= entry.scheduled;
        }
        Err(error) => entry.error = Some(error.to_string()),
    }
    entry
}

/// Returns true if a tournament ended before all its games were played: its SPRT has accepted a hypothesis, or withdrawals
/// cancel the other games.
fn is_over(path: &Path) -> Result<bool, StoreError> {
    let store = Store::read(path)?;
    let mut test = store.spec().sprt.map(SequentialTest::new);
    let mut withdrawals = Withdrawals::new(store.spec());
    store.for_each(|record| {
        if let (Some(test), Some(game)) = (&mut test, record.paired_game()) {
            test.add(game);
        }
        withdrawals.add(&record);
        Ok::<_, StoreError>(())
    })?;
    let is_answered = test.is_some_and(|test| test.accepted().is_some());
    Ok(is_answered || withdrawals.outlook().remaining == 0)
}

fn seconds(time: SystemTime) -> u64 {
    time.duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO).as_secs()
}

impl StoreFolder {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), temporary: OnceLock::new(), cache: Mutex::default() }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Creates the folder if it does not exist.
    pub(super) fn create(&self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)
    }

    /// Returns the path of a tournament's store. The name must have been checked.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}{EXTENSION}"))
    }

    /// Returns the number of files with the extension of stores.
    pub(super) fn count(&self) -> usize {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let is_store =
            |name: std::ffi::OsString| name.to_str().is_some_and(|n| n.ends_with(EXTENSION));
        entries.filter(|entry| is_store(entry.file_name())).count()
    }

    /// Returns true if the file of this tournament exists.
    pub(super) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// Returns a path in the temporary folder, which is created if it does not exist.
    pub(super) fn temporary_path(&self, name: &str) -> Result<PathBuf, TemporaryFolderError> {
        let folder = if let Some(folder) = self.temporary.get() {
            folder
        } else {
            let new = TemporaryFolder::new()?;
            self.temporary.get_or_init(|| new)
        };
        Ok(folder.0.join(format!("{name}{EXTENSION}")))
    }

    /// Lists all files with the extension of stores; files that cannot be read have an error. A missing folder is empty.
    pub(super) fn list(&self) -> Result<Vec<TournamentEntry>, ApiError> {
        let error = |e: io::Error| ApiError::internal(format!("{}: {e}", self.folder.display()));
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(error(e)),
        };
        let mut all = Vec::new();
        for entry in entries {
            let file = entry.map_err(error)?.file_name();
            let Some(name) = file.to_str().and_then(|name| name.strip_suffix(EXTENSION)) else {
                continue;
            };
            if check_name(name).is_ok_and(|checked| checked == name) {
                all.push(read_entry(name, &self.path(name)));
            }
        }
        Ok(all)
    }

    /// Marks tournaments as complete that ended before all their games were played.
    ///
    /// Tournaments that are being played are left out, and a store is read again only if it has changed.
    pub(super) fn find_early_ends(
        &self,
        all: &mut [TournamentEntry],
        path: impl Fn(&str) -> PathBuf,
    ) {
        let mut cache = self.cache.lock().unwrap_or_else(PoisonError::into_inner);
        let mut read = 0;
        for entry in all {
            if entry.complete || entry.running.is_some() || entry.played == 0 {
                continue;
            }
            let (modified, played) = (entry.modified, entry.played);
            let cached = cache
                .get(&entry.name)
                .filter(|cached| (cached.modified, cached.played) == (modified, played));
            entry.complete = match cached {
                Some(cached) => cached.is_over,
                None if read >= MAX_GAMES_PER_LIST => false,
                None => {
                    read += played;
                    let is_over = is_over(&path(&entry.name)).unwrap_or(false);
                    cache.insert(entry.name.clone(), CachedEnd { modified, played, is_over });
                    is_over
                }
            };
        }
    }

    /// Returns an unused name: game, date and number.
    pub(super) fn new_name(&self, game: &str, taken: &[String]) -> String {
        let game = game.split(':').next().unwrap_or(game);
        let [year, month, day] = date(seconds(SystemTime::now()) / 86_400);
        let names = (1_u64..).map(|number| format!("{game}-{year}-{month:02}-{day:02}-{number}"));
        let free = |name: &String| !self.has(name) && !taken.contains(name);
        names.into_iter().find(free).unwrap_or_default()
    }
}

/// Returns year, month and day of a number of days since 1970, in the Gregorian calendar.
fn date(days: u64) -> [u64; 3] {
    let is_leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let (mut year, mut left) = (1970, days);
    while left >= 365 + u64::from(is_leap(year)) {
        left -= 365 + u64::from(is_leap(year));
        year += 1;
    }
    let february = 28 + u64::from(is_leap(year));
    let mut month = 1;
    for days in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30] {
        if left < days {
            break;
        }
        left -= days;
        month += 1;
    }
    [year, month, left + 1]
}

#[cfg(test)]
mod tests {
    use super::{check_name, date};

    #[test]
    fn a_name_cannot_lead_outside_the_folder() {
        for name in ["cup", "cup.db", "go 9x9", "a..b", "pokal-2025-01-01-1"] {
            assert!(check_name(name).is_ok(), "{name}");
        }
        let long = "x".repeat(101);
        for name in [
            "",
            ".db",
            "..",
            "../x",
            "../x.db",
            "/etc/x.db",
            "a/b",
            "a\\b",
            "file:x",
            "a\0b",
            &long,
        ] {
            assert!(check_name(name).is_err(), "{name}");
        }
    }

    #[test]
    fn day_numbers_become_dates() {
        // date -u -d @$((86400 * DAYS)) +%F
        assert_eq!(date(0), [1970, 1, 1]);
        assert_eq!(date(11_016), [2000, 2, 29]);
        assert_eq!(date(11_017), [2000, 3, 1]);
        assert_eq!(date(20_453), [2025, 12, 31]);
        assert_eq!(date(20_454), [2026, 1, 1]);
    }
}
