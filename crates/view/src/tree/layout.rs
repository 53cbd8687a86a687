//! Layout of a tree in layers (the tidy drawing of Reingold and Tilford, with contours).
//!
//! Children are in order and centred below their parent, as close together as their widths allow.

/// Node to be placed.
#[derive(Clone, Debug)]
pub(super) struct Item {
    /// Width of the drawn node.
    pub(super) width: f32,
    /// Indices of the children, from left to right. Each is greater than the index of this node.
    pub(super) children: Vec<usize>,
}

/// Position of a node.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Place {
    /// Horizontal middle.
    pub(super) x: f32,
    /// Number of layers below the root.
    pub(super) layer: usize,
}

/// Places the nodes of a tree whose root is node 0.
///
/// `gap` is the space between siblings; nodes of different parents are 1.5 times as far apart. The leftmost edge is at 0.
pub(super) fn place(nodes: &[Item], gap: f32) -> Vec<Place> {
    let mut places = vec![Place { x: 0.0, layer: 0 }; nodes.len()];
    if nodes.is_empty() {
        return places;
    }
    for (node, own) in nodes.iter().enumerate() {
        for &child in &own.children {
            places[child].layer = places[node].layer + 1;
        }
    }
    // Bottom-up: children come after their parents in the list.
    let mut shapes: Vec<Option<Contour>> = vec![None; nodes.len()];
    let mut offsets = vec![0.0; nodes.len()];
    for node in (0..nodes.len()).rev() {
        let mut below: Option<Contour> = None;
        let mut first_to_last = [0.0; 2];
        for (i, &child) in nodes[node].children.iter().enumerate() {
            let Some(shape) = shapes[child].take() else { continue };
            let shift = below.as_ref().map_or(0.0, |left| left.room_for(&shape, gap));
            offsets[child] = shift;
            if i == 0 {
                first_to_last[0] = shift;
            }
            first_to_last[1] = shift;
            below = Some(match below {
                None => shape,
                Some(left) => left.beside(shape, shift),
            });
        }
        let middle = f32::midpoint(first_to_last[0], first_to_last[1]);
        for &child in &nodes[node].children {
            offsets[child] -= middle;
        }
        let half = nodes[node].width / 2.0;
        shapes[node] = Some(Contour::under(half, below, -middle));
    }
    let left = shapes[0].as_ref().map_or(0.0, |shape| {
        shape.layers.iter().map(|layer| layer[0]).fold(f32::INFINITY, f32::min)
    });
    places[0].x = -left;
    for node in 0..nodes.len() {
        for &child in &nodes[node].children {
            places[child].x = places[node].x + offsets[child];
        }
    }
    places
}

/// Contour of a subtree: for each layer from its root down, the leftmost and rightmost edge, relative to the middle of
/// the root.
#[derive(Clone, Debug)]
struct Contour {
    layers: Vec<[f32; 2]>,
}

impl Contour {
    /// Creates the contour of a root of width `2 * half` above the contour of its children, which is moved by `shift`.
    fn under(half: f32, below: Option<Self>, shift: f32) -> Self {
        let mut layers = vec![[-half, half]];
        if let Some(below) = below {
            layers.extend(
                below.layers.into_iter().map(|[left, right]| [left + shift, right + shift]),
            );
        }
        Self { layers }
    }

    /// Returns how far to the right `other` must be moved to stand beside this contour.
    fn room_for(&self, other: &Self, gap: f32) -> f32 {
        let both = self.layers.iter().zip(&other.layers).enumerate();
        let needed = both.map(|(layer, (own, other))| {
            let gap = if layer == 0 { gap } else { 1.5 * gap };
            own[1] - other[0] + gap
        });
        needed.fold(f32::NEG_INFINITY, f32::max)
    }

    /// Joins this contour and another one, which is moved by `shift`.
    fn beside(mut self, other: Self, shift: f32) -> Self {
        for (layer, [left, right]) in other.layers.into_iter().enumerate() {
            match self.layers.get_mut(layer) {
                Some(own) => own[1] = right + shift,
                None => self.layers.push([left + shift, right + shift]),
            }
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    /// Creates a tree from the parent of each node after the first.
    fn tree(parents: &[usize], widths: &[f32]) -> Vec<Item> {
        let mut nodes: Vec<Item> =
            widths.iter().map(|&width| Item { width, children: Vec::new() }).collect();
        for (i, parent) in parents.iter().enumerate() {
            nodes[parent % (i + 1)].children.push(i + 1);
        }
        nodes
    }

    fn trees() -> impl Strategy<Value = Vec<Item>> {
        (1..60usize).prop_flat_map(|n| {
            let parents = prop::collection::vec(any::<usize>(), n - 1);
            let widths = prop::collection::vec(1.0..80.0f32, n);
            (parents, widths).prop_map(|(parents, widths)| tree(&parents, &widths))
        })
    }

    proptest! {
        #[test]
        fn nodes_do_not_overlap_and_parents_are_centred_above_ordered_children(nodes in trees(), gap in 1.0..20.0f32) {
            let places = place(&nodes, gap);
            let edges = |i: usize| {
                (places[i].x - nodes[i].width / 2.0, places[i].x + nodes[i].width / 2.0)
            };
            let near = 1e-2;
            for a in 0..nodes.len() {
                prop_assert!(edges(a).0 > -near);
                for b in 0..a {
                    if places[a].layer == places[b].layer {
                        let apart = (edges(a).0 - edges(b).1).max(edges(b).0 - edges(a).1);
                        prop_assert!(apart > gap - near, "{a} and {b}: {apart} of {gap}");
                    }
                }
                let children = &nodes[a].children;
                prop_assert!(children.is_sorted_by(|&b, &c| places[b].x < places[c].x));
                if let (Some(&first), Some(&last)) = (children.first(), children.last()) {
                    let middle = f32::midpoint(places[first].x, places[last].x);
                    prop_assert!((middle - places[a].x).abs() < near);
                }
            }
            let left = (0..nodes.len()).map(|i| edges(i).0).fold(f32::INFINITY, f32::min);
            prop_assert!(left.abs() < near, "{left}");
        }
    }

    #[test]
    fn a_balanced_tree_is_drawn_evenly_and_tightly() {
        // The lecture's tree: 1, 2, 4 and 8 nodes.
        let nodes = tree(&[0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6], &[10.0; 15]);
        let places = place(&nodes, 4.0);
        let leaves: Vec<f32> = places[7..].iter().map(|place| place.x).collect();
        assert_eq!(leaves, [5.0, 19.0, 35.0, 49.0, 65.0, 79.0, 95.0, 109.0]);
        assert_eq!(places[0], Place { x: 57.0, layer: 0 });
    }

    #[test]
    fn deep_and_empty_trees_are_placed() {
        let parents: Vec<usize> = (0..5000).collect();
        let places = place(&tree(&parents, &vec![2.0; 5001]), 1.0);
        assert_eq!(places[5000], Place { x: 1.0, layer: 5000 });
        assert!(place(&[], 1.0).is_empty());
    }
}
