//! Recording of the moves of playouts.

/// Returns a function that records each move with its player. Two players move in turn, beginning with
/// `first`.
#[inline]
pub(crate) fn in_turn<M>(first: usize, record: &mut Vec<(usize, M)>) -> impl FnMut(M) {
    let mut player = first;
    move |mv| {
        record.push((player, mv));
        player = 1 - player;
    }
}
