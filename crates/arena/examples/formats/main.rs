//! How many games the formats need for a reliable ranking.
mod simulation;
use tussle_arena::Format;
fn main() {
    let reps: u64 = std::env::args().nth(1).and_then(|a| a.parse().ok()).unwrap_or(100);
    for field in simulation::fields().into_iter().skip(std::env::args().nth(4).unwrap().parse().unwrap()).take(1) {
        let n = field.elo.len() as u64;
        let full = n * (n - 1);
        println!("{}: {:?}", field.name, field.elo);
        for format in [match &std::env::args().nth(3).unwrap()[..] { "s" => Format::Swiss, "r" => Format::RoundRobin, _ => Format::Adaptive }] {
            let sizes: Vec<u64> = match format {
                
                _ => [std::env::args().nth(2).unwrap().parse::<f64>().unwrap()].map(|k| (k * full as f64) as u64).to_vec(),
            };
            for games in sizes {
                let config = field.config(format, games);
                let r = field.reliability(&config, reps, 1);
                println!("{format:?} {:7.1} ordered {:.4} best {:.3} covered {:.4}", r.games, r.ordered, r.best_first, r.covered);
            }
        }
    }
}
