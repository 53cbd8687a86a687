//! Go with area scoring, simple ko, no suicide and draws by repetition: 5x5 in one word, 9x9 in two.

use tussle_core::{Rng, zobrist};

use super::End;

/// Value that stands for no point.
const NONE: u8 = u8::MAX;

/// 5x5 with six bits per row, of which the sixth is always 0.
pub mod five {
    use super::*;

    const BOARD: u32 = 0b011111_011111_011111_011111_011111;
    const CAP: u32 = 50;

    const POINTS: [u8; 25] = {
        let mut points = [0; 25];
        let mut i = 0;
        while i < 25 {
            points[i] = (i / 5 * 6 + i % 5) as u8;
            i += 1;
        }
        points
    };

    const NEIGHBOURS: [u32; 32] = {
        let mut around = [0; 32];
        let mut i = 0;
        while i < 25 {
            around[POINTS[i] as usize] = beside(1 << POINTS[i]) & BOARD;
            i += 1;
        }
        around
    };

    const fn beside(set: u32) -> u32 {
        set << 1 | set >> 1 | set << 6 | set >> 6
    }

    fn flood(mut set: u32, ground: u32) -> u32 {
        loop {
            let next = set | beside(set) & ground;
            if next == set {
                return set;
            }
            set = next;
        }
    }

    /// Returns the stones without a liberty. `near` is the set of points beside a liberty, `touched` the
    /// neighbours of the new stone.
    fn dead(touched: u32, stones: u32, near: u32) -> u32 {
        let mut alive = stones & near;
        alive |= beside(alive) & stones;
        if touched & stones & !alive == 0 {
            return 0;
        }
        stones & !flood(alive, stones)
    }

    /// Plays one random game from the empty board, komi 0.5.
    pub fn playout(rng: &mut Rng) -> End {
        let (mut own, mut opponent) = (0u32, 0u32);
        let mut points = [0u8; 32];
        points[..25].copy_from_slice(&POINTS);
        let (mut count, mut ko, mut passes) = (25, NONE, 0);
        // A word with both colours is the whole board. One hash bit per board tells most new boards
        // from earlier ones; only if it is set, the list is searched.
        let mut boards = [0u64; CAP as usize + 1];
        let mut hints = [0u64; 8];
        hints[0] = 1;
        let mut seen = 1;
        let mut plies = 0;
        let mut repeated = false;
        while plies < CAP && passes < 2 && !repeated {
            let mut open = count;
            loop {
                let chosen = rng.below(open + 1);
                if chosen == open {
                    passes += 1;
                    ko = NONE;
                    break;
                }
                let point = points[chosen % 32];
                let around = NEIGHBOURS[usize::from(point % 32)];
                let liberties = BOARD & !(own | opponent | 1 << point);
                let near = beside(liberties);
                let taken = dead(around, opponent, near);
                let legal = if taken == 0 {
                    around & liberties != 0
                        || around & own & near != 0
                        || around & flood(own & near, own) != 0
                } else {
                    point != ko
                };
                if !legal {
                    open -= 1;
                    points.swap(chosen, open);
                    continue;
                }
                count -= 1;
                points[chosen % 32] = points[count % 32];
                ko = NONE;
                if taken != 0 {
                    if taken & (taken - 1) == 0 && around & (own | liberties) == 0 {
                        ko = taken.trailing_zeros() as u8;
                    }
                    let mut rest = taken;
                    while rest != 0 {
                        points[count % 32] = rest.trailing_zeros() as u8;
                        count += 1;
                        rest &= rest - 1;
                    }
                    opponent &= !taken;
                }
                own |= 1 << point;
                passes = 0;
                let (black, white) = if plies % 2 == 0 { (own, opponent) } else { (opponent, own) };
                let board = u64::from(black) << 32 | u64::from(white);
                let hash = board.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 55;
                let (word, bit) = ((hash >> 6) as usize, 1 << (hash & 63));
                repeated = hints[word] & bit != 0 && boards[..seen].contains(&board);
                hints[word] |= bit;
                boards[seen] = board;
                seen += 1;
                break;
            }
            (own, opponent) = (opponent, own);
            plies += 1;
        }
        if repeated {
            return End { winner: 0, plies };
        }
        let (black, white) = if plies % 2 == 0 { (own, opponent) } else { (opponent, own) };
        let empty = BOARD & !(black | white);
        let (b, w) = (flood(beside(black) & empty, empty), flood(beside(white) & empty, empty));
        let area = |own: u32, only: u32| (own | only).count_ones();
        let ahead = area(black, b & !w) > area(white, w & !b);
        End { winner: if ahead { 1 } else { -1 }, plies }
    }
}

/// 9x9 with five rows of eleven bits in each of two words.
pub mod nine {
    use super::*;

    type Set = [u64; 2];

    const CAP: u32 = 162;

    const POINTS: [u8; 81] = {
        let mut points = [0; 81];
        let mut i = 0;
        while i < 81 {
            let (row, column) = (i / 9, i % 9);
            points[i] = (row / 5 * 64 + row % 5 * 11 + column) as u8;
            i += 1;
        }
        points
    };

