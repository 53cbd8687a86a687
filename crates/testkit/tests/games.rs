//! Tests of every game of the catalog with its data file and the conformance suite.

use proptest::prelude::*;
use tussle_catalog::{Catalog, game};
use tussle_conformance::check;
use tussle_testkit::data::{data_files, enter_repository, record};
use tussle_testkit::playthrough::{SEED, playthrough};

#[test]
fn every_game_of_the_catalog_has_a_data_file() {
    let names: Vec<String> = data_files()
        .iter()
        .filter_map(|(path, _)| Some(path.file_stem()?.to_str()?.to_owned()))
        .collect();
    for entry in Catalog::standard().games() {
        assert!(names.iter().any(|name| name == entry.name), "no data file for {}", entry.name);
    }
    assert_eq!(
        names.len(),
        Catalog::standard().games().len(),
        "some data file has no game: {names:?}"
    );
}

#[test]
fn perft_matches_the_data_files() {
    for (path, data) in data_files() {
        for variant in data.variants {
            let rules = game(&variant.spec).unwrap_or_else(|e| panic!("{}: {e}", path.display()));
            for (depth, &count) in variant.perft.iter().enumerate() {
                let counted = rules.start().perft(depth as u32);
                assert_eq!(counted, count, "{} at depth {depth}", variant.spec);
            }
        }
    }
}

/// `UPDATE_GOLDEN=1 cargo test` rewrites the playthroughs; review the difference before you commit
/// it.
#[test]
fn playthroughs_match_the_golden_files() {
    for (path, data) in data_files() {
        let rules = game(&data.variants[0].spec).expect("the first variant is valid");
        let current = playthrough(rules.as_ref(), data.seed.unwrap_or(SEED));
        if std::env::var_os("UPDATE_GOLDEN").is_some() {
            record(&path, &current);
            continue;
        }
        let golden =
            data.golden.unwrap_or_else(|| panic!("{}: no [golden] section", path.display()));
        assert!(
            golden.playthrough == current,
            "{}: the playthrough differs from the golden one. If the change is intended, run the \
             tests with UPDATE_GOLDEN=1 and commit the difference. The new playthrough:\n{current}",
            path.display()
        );
    }
}

#[test]
fn every_variant_conforms() {
    for (_, data) in data_files() {
        for variant in data.variants {
            let rules = game(&variant.spec).expect("a variant is valid");
            for seed in 0..4 {
                check(rules.as_ref(), seed);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..Default::default() })]

    #[test]
    fn any_seed_conforms(seed: u64, choice: prop::sample::Index) {
        enter_repository();
        let specs: Vec<String> =
            data_files().into_iter().flat_map(|(_, d)| d.variants).map(|v| v.spec).collect();
        let spec: &String = choice.get(&specs);
        check(game(spec).unwrap().as_ref(), seed);
    }
}
