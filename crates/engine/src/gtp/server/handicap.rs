//! Points of handicap stones.

/// Returns the points of a fixed handicap in the order of the protocol, with columns and rows from 0. `None` if the number
/// of stones is not allowed on this board.
pub(super) fn fixed(width: usize, height: usize, stones: usize) -> Option<Vec<(usize, usize)>> {
    if stones < 2 || stones > most(width, height) {
        return None;
    }
    let edge = |size: usize| if size < 13 { 2 } else { 3 };
    let (left, low) = (edge(width), edge(height));
    let (right, high) = (width - 1 - left, height - 1 - low);
    let (middle, centre) = (width / 2, height / 2);
    let mut points = vec![(left, low), (right, high), (left, high), (right, low)];
    points.truncate(stones);
    if stones >= 6 {
        points.extend([(left, centre), (right, centre)]);
    }
    if stones >= 8 {
        points.extend([(middle, low), (middle, high)]);
    }
    if stones >= 5 && stones % 2 == 1 {
        points.push((middle, centre));
    }
    Some(points)
}

/// Returns the maximum number of stones of a fixed handicap.
pub(super) fn most(width: usize, height: usize) -> usize {
    let has_middle = |size: usize| size % 2 == 1 && size > 7;
    match width.min(height) {
        0..7 => 0,
        _ if has_middle(width) && has_middle(height) => 9,
        _ => 4,
    }
}
