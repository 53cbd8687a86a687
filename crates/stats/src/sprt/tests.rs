//! Claims about the sequential test.

use super::*;

fn test(elo0: f64, elo1: f64, model: EloModel) -> Sprt {
    Sprt { elo0, elo1, alpha: 0.05, beta: 0.05, model }
}

/// Published log-likelihood ratios, to the digits that were printed.
#[test]
fn published_ratios_come_out_digit_by_digit() {
    use EloModel::{Logistic, Normalized};
    for (counts, elo0, elo1, model, llr) in [
        // Disservin/fastchess, pull request 426 and app/tests/sprt_test.cpp
        ([365, 16_618, 36_229, 16_974, 390], 0.0, 2.0, Normalized, "2.25"),
        ([127, 4883, 10_712, 5150, 104], -1.75, 0.25, Normalized, "3.01"),
        ([223, 9863, 21_279, 10_037, 246], 0.5, 2.5, Logistic, "-3.07"),
        ([871, 26_175, 55_983, 26_678, 821], 0.0, 2.0, Logistic, "-4.98"),
        // the same, pull request 882: far from anything usual
        ([77, 1, 0, 0, 0], -1000.0, -500.0, Normalized, "-2.95"),
        ([72, 10, 0, 0, 0], -1000.0, -500.0, Normalized, "-2.97"),
        // brunocodutra/cinder, pull requests 879, 836, 800, 820, 894, 795, by fastchess
        ([115, 1156, 2443, 1233, 141], -3.0, 1.0, Normalized, "2.90"),
        ([835, 6884, 13_116, 7201, 852], 0.0, 3.0, Normalized, "2.89"),
        ([147, 1252, 2509, 1445, 165], 0.0, 3.0, Normalized, "2.89"),
        ([244, 1980, 3630, 2067, 263], -3.0, 1.0, Normalized, "2.90"),
        ([172, 2752, 5656, 2885, 227], 0.0, 3.0, Normalized, "2.90"),
        ([1447, 13_972, 26_437, 14_412, 1441], 0.0, 3.0, Normalized, "1.98"),
        // official-stockfish/Stockfish, pull requests 3209, 3098, 2971, 2951 and 2950, by fishtest
        // while its bounds were logistic
        ([253, 4282, 17_604, 4431, 286], -0.25, 1.25, Logistic, "2.94"),
        ([58, 3302, 33_130, 3518, 84], 0.25, 1.25, Logistic, "2.97"),
        ([491, 7345, 29_693, 7670, 465], -0.25, 1.25, Logistic, "2.96"),
        ([53, 2220, 21_459, 2445, 47], 0.25, 1.25, Logistic, "2.97"),
        ([17, 253, 1042, 337, 39], -0.5, 1.5, Logistic, "2.96"),
        ([11, 407, 3238, 513, 11], 0.25, 1.75, Logistic, "2.93"),
        ([59, 754, 2467, 865, 75], -0.5, 1.5, Logistic, "2.95"),
        ([33, 1185, 8378, 1302, 50], 0.25, 1.75, Logistic, "2.95"),
        ([133, 1751, 5094, 1849, 165], -0.5, 1.5, Logistic, "2.94"),
        ([149, 4748, 32_785, 5063, 159], 0.25, 1.75, Logistic, "2.95"),
        // the same, pull request 3514: bounds in normalized Elo
        ([264, 5737, 31_270, 5964, 269], -0.5, 2.5, Normalized, "2.97"),
        ([29, 2205, 35_000, 2392, 34], 0.5, 3.5, Normalized, "2.94"),
    ] {
        let found = test(elo0, elo1, model).llr(&Pentanomial(counts)).unwrap();
        let digits = llr.split_once('.').unwrap().1.len();
        assert_eq!(format!("{found:.digits$}"), llr, "{counts:?}");
    }
}

/// Disservin/fastchess, pull request 783, prints 2.94598; its own solution is exact to a thousandth.
#[test]
fn a_ratio_published_with_more_digits_agrees() {
    let pairs = Pentanomial([379, 10_170, 21_828, 10_640, 343]);
    let llr = test(0.0, 2.0, EloModel::Normalized).llr(&pairs).unwrap();
    assert!((llr - 2.945_98).abs() < 1e-3, "{llr}");
    assert_eq!(test(0.0, 2.0, EloModel::Normalized).decision(llr), Some(Hypothesis::H1));
}

