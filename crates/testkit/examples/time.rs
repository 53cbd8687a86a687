//! Time.
use tussle_catalog::{Query, game};
use tussle_core::Budget;
fn main() {
    let a: Vec<String> = std::env::args().collect();
    let g = game(&a[1]).unwrap();
    let mut agent = g.agent(&a[2], 1).unwrap();
    let mut b = Budget::default();
    if let Some(d) = a.get(3) {
        b = b.depth(d.parse().unwrap());
    }
    let t = std::time::Instant::now();
    let r = agent.analyse(g.start().as_ref(), Query::new(&b)).unwrap();
    println!(
        "{} {} {:?} v={} {:?} {:?} nodes {:.2}M {:.3}s {:.2}M/s hits {}",
        a[1],
        a[2],
        r.stopped,
        r.lines[0].value,
        r.lines[0].outcome,
        r.lines[0].distance,
        r.stats.nodes as f64 / 1e6,
        t.elapsed().as_secs_f64(),
        r.stats.nodes as f64 / 1e6 / t.elapsed().as_secs_f64(),
        r.stats.table_hits
    );
}
