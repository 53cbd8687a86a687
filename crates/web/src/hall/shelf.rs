//! The folder of the stores.

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

use super::{Run, share};
use crate::refusal::Refusal;

/// How the files of stores end.
const ENDING: &str = ".db";

/// No name is longer.
const LONGEST: usize = 100;

/// Games that are read through for one list, to know which tournaments are over before all of their games are played.
/// The rest is for the next list.
const READ: u64 = 20_000;

/// The folder of the stores, and one for those that cannot be kept there.
pub(super) struct Shelf {
    folder: PathBuf,
    spare: OnceLock<Spare>,
    /// What was found in stores that do not have all of their games, by name.
    found: Mutex<BTreeMap<String, Found>>,
}

/// Whether a tournament was over when its store was like this.
struct Found {
    modified: u64,
    played: u64,
    is_over: bool,
}

/// A folder that goes away with the server.
struct Spare(PathBuf);

impl Spare {
    fn new() -> Result<Self, SpareError> {
        let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or(Duration::ZERO);
        let unique = format!("tussle-web-{}-{}", std::process::id(), now.as_nanos());
        let folder = std::env::temp_dir().join(unique);
        // Fails if the folder exists: another user may have made it.
        match fs::create_dir(&folder) {
            Ok(()) => Ok(Self(folder)),
            Err(source) => Err(SpareError { folder, source }),
        }
    }
}

impl Drop for Spare {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Error of a folder for games that cannot be made.
#[derive(Debug, thiserror::Error)]
#[error("nowhere to keep games: {}: {source}", .folder.display())]
pub(super) struct SpareError {
    folder: PathBuf,
    source: io::Error,
}

/// A tournament in a list.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Listed {
    pub(crate) name: String,
    games: Vec<String>,
    agents: Vec<String>,
    format: Option<tussle_arena::Format>,
    played: u64,
    scheduled: u64,
    /// Whether a test may end it sooner.
    sprt: bool,
    /// True if no game is left that can be played, or the test has its answer.
    complete: bool,
    /// `here`, `elsewhere` (by another process) or nothing.
    #[schema(value_type = Option<crate::openapi::Running>)]
    running: Option<&'static str>,
    /// Whether it outlives the server.
    kept: bool,
    /// Seconds since 1970.
    pub(crate) modified: u64,
    /// Why the file cannot be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    error: Option<String>,
}

impl Listed {
    /// What the server knows of it, if it is played here.
    pub(super) fn set_run(&mut self, run: Option<&Run>) {
        let Some(run) = run else { return };
        self.kept = run.kept;
        if run.is_running() {
            self.running = Some("here");
        }
        if self.error.is_none() {
            self.error.clone_from(&run.news().borrow().error);
        }
    }
}

/// A name without the ending of its file.
pub(crate) fn bare(name: &str) -> &str {
    name.strip_suffix(ENDING).unwrap_or(name)
}

/// A name that is a file directly in the folder.
pub(super) fn checked(name: &str) -> Result<&str, Refusal> {
    let name = bare(name);
    let leads_elsewhere = |c: char| matches!(c, '/' | '\\' | ':') || is_unprintable(c);
    if name.is_empty() || name.starts_with('.') || name.contains(leads_elsewhere) {
        return Err(Refusal::wrong(format!(
            "`{name}` is no name of a tournament: it has no slashes or colons and does not begin with a dot"
        )));
    }
    if name.len() > LONGEST {
        return Err(Refusal::wrong(format!("a name has at most {LONGEST} letters")));
    }
    Ok(name)
}

/// What a store says about itself.
pub(super) fn listed(name: &str, path: &Path) -> Listed {
    let changed = |path: &Path| fs::metadata(path).and_then(|metadata| metadata.modified()).ok();
    // What was written last is in a file beside it.
    let mut log = path.as_os_str().to_owned();
    log.push("-wal");
    let modified = changed(path).max(changed(Path::new(&log)));
    let mut listed = Listed {
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
            listed.games.clone_from(&config.games);
            listed.agents = config.agents.iter().map(|agent| agent.name.clone()).collect();
            listed.format = Some(config.format);
            listed.played = played;
            listed.scheduled = share(config);
            listed.sprt = config.sprt.is_some();
            listed.complete = played >= listed.scheduled;
        }
        Err(error) => listed.error = Some(error.to_string()),
    }
    listed
}

/// Returns true if a tournament is over before all of its games are played: its test has an answer, or
/// withdrawals cancel the rest.
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