    const BOARD: Set = {
        let mut board = [0; 2];
        let mut i = 0;
        while i < 81 {
            board[(POINTS[i] / 64) as usize] |= 1 << (POINTS[i] % 64);
            i += 1;
        }
        board
    };

    const NEIGHBOURS: [Set; 128] = {
        let mut around = [[0; 2]; 128];
        let mut i = 0;
        while i < 81 {
            let mut single = [0; 2];
            single[(POINTS[i] / 64) as usize] = 1 << (POINTS[i] % 64);
            let [low, high] = beside(single);
            around[POINTS[i] as usize] = [low & BOARD[0], high & BOARD[1]];
            i += 1;
        }
        around
    };

    static KEYS: [[u64; 128]; 2] = [zobrist(1), zobrist(2)];

    const fn beside([low, high]: Set) -> Set {
        [
            low << 1 | low >> 1 | low << 11 | low >> 11 | high << 44,
            high << 1 | high >> 1 | high << 11 | high >> 11 | low >> 44,
        ]
    }

    fn and(a: Set, b: Set) -> Set {
        [a[0] & b[0], a[1] & b[1]]
    }

    fn or(a: Set, b: Set) -> Set {
        [a[0] | b[0], a[1] | b[1]]
    }

    fn minus(a: Set, b: Set) -> Set {
        [a[0] & !b[0], a[1] & !b[1]]
    }

    fn any(set: Set) -> bool {
        set[0] | set[1] != 0
    }

    fn flood(mut set: Set, ground: Set) -> Set {
        loop {
            let next = or(set, and(beside(set), ground));
            if next == set {
                return set;
            }
            set = next;
        }
    }

    fn dead(touched: Set, stones: Set, near: Set) -> Set {
        let mut alive = and(stones, near);
        alive = or(alive, and(beside(alive), stones));
        if !any(minus(and(touched, stones), alive)) {
            return [0; 2];
        }
        minus(stones, flood(alive, stones))
    }

    /// Plays one random game from the empty board, komi 5.5.
    pub fn playout(rng: &mut Rng) -> End {
        let (mut own, mut opponent) = ([0u64; 2], [0u64; 2]);
        let mut points = [0u8; 128];
        points[..81].copy_from_slice(&POINTS);
        let (mut count, mut ko, mut passes, mut plies) = (81, NONE, 0, 0);
        let mut key = 0;
        let mut keys = [0u64; CAP as usize + 1];
        let mut hints = [0u64; 16];
        hints[0] = 1;
        let (mut seen, mut repeated) = (1, false);
        while plies < CAP && passes < 2 && !repeated {
            let mut open = count;
            loop {
                let chosen = rng.below(open + 1);
                if chosen == open {
                    passes += 1;
                    ko = NONE;
                    break;
                }
                let point = points[chosen % 128];
                let around = NEIGHBOURS[usize::from(point % 128)];
                let mut stone = [0; 2];
                stone[usize::from(point / 64 % 2)] = 1 << (point % 64);
                let liberties = minus(BOARD, or(or(own, opponent), stone));
                let near = beside(liberties);
                let taken = dead(around, opponent, near);
                let legal = if any(taken) {
                    point != ko
                } else {
                    any(and(around, liberties))
                        || any(and(and(around, own), near))
                        || any(and(around, flood(and(own, near), own)))
                };
                if !legal {
                    open -= 1;
                    points.swap(chosen, open);
                    continue;
                }
                count -= 1;
                points[chosen % 128] = points[count % 128];
                ko = NONE;
                let colour = plies as usize % 2;
                key ^= KEYS[colour][usize::from(point % 128)];
                if any(taken) {
                    let single = taken[0].count_ones() + taken[1].count_ones() == 1;
                    let alone = single && !any(and(around, or(own, liberties)));
                    for (i, mut rest) in taken.into_iter().enumerate() {
                        while rest != 0 {
                            let stone = (64 * i) as u8 + rest.trailing_zeros() as u8;
                            points[count % 128] = stone;
                            count += 1;
                            key ^= KEYS[1 - colour][usize::from(stone % 128)];
                            rest &= rest - 1;
                            if alone {
                                ko = stone;
                            }
                        }
                    }
                    opponent = minus(opponent, taken);
                }
                own = or(own, stone);
                passes = 0;
                let (word, bit) = ((key >> 6) as usize % 16, 1 << (key % 64));
                repeated = hints[word] & bit != 0 && keys[..seen].contains(&key);
                hints[word] |= bit;
                keys[seen] = key;
                seen += 1;
                break;
            }
            (own, opponent) = (opponent, own);
            plies += 1;
        }
        if repeated {
            return End { winner: 0, plies };
        }
        let (black, white) = if plies % 2 == 0 { (own, opponent) } else { (opponent, own) };
        let empty = minus(BOARD, or(black, white));
        let reach = |stones| flood(and(beside(stones), empty), empty);
        let (b, w) = (reach(black), reach(white));
        let area = |own, only: Set| {
            let [low, high]: Set = or(own, only);
            low.count_ones() + high.count_ones()
        };
        let ahead = area(black, minus(b, w)) > area(white, minus(w, b)) + 5;
        End { winner: if ahead { 1 } else { -1 }, plies }
    }
}
