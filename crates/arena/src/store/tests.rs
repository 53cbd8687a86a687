//! Tests of the store.

use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::{FileExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::process::{Child, Command, Stdio};

use proptest::prelude::*;

use tussle_engine::Verdict;

use super::*;
use crate::{Contestant, Ending, MoveNote, Tournament};
use tussle_core::Outcome;

/// Temporary folder that is removed when it is dropped.
struct Folder(PathBuf);

impl Folder {
    fn new(name: &str) -> Self {
        let folder = std::env::temp_dir().join(format!("tussle-{name}-{}", std::process::id()));
        let _ = std::fs::remove_dir_all(&folder);
        std::fs::create_dir_all(&folder).unwrap();
        Self(folder)
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    fn names(&self) -> Vec<String> {
        let entries = std::fs::read_dir(&self.0).unwrap();
        let mut names: Vec<_> =
            entries.map(|e| e.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

fn config() -> TournamentSpec {
    let agent = |name: &str| Contestant::new(name, name);
    TournamentSpec::new(vec!["tictactoe".to_owned()], vec![agent("greedy"), agent("random")])
}

fn record(id: u64) -> Record {
    Record {
        id,
        pair: id / 2,
        game: "tictactoe".to_owned(),
        seats: if id.is_multiple_of(2) { vec![0, 1] } else { vec![1, 0] },
        opening: 1,
        moves: ["b2", "a1", "c3"].map(str::to_owned).to_vec(),
        utilities: vec![1.0, -1.0],
        deterministic: true,
        notes: vec![MoveNote::default(); 3],
        ..Record::default()
    }
}

/// Offers games that the store does not have, and checks that it accepts them.
fn accept(store: &mut Store, records: &[Record]) {
    assert_eq!(store.offer(records).unwrap(), vec![Offer::Accepted; records.len()]);
}

fn message(result: Result<Store, StoreError>) -> String {
    result.unwrap_err().to_string()
}

fn notes() -> impl Strategy<Value = MoveNote> {
    let numbers = (any::<u64>(), any::<u64>(), any::<u32>(), any::<u64>(), any::<u64>());
    let value = prop::option::of(prop::num::f64::NORMAL | prop::num::f64::ZERO);
    let seat = prop::option::of(0..9usize);
    let ending = prop::sample::select(&[None, Some(Ending::Win), Some(Ending::Loss)][..]);
    let told = (value, ending);
    let full = (numbers, told, any::<u64>(), any::<u64>(), seat).prop_map(
        |((used, left, depth, nodes, leaves), (value, ending), evaluations, pruned, seat)| {
            let overrun = used % 3 == 0;
            let note = MoveNote { seat, used, left, overrun, value, ending, ..MoveNote::default() };
            MoveNote { depth, nodes, leaves, evaluations, pruned, ..note }
        },
    );
    prop_oneof![Just(MoveNote::default()), full]
}

fn records() -> impl Strategy<Value = Record> {
    let moves = prop::collection::vec(("[^\\s,>|]{1,6}", notes()), 0..12);
    let seats = prop::collection::vec((0..9usize, prop::num::f64::NORMAL), 2..5);
    let text = any::<String>;
    let verdict = (prop::sample::select(&Verdict::ALL[..]), any::<bool>(), text());
    let rest = (prop::option::of(text()), prop::collection::vec(text(), 0..4), any::<bool>());
    let numbers = (0..i64::MAX as u64, 0..i64::MAX as u64, 0..99usize);
    (moves, seats, verdict, rest, numbers).prop_map(|(moves, seats, verdict, rest, numbers)| {
        let (moves, notes) = moves.into_iter().unzip();
        let (seats, utilities): (Vec<_>, Vec<_>) = seats.into_iter().unzip();
        Record {
            id: numbers.0,
            pair: numbers.1,
            game: rest.0.clone().unwrap_or_default(),
            culprit: verdict.1.then_some(seats.len() - 1),
            seats,
            start: rest.0,
            opening: numbers.2,
            moves,
            utilities,
            verdict: verdict.0,
            what: verdict.2,
            evidence: rest.1,
            deterministic: rest.2,
            overruns: numbers.1 / 3,
            notes,
            late: if rest.2 { numbers.0 } else { 0 },
        }
    })
}

proptest! {
    #[test]
    fn stored_games_are_read_back_the_same(mut given in prop::collection::vec(records(), 0..5)) {
        given.sort_by_key(|record| record.id);
        given.dedup_by_key(|record| record.id);
        let nine = TournamentSpec { agents: vec![config().agents[0].clone(); 9], ..config() };
        let mut store = Store::in_memory(&nine).unwrap();
        accept(&mut store, &given);
        let mut told = Vec::new();
        store.for_each(|record| { told.push(record); Ok::<_, StoreError>(()) }).unwrap();
        prop_assert_eq!(&told, &given);
        for record in &given {
            prop_assert_eq!(store.game(record.id).unwrap(), Some(record.clone()));
        }
        let ids: BTreeSet<u64> = given.iter().map(|record| record.id).collect();
        prop_assert_eq!(store.finished().unwrap(), ids);
    }
}

#[test]
fn games_are_visited_in_the_order_of_their_numbers() {
    let mut store = Store::in_memory(&config()).unwrap();
    for id in [7, 2, 9, 0] {
        accept(&mut store, &[record(id)]);
    }
    let mut told = Vec::new();
    store
        .for_each(|record| {
            told.push(record.id);
            Ok::<_, StoreError>(())
        })
        .unwrap();
    assert_eq!(told, [0, 2, 7, 9]);
    assert_eq!(store.game(1).unwrap(), None);
    assert_eq!(store.game(u64::MAX).unwrap(), None);
}

#[test]
fn a_game_is_never_replaced() {
    let mut store = Store::in_memory(&config()).unwrap();
    accept(&mut store, &[record(0), record(1)]);
    let changes: [fn(Record) -> Record; 9] = [
        |record| Record { pair: 7, ..record },
        |record| Record { game: "gobblet".to_owned(), ..record },
        |record| Record { seats: vec![0, 1], ..record },
        |record| Record { start: Some("a position".to_owned()), ..record },
        |record| Record { utilities: vec![-1.0, 1.0], ..record },
        |record| Record { verdict: Verdict::Hang, ..record },
        |record| Record { culprit: Some(0), ..record },
        |record| Record { moves: vec!["a1".to_owned(); 3], ..record },
        |record| Record { moves: Vec::new(), notes: Vec::new(), ..record },
    ];
    for change in changes {
        assert_eq!(store.offer(&[change(record(1))]).unwrap(), [Offer::Conflict]);
    }
    assert_eq!(store.game(1).unwrap(), Some(record(1)));
}

#[test]
fn a_game_that_is_offered_again_is_known() {
    let mut store = Store::in_memory(&config()).unwrap();
    // Game 0 is offered twice at once, game 1 again later.
    let first = store.offer(&[record(0), record(1), record(0)]).unwrap();
    assert_eq!(first, [Offer::Accepted, Offer::Accepted, Offer::Known]);
    let times = vec![MoveNote { used: 5, ..MoveNote::default() }; 3];
    let later = Record { notes: times, what: "again".to_owned(), ..record(1) };
    let second = store.offer(&[record(2), later]).unwrap();
    assert_eq!(second, [Offer::Accepted, Offer::Known]);
    assert_eq!(store.finished().unwrap(), BTreeSet::from([0, 1, 2]));
    assert_eq!(store.game(1).unwrap(), Some(record(1)));
}

/// A game that depends on the clock may have different moves when its job is played twice.
#[test]
fn games_that_depend_on_the_clock_may_differ_in_their_moves() {
    let timed = |moves: &str| Record {
        deterministic: false,
        moves: moves.split(' ').map(str::to_owned).collect(),
        ..record(0)
    };
    let mut store = Store::in_memory(&config()).unwrap();
    accept(&mut store, &[timed("a1 b2 c3")]);
    assert_eq!(store.offer(&[timed("a1 b3 c3")]).unwrap(), [Offer::Known]);
    let lost = Record { utilities: vec![-1.0, 1.0], ..timed("a1 b2 c3") };
    assert_eq!(store.offer(&[lost]).unwrap(), [Offer::Conflict]);
}

#[test]
fn a_game_number_that_is_too_large_is_rejected() {
    let mut store = Store::in_memory(&config()).unwrap();
    assert!(store.offer(&[record(u64::MAX)]).is_err());
    assert!(store.is_empty().unwrap());
}

#[test]
fn only_the_same_configuration_can_resume_a_store() {
    let folder = Folder::new("continued");
    let path = folder.file("S.db");
    let mut store = Store::open_or_create(&path, &config()).unwrap();
    accept(&mut store, &[record(0)]);
    store.add_replay(1, 1, "late").unwrap();
    drop(store);
    assert_eq!(folder.names(), ["S.db"], "only the store is left after writing");

    // The folder of a program is not part of the configuration.
    let mut same = config();
    same.agents[0].folder = Some("elsewhere".into());
    let store = Store::open_or_create(&path, &same).unwrap();
    assert_eq!(store.spec(), &same);
    assert_eq!(store.game(0).unwrap(), Some(record(0)));
    let replay = Replay { id: 1, seat: 1, what: "late".to_owned() };
    assert_eq!(store.replays().unwrap(), [replay]);
    drop(store);

    let mut other = TournamentSpec { clock: "1s".parse().expect("a clock"), ..config() };
    other.agents[1].spec = "random:x=1".to_owned();
    let error = message(Store::open_or_create(&path, &other));
    let shown = path.display();
    assert_eq!(
        error,
        format!(
            "{shown} holds a tournament with another configuration:\n  \
             agent random: random in the store, random:x=1 now\n  \
             clock: 2s in the store, 1s now\n\
             use the same configuration to resume it, or name another store"
        )
    );
    assert_eq!(Store::read(&path).unwrap().spec(), &config());
    assert_eq!(folder.names(), ["S.db"], "only the store is left after reading");
}

/// Returns the specification of a tournament of these agents in connect four, with the options that they have now.
fn looked_up(agents: &[&str]) -> TournamentSpec {
    let agents = agents.iter().map(|agent| Contestant::new(*agent, *agent)).collect();
    let spec = TournamentSpec::new(vec!["connect4".to_owned()], agents);
    Tournament::new(spec, &tussle_catalog::Catalog::standard()).unwrap().spec().clone()
}

#[test]
fn a_store_whose_agents_had_other_options_is_only_resumed_with_those() {
    let folder = Folder::new("options");
    let path = folder.file("S.db");
    let now = looked_up(&["mcts", "random"]);
    drop(Store::open_or_create(&path, &now).unwrap());
    assert_eq!(Store::read(&path).unwrap().spec(), &now, "options are recorded");
    drop(Store::open_or_create(&path, &now).unwrap());
    // The same options by another spec.
    let same = now.agents[0].options[0].clone();
    drop(Store::open_or_create(&path, &looked_up(&[&same, "random"])).unwrap());

    // A version with another default, and one without the last key.
    rewrite_spec(&path, |spec| {
        let c = "mcts-textbook:c=0.35,policy=ucb1,rollout=heavy,eval=windows";
        spec["agents"][0]["options"] = serde_json::json!([c]);
    });
    let message = message(Store::open_or_create(&path, &now));
    let was = "mcts-textbook:c=0.35,rollout=heavy";
    let begin = format!("\n  mcts was {was} when this tournament began, and is mcts-textbook:");
    assert!(message.contains(&begin), "{message}");
    assert!(message.contains(&format!("; give {was} to resume it\n")), "{message}");
    assert!(!message.contains("order of the agents"), "{message}");
    drop(Store::open_or_create(&path, &looked_up(&[was, "random"])).unwrap());
    let mapped = Store::read(&path).unwrap().spec().clone().with_recorded_options();
    assert_eq!((&*mapped.agents[0].name, &*mapped.agents[0].spec), ("mcts", was));
    let catalog = tussle_catalog::Catalog::standard();
    let mapped = Tournament::new(mapped, &catalog).unwrap().spec().clone();
    drop(Store::open_or_create(&path, &mapped).unwrap());
}

#[test]
fn a_store_without_options_was_played_by_textbook_agents() {
    let folder = Folder::new("textbook");
    let path = folder.file("S.db");
    let forget = |agents: &[&str]| {
        let mut old = looked_up(agents);
        for agent in &mut old.agents {
            agent.options.clear();
        }
        let _ = std::fs::remove_file(&path);
        drop(Store::open_or_create(&path, &old).unwrap());
    };
    forget(&["mcts", "level-3"]);
    let message = message(Store::open_or_create(&path, &looked_up(&["mcts", "level-3"])));
    assert!(message.contains("; give mcts-textbook to resume it\n"), "{message}");
    assert!(!message.contains("level-3"), "{message}");
    drop(Store::open_or_create(&path, &looked_up(&["mcts-textbook", "level-3"])).unwrap());
    let mapped = Store::read(&path).unwrap().spec().clone().with_recorded_options();
    assert_eq!((&*mapped.agents[0].spec, &*mapped.agents[1].spec), ("mcts-textbook", "level-3"));
    forget(&["mcts-textbook", "greedy"]);
    drop(Store::open_or_create(&path, &looked_up(&["mcts-textbook", "greedy"])).unwrap());
}

/// Rewrites the specification in a store.
fn rewrite_spec(path: &Path, change: impl FnOnce(&mut serde_json::Map<String, Value>)) {
    let connection = Connection::open(path).unwrap();
    let select = "SELECT value FROM meta WHERE key = 'config'";
    let text: String = connection.query_row(select, [], |row| row.get(0)).unwrap();
    let mut spec: Value = serde_json::from_str(&text).unwrap();
    change(spec.as_object_mut().unwrap());
    let update = "UPDATE meta SET value = ? WHERE key = 'config'";
    connection.execute(update, [spec.to_string()]).unwrap();
}

#[test]
fn a_store_that_says_the_same_in_other_words_is_continued() {
    let folder = Folder::new("words");
    let path = folder.file("S.db");
    drop(Store::open_or_create(&path, &config()).unwrap());
    rewrite_spec(&path, |spec| {
        spec.insert("clock".to_owned(), "2000ms".into());
        spec.insert("margin".to_owned(), "0.01s".into());
        // A setting that its version did not have.
        spec.remove("shard").unwrap();
    });
    assert_eq!(Store::read(&path).unwrap().spec(), &config());
    drop(Store::open_or_create(&path, &config()).unwrap());
    // A setting that only later versions have.
    rewrite_spec(&path, |spec| drop(spec.insert("pace".to_owned(), 5.into())));
    let error = message(Store::open_or_create(&path, &config()));
    assert!(error.contains("\n  pace: 5 in the store, none now\n"), "{error}");
}

#[test]
fn one_run_writes_while_others_can_only_read() {
    let folder = Folder::new("locked");
    let path = folder.file("S.db");
    let mut store = Store::open_or_create(&path, &config()).unwrap();
    accept(&mut store, &[record(0)]);
    let error = message(Store::open_or_create(&path, &config()));
    assert!(error.starts_with("another tussle is running on "), "{error}");
    assert!(error.contains("S.db-lock"), "{error}");
    // A symbolic link to the store has the same lock.
    std::os::unix::fs::symlink(&path, folder.file("T.db")).unwrap();
    let other = Store::open_or_create(&folder.file("T.db"), &config());
    assert!(matches!(other, Err(StoreError::Locked { .. })));

    let reader = Store::read(&path).unwrap();
    assert_eq!(reader.len().unwrap(), 1);
    accept(&mut store, &[record(1)]);
    assert_eq!(reader.len().unwrap(), 2);
    drop(store);
    assert!(!folder.names().contains(&"S.db-lock".to_owned()));
    // A lock file that is left behind does not block a run.
    std::fs::write(folder.file("S.db-lock"), "").unwrap();
    assert_eq!(Store::open_or_create(&path, &config()).unwrap().len().unwrap(), 2);
}

#[test]
fn a_file_that_is_not_a_store_is_rejected_and_not_changed() {
    let folder = Folder::new("foreign");
    let path = folder.file("S.db");
    assert!(matches!(Store::read(&path), Err(StoreError::Missing(_))));
    let nowhere = folder.file("no/S.db");
    let error = message(Store::open_or_create(&nowhere, &config()));
    assert!(error.contains("there is no folder") && error.contains("/no;"), "{error}");
    assert!(matches!(Store::open_or_create(&folder.0, &config()), Err(StoreError::NotAStore(_))));
    assert!(matches!(Store::read(&folder.0), Err(StoreError::NotAStore(_))));

    for text in ["x", "hello", &"all sorts of things\n".repeat(500)] {
        std::fs::write(&path, text).unwrap();
        for store in [Store::open_or_create(&path, &config()), Store::read(&path)] {
            assert!(matches!(store, Err(StoreError::NotAStore(_))), "{store:?}");
        }
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
    }
    std::fs::remove_file(&path).unwrap();
    Connection::open(&path).unwrap().execute_batch("CREATE TABLE songs (name)").unwrap();
    let before = std::fs::read(&path).unwrap();
    for store in [Store::open_or_create(&path, &config()), Store::read(&path)] {
        assert!(message(store).ends_with("S.db is not a tussle store"));
    }
    assert_eq!(std::fs::read(&path).unwrap(), before);
}

#[test]
fn a_store_of_a_newer_version_asks_for_an_update() {
    let folder = Folder::new("newer");
    let path = folder.file("S.db");
    drop(Store::open_or_create(&path, &config()).unwrap());
    Connection::open(&path).unwrap().pragma_update(None, "user_version", 3).unwrap();
    for store in [Store::open_or_create(&path, &config()), Store::read(&path)] {
        let error = message(store);
        let end = "written by a newer tussle (format 3, this one reads up to 1): update tussle";
        assert!(error.ends_with(end), "{error}");
    }
}

#[test]
fn an_unfinished_creation_is_started_again() {
    let folder = Folder::new("half");
    let path = folder.file("S.db");
    let half: [fn(&Path); 3] = [
        |path| std::fs::write(path, "").unwrap(),
        |path| durable(&Connection::open(path).unwrap()).unwrap(),
        |path| {
            // Tables that were never committed.
            let connection = Connection::open(path).unwrap();
            durable(&connection).unwrap();
            connection.execute_batch("BEGIN; CREATE TABLE games (id)").unwrap();
        },
    ];
    for make in half {
        make(&path);
        assert!(matches!(Store::read(&path), Err(StoreError::Empty(_))));
        let mut store = Store::open_or_create(&path, &config()).unwrap();
        accept(&mut store, &[record(0)]);
        drop(store);
        assert_eq!(Store::read(&path).unwrap().len().unwrap(), 1);
        std::fs::remove_file(&path).unwrap();
    }
}

#[test]
fn damage_is_reported() {
    let folder = Folder::new("damage");
    let path = folder.file("S.db");
    let mut store = Store::open_or_create(&path, &config()).unwrap();
    accept(&mut store, &(0..500).map(record).collect::<Vec<_>>());
    drop(store);
    let whole = std::fs::read(&path).unwrap();

    // A row with an invalid value.
    let edit = "UPDATE games SET verdict = 'fine' WHERE id = 3";
    Connection::open(&path).unwrap().execute_batch(edit).unwrap();
    let store = Store::read(&path).unwrap();
    let error = store.game(3).unwrap_err().to_string();
    assert!(error.ends_with("S.db is damaged: game 3: unknown verdict `fine`"), "{error}");
    assert!(store.for_each(|_| Ok::<_, StoreError>(())).is_err());
    drop(store);
    for (edit, why) in [
        ("utilities = '[1.0]'", "the numbers of seats and utilities differ"),
        ("seats = '[0, 2]'", "an agent that does not take part"),
        ("culprit = 2", "no such seat"),
        ("pair = -1", "out of range"),
        ("notes = '['", "EOF"),
        ("moves = x'ff'", "Invalid type"),
    ] {
        std::fs::write(&path, &whole).unwrap();
        let edit = format!("UPDATE games SET {edit} WHERE id = 3");
        Connection::open(&path).unwrap().execute_batch(&edit).unwrap();
        let error = Store::read(&path).unwrap().game(3).unwrap_err();
        let is_damage = matches!(error, StoreError::Corrupt { .. });
        assert!(is_damage && error.to_string().contains(why), "{edit}: {error:?}");
    }

    // Overwritten and missing pages are reported as damage, without a panic.
    let mut torn = whole.clone();
    torn[4096..].fill(0xA5);
    std::fs::write(&path, torn).unwrap();
    let read = Store::read(&path).and_then(|store| store.for_each(|_| Ok::<_, StoreError>(())));
    assert!(matches!(read, Err(StoreError::Corrupt { .. })), "{read:?}");
    std::fs::write(&path, &whole[..whole.len() / 2]).unwrap();
    let read = Store::read(&path).and_then(|store| store.for_each(|_| Ok::<_, StoreError>(())));
    assert!(matches!(read, Err(StoreError::Corrupt { .. })), "{read:?}");
}

#[test]
fn a_full_disk_loses_nothing() {
    let folder = Folder::new("full");
    let path = folder.file("S.db");
    let mut store = Store::open_or_create(&path, &config()).unwrap();
    let pages: i64 = store.connection.query_row("PRAGMA page_count", [], |row| row.get(0)).unwrap();
    let limit = |store: &Store, pages: i64| {
        let sql = format!("PRAGMA max_page_count = {pages}");
        store.connection.query_row(&sql, [], |_| Ok(())).unwrap();
    };
    limit(&store, pages + 3);
    let mut done = 0;
    let error = loop {
        match store.offer(&[record(done)]) {
            Ok(_) => done += 1,
            Err(error) => break error,
        }
    };
    assert!(done > 10);
    let (shown, n) = (path.display(), done);
    let one = StoreError::Full { path: path.clone(), games: Some(1) }.to_string();
    assert!(one.contains(", 1 game is in "), "{one}");
    let lost = |rescue: &Rescue| rescue.advice(1);
    let nowhere = Rescue::Nowhere(Box::new(StoreError::Full { path: path.clone(), games: None }));
    assert!(lost(&nowhere).starts_with("its 1 game could not be saved: the disk is full"));
    assert!(lost(&Rescue::In("r.db".into(), 1)).starts_with("1 of 1 game saved in r.db; "));
    assert_eq!(
        error.to_string(),
        format!(
            "the disk is full: nothing is lost, {n} games are in {shown}; \
             make room and run the same command again"
        )
    );
    limit(&store, 1 << 20);
    accept(&mut store, &[record(done)]);
    drop(store);
    assert_eq!(Store::read(&path).unwrap().len().unwrap(), done + 1);
}

/// Returns the description of a loss and the path of the rescued games.
fn saved<T: std::fmt::Debug>(result: Result<T, StoreError>) -> (String, PathBuf) {
    match result {
        Err(StoreError::Lost { what, rescued: Rescue::In(path, _), .. }) => (what, path),
        other => panic!("not saved: {other:?}"),
    }
}

#[test]
fn the_games_of_a_lost_store_are_saved_in_another_file() {
    type Damage = fn(&Folder);
    let damages: [(&str, Damage); 7] = [
        ("S.db was deleted or moved", |folder| {
            for name in ["S.db", "S.db-wal", "S.db-shm"] {
                std::fs::remove_file(folder.file(name)).unwrap();
            }
        }),
        ("S.db was deleted or moved", |folder| {
            std::fs::rename(folder.file("S.db"), folder.file("other.db")).unwrap();
        }),
        ("S.db was replaced by another file", |folder| {
            std::fs::rename(folder.file("S.db"), folder.file("other.db")).unwrap();
            std::fs::write(folder.file("S.db"), "another file").unwrap();
        }),
        ("S.db was cut from", |folder| std::fs::write(folder.file("S.db"), "").unwrap()),
        ("S.db was cut from", |folder| {
            std::fs::write(folder.file("S.db"), "").unwrap();
            std::fs::write(folder.file("S.db-wal"), "").unwrap();
        }),
        ("S.db-wal was deleted or moved", |folder| {
            std::fs::remove_file(folder.file("S.db-wal")).unwrap();
        }),
        ("S.db-shm was deleted or moved", |folder| {
            std::fs::remove_file(folder.file("S.db-shm")).unwrap();
        }),
    ];
    for (number, (expected, damage)) in damages.into_iter().enumerate() {
        let folder = Folder::new(&format!("lost-{number}"));
        let path = folder.file("S.db");
        let mut store = Store::open_or_create(&path, &config()).unwrap();
        std::fs::write(folder.file("S.db.rescued-1.db"), "of an earlier run").unwrap();
        (0..20).for_each(|id| accept(&mut store, &[record(id)]));
        damage(&folder);
        let there = std::fs::read(&path).ok();
        let (what, rescued) = saved(store.offer(&[record(20)]));
        assert!(what.contains(expected), "{what}");
        assert_eq!(rescued, folder.file("S.db.rescued-2.db"));
        drop(store);
        assert_eq!(std::fs::read(&path).ok(), there, "{what}: the file is left as it was found");
        let first = std::fs::read_to_string(folder.file("S.db.rescued-1.db")).unwrap();
        assert_eq!(first, "of an earlier run");
        let again = Store::open_or_create(&rescued, &config()).unwrap();
        assert!(again.finished().unwrap().into_iter().eq(0..=20), "{what}");
        assert_eq!(again.game(20).unwrap(), Some(record(20)));
    }
}

#[test]
fn a_cut_index_of_the_log_ends_the_run_and_not_the_process() {
    let folder = Folder::new("cut-index");
    let path = folder.file("S.db");
    let mut store = Store::open_or_create(&path, &config()).unwrap();
    accept(&mut store, &[record(0)]);
    std::fs::write(folder.file("S.db-shm"), "").unwrap();
    let error = store.offer(&[record(1)]).unwrap_err().to_string();
    assert!(error.contains("S.db-shm was cut"), "{error}");
    assert!(error.ends_with("nothing is lost: run the same command again"), "{error}");
}

#[test]
fn overwritten_content_is_detected_at_the_end_of_the_run() {
    type Damage = fn(&Folder);
    let damages: [Damage; 3] = [
        |folder| {
            let file = std::fs::File::options().write(true).open(folder.file("S.db")).unwrap();
            file.write_all_at(&vec![7; 20_000], 0).unwrap();
        },
        |folder| {
            let file = std::fs::File::options().write(true).open(folder.file("S.db-wal")).unwrap();
            let length = file.metadata().unwrap().len() as usize;
            file.write_all_at(&vec![7; length], 0).unwrap();
        },
        |folder| {
            let log = std::fs::File::options().write(true).open(folder.file("S.db-wal")).unwrap();
            log.set_len(0).unwrap();
        },
    ];
    for (number, damage) in damages.into_iter().enumerate() {
        let folder = Folder::new(&format!("overwritten-{number}"));
        let mut store = Store::open_or_create(&folder.file("S.db"), &config()).unwrap();
        (0..200).for_each(|id| accept(&mut store, &[record(id)]));
        damage(&folder);
        // SQLite may have written its own content again. Then the store itself is intact.
        let whole = match store.verify() {
            Ok(()) => folder.file("S.db"),
            lost => saved(lost).1,
        };
        drop(store);
        let again = Store::read(&whole).unwrap();
        assert!(again.finished().unwrap().into_iter().eq(0..200), "damage {number}");
    }
}

#[test]
fn an_intact_store_can_be_written_after_verification() {
    let folder = Folder::new("verified");
    let path = folder.file("S.db");
    let mut store = Store::open_or_create(&path, &config()).unwrap();
    for id in 0..3 {
        accept(&mut store, &[record(id)]);
        store.verify().unwrap();
    }
    let reader = Store::read(&path).unwrap();
    accept(&mut store, &[record(3)]);
    store.verify().unwrap();
    assert_eq!(reader.len().unwrap(), 4);
    drop((store, reader));
    assert_eq!(folder.names(), ["S.db"]);
}

#[test]
fn a_failed_merge_leaves_no_file_behind() {
    let folder = Folder::new("merge-fails");
    let mut part = Store::open_or_create(&folder.file("part.db"), &config()).unwrap();
    accept(&mut part, &[record(0)]);
    // A game that cannot be read ends the merge after the first game.
    accept(&mut part, &[record(1)]);
    part.connection.execute("UPDATE games SET notes = 'nonsense' WHERE id = 1", []).unwrap();
    drop(part);
    let part = Store::read(&folder.file("part.db")).unwrap();
    let merged = Store::merge(&[part], &folder.file("all.db"));
    assert!(matches!(merged, Err(StoreError::Corrupt { .. })), "{merged:?}");
    assert_eq!(folder.names(), ["part.db"]);
}

/// Returns a command that runs one of the tests below in another process.
fn child(test: &str, path: &Path) -> Command {
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["--exact", "--nocapture", "--include-ignored", &format!("store::tests::{test}")]);
    command.env("TUSSLE_TEST_STORE", path);
    command
}

fn given() -> Option<PathBuf> {
    std::env::var_os("TUSSLE_TEST_STORE").map(PathBuf::from)
}

#[test]
#[ignore = "helper of the test of read-only stores, run as a user without write permission"]
fn helper_reads() {
    let Some(path) = given() else { return };
    assert_eq!(Store::read(&path).unwrap().len().unwrap(), 1);
    let error = message(Store::open_or_create(&path, &config()));
    assert!(error.ends_with("cannot be written: the file or its folder is read-only"), "{error}");
}

#[test]
fn a_read_only_store_is_read_and_not_written() {
    let folder = Folder::new("read only"); // with a space in its name
    let path = folder.file("S %41?.db");
    let mut store = Store::open_or_create(&path, &config()).unwrap();
    accept(&mut store, &[record(0)]);
    drop(store);
    let set = |path: &Path, mode| {
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(mode)).unwrap();
    };
    // Root may write everywhere, so use another user.
    let user =
        if nix::unistd::geteuid().is_root() { 65534 } else { nix::unistd::geteuid().as_raw() };
    for mode in [0o555, 0o777] {
        set(&path, 0o444);
        set(&folder.0, mode);
        let done = match child("helper_reads", &path).uid(user).output() {
            // The other user cannot run a binary that was built in root's home.
            Err(e) if e.kind() == std::io::ErrorKind::PermissionDenied => return,
            done => done.unwrap(),
        };
        assert!(done.status.success(), "{mode:o}: {}", String::from_utf8_lossy(&done.stdout));
    }
    set(&folder.0, 0o777);
    assert_eq!(folder.names(), ["S %41?.db"]);
}

#[test]
#[ignore = "helper of the test of killed runs, which kills it"]
fn helper_writes() {
    let Some(path) = given() else { return };
    let mut store = Store::open_or_create(&path, &config()).unwrap();
    let finished = store.finished().unwrap();
    for id in (0..).filter(|id| !finished.contains(id)) {
        accept(&mut store, &[record(id)]);
        println!("added {id}");
    }
}

/// Kills the child and returns the games that it reported as stored.
fn kill(mut child: Child) -> Vec<u64> {
    child.kill().unwrap();
    let told = BufReader::new(child.stdout.take().unwrap()).lines();
    let ids = told.filter_map(|line| line.unwrap().rsplit_once("added ")?.1.parse().ok());
    let ids = ids.collect();
    child.wait().unwrap();
    ids
}

#[test]
fn a_run_killed_at_any_moment_loses_no_game_and_repeats_none() {
    let folder = Folder::new("killed");
    let path = folder.file("S.db");
    let (mut safe, mut rng) = (BTreeSet::new(), tussle_core::Rng::new(11));
    // A slow machine needs more rounds to store enough games.
    for round in 0..400 {
        if round >= 40 && safe.len() > 40 {
            break;
        }
        let child = child("helper_writes", &path).stdout(Stdio::piped()).spawn().unwrap();
        // The kill may also come before or during the creation of the store.
        std::thread::sleep(Duration::from_micros(rng.below(60_000) as u64));
        for id in kill(child) {
            assert!(safe.insert(id), "round {round}: game {id} was added twice");
        }
        match Store::read(&path) {
            Ok(store) => {
                let there = store.finished().unwrap();
                assert!(safe.is_subset(&there), "round {round}: a game was lost");
                // Includes games that were stored but not reported before the kill.
                safe = there;
            }
            Err(StoreError::Missing(_) | StoreError::Empty(_)) => assert!(safe.is_empty()),
            Err(error) => panic!("round {round}: {error}"),
        }
    }
    assert!(safe.len() > 40, "{} games", safe.len());
    let store = Store::open_or_create(&path, &config()).unwrap();
    let sound: String =
        store.connection.query_row("PRAGMA integrity_check", [], |row| row.get(0)).unwrap();
    assert_eq!(sound, "ok");
    assert!(safe.iter().copied().eq(0..safe.len() as u64), "there is a gap");
}

#[test]
fn merged_parts_are_the_store_of_the_whole_tournament() {
    let folder = Folder::new("merge");
    let part = |name: &str, shard: &str, ids: &[u64]| {
        let config = TournamentSpec { shard: shard.parse().ok(), ..config() };
        let mut store = Store::open_or_create(&folder.file(name), &config).unwrap();
        accept(&mut store, &ids.iter().map(|&id| record(id)).collect::<Vec<_>>());
        store.add_replay(ids[0], 1, "late").unwrap();
        drop(store);
        Store::read(&folder.file(name)).unwrap()
    };
    let parts = [part("b.db", "2/2", &[2, 3, 6]), part("a.db", "1/2", &[0, 1, 4, 5])];
    let all = folder.file("all.db");
    let merged = Store::merge(&parts, &all).unwrap();
    assert_eq!(merged.spec(), &config());
    assert!(merged.finished().unwrap().into_iter().eq(0..=6));
    assert_eq!(merged.game(6).unwrap(), Some(record(6)));
    assert_eq!(merged.replays().unwrap().len(), 2);
    drop(merged);
    // The merged store can be resumed without a shard.
    Store::open_or_create(&all, &config()).unwrap();

    let again = message(Store::merge(&parts, &all));
    assert!(again.contains("has games already"), "{again}");
    let fresh = folder.file("fresh.db");
    let twice =
        message(Store::merge(&[part("c.db", "1/3", &[6]), part("d.db", "2/3", &[5, 6])], &fresh));
    assert!(twice.contains("c.db and") && twice.contains("both have game 6"), "{twice}");
    let other = TournamentSpec { seed: 7, ..config() };
    let other = Store::open_or_create(&folder.file("other.db"), &other).unwrap();
    let unlike = message(Store::merge(&[part("e.db", "1/2", &[0]), other], &fresh));
    assert!(unlike.contains("seed: 1 in ") && unlike.contains("other.db"), "{unlike}");
    assert!(!fresh.exists(), "a rejected merge leaves no file behind");
}

#[test]
fn games_are_filtered_by_agent_outcome_and_verdict() {
    let mut store = Store::in_memory(&config()).unwrap();
    // The first player wins 0 and 1 and loses 2; 4 is drawn.
    let late = Record {
        verdict: Verdict::Time,
        culprit: Some(0),
        utilities: vec![-1.0, 1.0],
        ..record(2)
    };
    let drawn = Record { utilities: vec![0.0, 0.0], ..record(4) };
    accept(&mut store, &[record(0), record(1), late, drawn]);
    let pick =
        |agent, outcome, verdict| store.pick(&GameFilter { agent, outcome, verdict }).unwrap();
    assert_eq!(pick(None, None, None), [0, 1, 2, 4]);
    assert_eq!(pick(None, Some(Outcome::Win), None), [0, 1]);
    // Agent 1 has the first seat only in game 1.
    assert_eq!(pick(Some(1), Some(Outcome::Win), None), [1, 2]);
    assert_eq!(pick(Some(0), Some(Outcome::Loss), Some(Verdict::Time)), [2]);
    assert_eq!(pick(Some(0), Some(Outcome::Draw), None), [4]);
    assert!(pick(Some(7), None, None).is_empty());
    assert_eq!(store.neighbours(2).unwrap(), [Some(1), Some(4)]);
    assert_eq!(store.neighbours(4).unwrap(), [Some(2), None]);
}

#[test]
fn a_store_is_in_use_while_it_is_open_for_writing() {
    let folder = Folder::new("in-use");
    let path = folder.file("s.db");
    assert!(!Store::is_in_use(&path));
    let store = Store::open_or_create(&path, &config()).unwrap();
    assert!(Store::is_in_use(&path));
    drop(store);
    // Lock file of a killed run.
    std::fs::write(folder.file("s.db-lock"), "").unwrap();
    assert!(!Store::is_in_use(&path));
}
