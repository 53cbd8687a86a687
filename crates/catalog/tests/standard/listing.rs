//! Claims about the files that specs name.

use tussle_catalog::Catalog;

#[test]
fn files_are_found_in_games_and_agents_and_presets() {
    for spec in
        ["keep-on-moving:file=b.txt", "ids:book=b.json", "expectimax:opponent=x.json", "tree:file="]
    {
        assert!(Catalog::standard().named_file(spec).is_some(), "{spec}");
    }
    for spec in ["go:size=9", "expectimax:opponent=best", "mcts:nodes=9", "", "script:moves=a,b"] {
        assert_eq!(Catalog::standard().named_file(spec), None, "{spec}");
    }
}