/// In both models the ratio is that of the best distribution of each hypothesis. Here they are found
/// by climbing: shares move between three scores in ever smaller steps that keep the constraint.
#[test]
fn no_other_distribution_of_a_hypothesis_explains_the_pairs_better() {
    let scores = [0.0, 0.25, 0.5, 0.75, 1.0];
    let mean = |p: &[f64; 5]| p.iter().zip(scores).map(|(p, s)| p * s).sum::<f64>();
    let deviation = |p: &[f64; 5]| {
        let mean = mean(p);
        p.iter().zip(scores).map(|(p, s)| p * (s - mean).powi(2)).sum::<f64>().sqrt()
    };
    let log = |counts: &[u64; 5], p: &[f64; 5]| {
        counts.iter().zip(p).map(|(&n, p)| n as f64 * p.ln()).sum::<f64>()
    };
    // The best log-likelihood under a penalty for missing the constraint that grows.
    let climb = |counts: &[u64; 5], missed: &dyn Fn(&[f64; 5]) -> f64| {
        let n = counts.iter().sum::<u64>() as f64;
        let mut p = counts.map(|count| count as f64 / n);
        for weight in [1e2, 1e4, 1e6, 1e8] {
            let worth = |p: &[f64; 5]| log(counts, p) - weight * missed(p).powi(2);
            let mut step = 0.1;
            while step > 1e-10 {
                let mut better = false;
                for from in 0..5 {
                    for to in 0..5 {
                        let mut q = p;
                        q[from] -= step;
                        q[to] += step;
                        if from != to && q[from] > 0.0 && worth(&q) > worth(&p) {
                            (p, better) = (q, true);
                        }
                    }
                    // Along the constraint: two go up and down by what the third gives or takes.
                    for (a, b) in [(0, 2), (1, 3), (2, 4), (0, 4)] {
                        let middle = usize::midpoint(a, b);
                        let mut q = p;
                        let by = if from % 2 == 0 { step } else { -step };
                        q[a] += by;
                        q[b] += by;
                        q[middle] -= 2.0 * by;
                        if q.iter().all(|&q| q > 0.0) && worth(&q) > worth(&p) {
                            (p, better) = (q, true);
                        }
                    }
                }
                if !better {
                    step /= 2.0;
                }
            }
        }
        log(counts, &p)
    };
    for counts in [[3, 10, 40, 22, 9], [20, 3, 5, 4, 1]] {
        let pairs = Pentanomial(counts);
        let expected = [0.0, 60.0].map(|elo| {
            let score = 1.0 / (1.0 + 10_f64.powf(-elo / 400.0));
            climb(&counts, &|p| mean(p) - score)
        });
        let llr = test(0.0, 60.0, EloModel::Logistic).llr(&pairs).unwrap();
        assert!((llr - (expected[1] - expected[0])).abs() < 2e-3, "{counts:?}: {llr} {expected:?}");
        let expected = [0.0, 60.0].map(|elo| {
            let t = elo * 2_f64.sqrt() * std::f64::consts::LN_10 / 800.0;
            climb(&counts, &|p| mean(p) - 0.5 - t * deviation(p))
        });
        let llr = test(0.0, 60.0, EloModel::Normalized).llr(&pairs).unwrap();
        assert!((llr - (expected[1] - expected[0])).abs() < 2e-3, "{counts:?}: {llr} {expected:?}");
    }
}

#[test]
fn the_bounds_are_those_of_wald() {
    let sprt: Sprt = "elo0=0,elo1=5".parse().unwrap();
    assert_eq!(sprt.bounds().map(|bound| format!("{bound:.2}")), ["-2.94", "2.94"]);
    let sprt: Sprt = "elo0=0,elo1=5,beta=.1".parse().unwrap();
    assert_eq!(sprt.bounds().map(|bound| format!("{bound:.2}")), ["-2.25", "2.89"]);
    assert_eq!(sprt.decision(-2.26), Some(Hypothesis::H0));
    assert_eq!(sprt.decision(-2.25), None);
    assert_eq!(sprt.decision(2.89), None);
    assert_eq!(sprt.decision(2.9), Some(Hypothesis::H1));
}

