//! Compares recorded searches with the worked examples of the lectures, step by step.

use tussle_catalog::recording::{Recording, Step};
use tussle_catalog::{AnyGame, Query, game};
use tussle_core::{CutReason, LeafKind, Limits, Report};

/// Short texts of the steps of a tree search, with the names of the nodes.
#[derive(Default)]
struct StepTexts {
    entered: Vec<String>,
    steps: Vec<String>,
}

impl StepTexts {
    fn new(recording: &Recording) -> Self {
        let name = |node: usize| recording.tree.nodes()[node].name.as_str();
        let mut texts = Self::default();
        let mut leaf = None;
        for step in &recording.steps {
            match step {
                Step::Enter { node, alpha, beta } => {
                    texts.steps.push(format!("{} ({alpha}, {beta})", name(*node)));
                    texts.entered.push(name(*node).to_owned());
                }
                Step::Leaf { node, values, kind } => {
                    assert_eq!(*kind, LeafKind::End);
                    leaf = Some(*node);
                    *texts.steps.last_mut().unwrap() = format!("{}={}", name(*node), values[0]);
                }
                Step::Window { node, by, alpha, beta } => {
                    let by = name(*by);
                    texts.steps.push(format!("{} ({alpha}, {beta}) by {by}", name(*node)));
                }
                Step::Cut { node, reason, skipped } => {
                    let bound = if *reason == CutReason::Beta { "beta" } else { "alpha" };
                    let skipped: Vec<&str> = skipped.iter().map(|&node| name(node)).collect();
                    texts.steps.push(format!(
                        "{} cuts {} by {bound}",
                        name(*node),
                        skipped.join(",")
                    ));
                }
                Step::Leave { node, values } if leaf.take() != Some(*node) => {
                    texts.steps.push(format!("{} is {}", name(*node), values[0]));
                }
                _ => {}
            }
        }
        texts
    }
}

fn tree() -> std::sync::Arc<dyn AnyGame> {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/trees/lecture-alphabeta.json");
    game(&format!("tree:file={path}")).unwrap()
}

fn record(agent: &str) -> (Report<String>, StepTexts) {
    let tree = tree();
    let mut recording = Recording::new(1000);
    let mut agent = tree.agent(agent, 1).unwrap();
    let query = Query { recording: Some(&mut recording), ..Query::new(&Limits::none()) };
    let report = agent.analyse(tree.start().as_ref(), query).unwrap();
    (report, StepTexts::new(&recording))
}

#[test]
fn minimax_sees_all_fifteen_nodes() {
    let (report, texts) = record("minimax");
    assert_eq!(texts.entered.join(" "), "A B D H I E J K C F L M G N O");
    assert_eq!((report.stats.nodes, report.stats.leaves), (15, 8));
    assert_eq!(report.lines[0].value.number(), 8.0);
    assert_eq!(report.lines[0].pv.join("-"), "B-D-I");
    let values = ["D is 8", "E is 9", "B is 8", "F is 2", "G is 9", "C is 2", "A is 8"];
    let backed_up: Vec<_> = texts.steps.iter().filter(|step| step.contains(" is ")).collect();
    assert_eq!(backed_up, values.iter().collect::<Vec<_>>());
}

#[test]
fn alpha_beta_takes_the_steps_of_the_lecture() {
    let (report, texts) = record("alphabeta:order=none");
    assert_eq!(
        texts.steps,
        [
            "A (-inf, inf)",
            "B (-inf, inf)",
            "D (-inf, inf)",
            "H=4",
            "D (4, inf) by H",
            "I=8",
            "D (8, inf) by I",
            "D is 8",
            "B (-inf, 8) by D",
            "E (-inf, 8)",
            "J=9",
            "E cuts K by beta",
            "E is 9",
            "B is 8",
            "A (8, inf) by B",
            "C (8, inf)",
            "F (8, inf)",
            "L=2",
            "M=-2",
            "F is 2",
            "C cuts G by alpha",
            "C is 2",
            "A is 8",
        ]
    );
    assert_eq!(texts.entered.join(" "), "A B D H I E J C F L M");
    let stats = &report.stats;
    assert_eq!((stats.nodes, stats.leaves, stats.cutoffs, stats.pruned), (11, 5, 2, 2));
    assert_eq!((report.lines[0].value.number(), report.lines[0].mv.as_str()), (8.0, "B"));
}