impl Shelf {
    pub(super) fn new(folder: &Path) -> Self {
        Self { folder: folder.to_owned(), spare: OnceLock::new(), found: Mutex::default() }
    }

    pub(super) fn folder(&self) -> &Path {
        &self.folder
    }

    /// Makes the folder, if it is not there.
    pub(super) fn make(&self) -> io::Result<()> {
        fs::create_dir_all(&self.folder)
    }

    /// The file of a tournament; its name was checked.
    pub(super) fn path(&self, name: &str) -> PathBuf {
        self.folder.join(format!("{name}{ENDING}"))
    }

    /// How many stores there are, or what looks like one.
    pub(super) fn count(&self) -> usize {
        let entries = fs::read_dir(&self.folder).into_iter().flatten().flatten();
        let is_store =
            |name: std::ffi::OsString| name.to_str().is_some_and(|n| n.ends_with(ENDING));
        entries.filter(|entry| is_store(entry.file_name())).count()
    }

    /// Whether there is such a file.
    pub(super) fn has(&self, name: &str) -> bool {
        self.path(name).exists()
    }

    /// A file that lasts as long as the server.
    pub(super) fn spare(&self, name: &str) -> Result<PathBuf, SpareError> {
        let spare = if let Some(spare) = self.spare.get() {
            spare
        } else {
            let made = Spare::new()?;
            self.spare.get_or_init(|| made)
        };
        Ok(spare.0.join(format!("{name}{ENDING}")))
    }

    /// The stores of the folder, and files that only look like stores. A folder that is not there is empty.
    pub(super) fn list(&self) -> Result<Vec<Listed>, Refusal> {
        let cannot = |e: io::Error| Refusal::failed(format!("{}: {e}", self.folder.display()));
        let entries = match fs::read_dir(&self.folder) {
            Ok(entries) => entries,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(e) => return Err(cannot(e)),
        };
        let mut all = Vec::new();
        for entry in entries {
            let file = entry.map_err(cannot)?.file_name();
            let Some(name) = file.to_str().and_then(|name| name.strip_suffix(ENDING)) else {
                continue;
            };
            if checked(name).is_ok_and(|checked| checked == name) {
                all.push(listed(name, &self.path(name)));
            }
        }
        Ok(all)
    }

    /// Finds out which tournaments are over before all of their games are played: those that no run plays, and only
    /// if their stores have changed.
    pub(super) fn look_for_ends(&self, all: &mut [Listed], path: impl Fn(&str) -> PathBuf) {
        let mut found = self.found.lock().unwrap_or_else(PoisonError::into_inner);
        let mut read = 0;
        for listed in all {
            if listed.complete || listed.running.is_some() || listed.played == 0 {
                continue;
            }
            let (modified, played) = (listed.modified, listed.played);
            let known = found
                .get(&listed.name)
                .filter(|found| (found.modified, found.played) == (modified, played));
            listed.complete = match known {
                Some(found) => found.is_over,
                None if read >= READ => false,
                None => {
                    read += played;
                    let is_over = is_over(&path(&listed.name)).unwrap_or(false);
                    found.insert(listed.name.clone(), Found { modified, played, is_over });
                    is_over
                }
            };
        }
    }

    /// A name that is free: the game, the day, a number.
    pub(super) fn new_name(&self, game: &str, taken: &[String]) -> String {
        let game = game.split(':').next().unwrap_or(game);
        let [year, month, day] = date(seconds(SystemTime::now()) / 86_400);
        let names = (1_u64..).map(|number| format!("{game}-{year}-{month:02}-{day:02}-{number}"));
        let free = |name: &String| !self.has(name) && !taken.contains(name);
        names.into_iter().find(free).unwrap_or_default()
    }
}

/// The date of a day since 1970, in the Gregorian calendar.
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
    use super::{checked, date};

    #[test]
    fn a_name_leads_nowhere_else() {
        for name in ["cup", "cup.db", "go 9x9", "a..b", "pokal-2025-01-01-1"] {
            assert!(checked(name).is_ok(), "{name}");
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
            assert!(checked(name).is_err(), "{name}");
        }
    }

    #[test]
    fn days_have_dates() {
        // date -u -d @$((86400 * DAYS)) +%F
        assert_eq!(date(0), [1970, 1, 1]);
        assert_eq!(date(11_016), [2000, 2, 29]);
        assert_eq!(date(11_017), [2000, 3, 1]);
        assert_eq!(date(20_453), [2025, 12, 31]);
        assert_eq!(date(20_454), [2026, 1, 1]);
    }
}