#[test]
fn a_ratio_is_a_number_or_none() {
    for model in [EloModel::Normalized, EloModel::Logistic] {
        for (elo0, elo1) in [(0.0, 5.0), (-4000.0, 4000.0), (-50.0, -49.0), (1000.0, 3000.0)] {
            let sprt = test(elo0, elo1, model);
            assert_eq!(sprt.llr(&Pentanomial::default()), None);
            // Any counts, also if every pair has the same score.
            for i in 0..5 {
                for j in 0..5 {
                    for n in [1, 2, 50, 1_000_000] {
                        let mut pairs = Pentanomial::default();
                        pairs.0[i] += n;
                        pairs.0[j] += 1;
                        let llr = sprt.llr(&pairs);
                        assert!(llr.is_some_and(f64::is_finite), "{sprt} {pairs:?} {llr:?}");
                        // The other side tests the opposite.
                        let other = test(-elo1, -elo0, model).llr(&pairs.reversed()).unwrap();
                        let (llr, close) = (llr.unwrap(), 1e-6 * (n + 1) as f64);
                        assert!((llr + other).abs() < close, "{sprt} {pairs:?} {llr} {other}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_player_who_wins_everything_is_accepted_soon() {
    for model in [EloModel::Normalized, EloModel::Logistic] {
        let sprt = test(0.0, 50.0, model);
        let answer = |counts| sprt.llr(&Pentanomial(counts)).and_then(|llr| sprt.decision(llr));
        assert_eq!(answer([0, 0, 0, 0, 40]), Some(Hypothesis::H1));
        assert_eq!(answer([40, 0, 0, 0, 0]), Some(Hypothesis::H0));
        assert_eq!(answer([0, 0, 0, 0, 3]), None);
    }
}

#[test]
fn a_test_is_written_as_it_is_read() {
    let text = "elo0=0,elo1=10,alpha=0.05,beta=0.05,model=normalized";
    for same in [text, "elo1=10,elo0=0", "model=normalized , beta=.05, alpha=5e-2,elo0=-0,elo1=10"]
    {
        let sprt: Sprt = same.parse().unwrap();
        assert_eq!(sprt, test(0.0, 10.0, EloModel::Normalized), "{same}");
        assert_eq!(sprt.to_string(), text, "{same}");
    }
    let sprt: Sprt = "elo0=-3,elo1=1.5,alpha=.01,beta=.2,model=logistic".parse().unwrap();
    assert_eq!(sprt.to_string().parse(), Ok(sprt));
    let json = serde_json::to_string(&sprt).unwrap();
    assert_eq!(json, r#"{"elo0":-3.0,"elo1":1.5,"alpha":0.01,"beta":0.2,"model":"logistic"}"#);
    assert_eq!(serde_json::from_str::<Sprt>(&json).unwrap(), sprt);
}

#[test]
fn errors_say_what_to_write() {
    for (text, reason) in [
        ("", "``: write key=value, as in elo0=0,elo1=10"),
        ("elo0", "`elo0`: write key=value"),
        ("elo0=0,elo1=5,", "``: write key=value"),
        ("elo=5", "`elo` is unknown; there are elo0, elo1, alpha, beta and model"),
        ("elo0=0", "elo1 is missing; write for example"),
        ("elo1=5", "elo0 is missing"),
        ("elo0=0,elo1=5,elo0=1", "elo0 is given twice"),
        ("elo0=0,elo1=5,model=logistic,model=logistic", "model is given twice"),
        ("elo0=zero,elo1=5", "elo0: expected a number, found `zero`"),
        ("elo0=,elo1=5", "elo0: expected a number, found ``"),
        ("elo0=0,elo1=inf", "elo1 is inf; write a number from -4000 to 4000"),
        ("elo0=nan,elo1=5", "elo0 is NaN; write a number"),
        ("elo0=0,elo1=1e9,model=logistic", "elo1 is 1000000000; write a number"),
        ("elo0=5,elo1=5", "elo0 is 5 and elo1 is 5; elo0 must be less than elo1"),
        ("elo0=5,elo1=0", "elo0 must be less than elo1"),
        ("elo0=0,elo1=5,alpha=0", "alpha is 0; write a number between 0 and 0.5"),
        ("elo0=0,elo1=5,alpha=.5", "alpha is 0.5; write"),
        ("elo0=0,elo1=5,beta=nan", "beta is NaN; write"),
        ("elo0=0,elo1=5,beta=-1", "beta is -1; write"),
        (
            "elo0=0,elo1=5,model=bayesian",
            "model: `bayesian` is unknown; write normalized or logistic",
        ),
    ] {
        let error = text.parse::<Sprt>().unwrap_err();
        assert!(error.to_string().contains(reason), "{text}: {error}");
    }
}