#[test]
fn a_known_value_takes_no_more_nodes_than_a_full_search() {
    let tree = tree();
    let mut agent = tree.agent("alphabeta:order=none,tt=off,value=8", 1).unwrap();
    let report = agent.choose(tree.start().as_ref(), &Limits::none()).unwrap();
    assert_eq!((report.lines[0].mv.as_str(), report.lines[0].value.number()), ("B", 8.0));
    let (start, limits) = (tree.start(), Limits::none());
    let agent = "alphabeta:order=none,tt=off,value=8";
    let counts = tussle_explain::known_value_nodes(tree.as_ref(), start.as_ref(), agent, &limits);
    let orders: Vec<_> = counts.iter().map(|nodes| nodes.order).collect();
    assert_eq!(orders, ["best", "worst", "random"]);
    for nodes in &counts {
        assert!(nodes.known <= nodes.full && nodes.full <= 15, "{nodes:?}");
    }
    // With the best move first, only the leaves of a proof tree are searched.
    assert_eq!((counts[0].known, counts[0].full), (6, 11));
    // A known value that is too high is not confirmed.
    let mut agent = tree.agent("alphabeta:value=9", 1).unwrap();
    let report = agent.choose(tree.start().as_ref(), &Limits::none()).unwrap();
    assert!(report.lines[0].value.number() < 9.0);
}

/// MIN moves at the root, but values are still those of MAX.
#[test]
fn the_known_value_of_a_tree_is_for_max_even_if_min_moves() {
    let text = r#"{"root": "A", "nodes": {"A": {"min": ["B", "C"]}, "B": 4, "C": -17}}"#;
    let tree = tussle_catalog::game_from_text("tree", "file", text).unwrap();
    let mut agent = tree.agent("alphabeta:order=none,value=-17", 1).unwrap();
    let report = agent.choose(tree.start().as_ref(), &Limits::none()).unwrap();
    assert_eq!((report.lines[0].mv.as_str(), report.lines[0].value.number()), ("C", -17.0));
}

/// The best move is a proven loss, but the value of the other move is only an estimate.
#[test]
fn a_loss_is_not_proven_while_another_move_is_unproven() {
    let text = r#"{"root": "A", "nodes": {
        "A": {"max": ["B", "C"]}, "B": -3,
        "C": {"min": ["D"]}, "D": {"max": ["E"], "value": -9}, "E": 1}}"#;
    let tree = tussle_catalog::game_from_text("tree", "file", text).unwrap();
    for agent in ["minimax", "alphabeta"] {
        let mut agent = tree.agent(agent, 1).unwrap();
        let shallow = agent.choose(tree.start().as_ref(), &Limits::depth(2)).unwrap();
        assert_eq!((shallow.best().unwrap().as_str(), shallow.outcome()), ("B", None));
        let complete = agent.choose(tree.start().as_ref(), &Limits::none()).unwrap();
        assert_eq!(complete.outcome(), Some(tussle_core::Outcome::Win));
    }
}

#[test]
fn searches_with_several_threads_can_be_recorded() {
    let game = game("connect4").unwrap();
    for agent in ["ids:threads=3,tt=1", "alphabeta:threads=2,tt=off", "ids:threads=2,order=none"] {
        let mut recording = Recording::new(10_000);
        let mut agent = game.agent(agent, 1).unwrap();
        let limits = Limits::depth(7);
        let query = Query { recording: Some(&mut recording), ..Query::new(&limits) };
        agent.analyse(game.start().as_ref(), query).unwrap();
        assert!(recording.steps.iter().any(|step| matches!(step, Step::Cut { .. })));
    }
}
