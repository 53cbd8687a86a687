//! Conversion of a tree to a scene, which is drawn like a board.

use tussle_core::{Form, Ink, Scene};

use super::plan::{LABEL, NOTE, NOTE_STEP, NodePlace, Plan};
use super::{NodeStatus, Outline, Vertex};

impl Plan {
    /// Draws the vertices in their places.
    ///
    /// The vertices must have the tree structure and the outlines that the plan was made for, and texts no longer than those.
    pub fn scene(&self, vertices: &[Vertex]) -> Scene {
        let mut scene = Scene::new(self.width, self.height);
        let on_path = path(vertices);
        // Lines share their beginnings, so highlighted lines are drawn last.
        for is_highlighted in [false, true] {
            for (place, vertex) in self.nodes.iter().zip(vertices) {
                let from = place.below(vertex.notes.len());
                // The lines to stacked leaves share their trunk; the first leaf's line is drawn last.
                for &child in vertex.children.iter().rev() {
                    let own = &vertices[child];
                    if is_highlighted == (on_path[child] || own.status == NodeStatus::Best) {
                        draw_line(&mut scene, from, &self.nodes[child], own, on_path[child]);
                    }
                }
            }
        }
        for (place, vertex) in self.nodes.iter().zip(vertices) {
            draw_node(&mut scene, place, vertex);
        }
        scene
    }
}

/// Marks the nodes on the path from the root to the current node.
fn path(vertices: &[Vertex]) -> Vec<bool> {
    let mut on_path: Vec<bool> = vertices.iter().map(|v| v.status == NodeStatus::Current).collect();
    for node in (0..vertices.len()).rev() {
        on_path[node] |= vertices[node].children.iter().any(|&child| on_path[child]);
    }
    on_path
}

/// Returns the inks of a node's outline and text.
fn inks(vertex: &Vertex) -> (Ink, Ink) {
    match vertex.status {
        NodeStatus::Current | NodeStatus::Best => (Ink::Accent, Ink::Text),
        NodeStatus::Pruned | NodeStatus::Unseen | NodeStatus::Unknown => (Ink::Grid, Ink::Faint),
        NodeStatus::Open | NodeStatus::Done => (Ink::Text, Ink::Text),
    }
}

fn draw_line(scene: &mut Scene, top: f32, place: &NodePlace, vertex: &Vertex, on_path: bool) {
    if vertex.status == NodeStatus::Unknown || place.line.is_empty() {
        return;
    }
    let (ink, wide) = match inks(vertex).0 {
        _ if on_path => (Ink::Accent, 0.07),
        ink if vertex.status == NodeStatus::Best => (ink, 0.09),
        ink => (ink, 0.03),
    };
    let mut line = vec![(place.line[0].0, top)];
    line.extend(&place.line);
    scene.shape(Form::Polyline(line), None, Some((ink, wide)));
    if vertex.status == NodeStatus::Pruned {
        // Pruned: two strokes across the line.
        let (x, y) = place.cut;
        for shift in [-0.05, 0.05] {
            let (x, y) = (x + shift, y + shift);
            scene.line((x - 0.07, y + 0.08), (x + 0.07, y - 0.08), 0.03, Ink::Accent);
        }
    }
}

fn draw_node(scene: &mut Scene, place: &NodePlace, vertex: &Vertex) {
    let (x, y) = (place.x, place.y);
    // Add the spot even if nothing is drawn, so that spots and nodes have the same numbers.
    let name = vertex.label.clone();
    scene.spot(name, x - place.reach, y - place.rise, 2.0 * place.reach, 2.0 * place.rise);
    if vertex.status == NodeStatus::Unknown {
        return;
    }
    let (stroke, text) = inks(vertex);
    let is_grey = matches!(vertex.status, NodeStatus::Pruned | NodeStatus::Unseen);
    let stroke = match vertex.outline {
        Outline::Player(player) if stroke == Ink::Text => Ink::Player(player),
        _ => stroke,
    };
    let wide =
        if matches!(vertex.status, NodeStatus::Current | NodeStatus::Best) { 0.08 } else { 0.04 };
    if let Some(form) = &place.form {
        let fill = if is_grey { Ink::Background } else { Ink::Board };
        scene.shape(form.clone(), Some(fill), Some((stroke, wide)));
    }
    if let Some(sign) = &place.sign {
        let ink = match vertex.outline {
            _ if is_grey => Ink::Grid,
            Outline::Player(player) => Ink::Player(player),
            _ => Ink::Text,
        };
        scene.shape(sign.clone(), Some(ink), None);
    }
    let size = if vertex.outline == Outline::Collapsed { NOTE } else { LABEL };
    if !vertex.label.is_empty() {
        scene.label(place.label.0, place.label.1, size, vertex.label.clone(), text);
    }
    for (i, note) in vertex.notes.iter().enumerate() {
        scene.label(place.notes.0, place.notes.1 + i as f32 * NOTE_STEP, NOTE, note.clone(), text);
    }
    if !vertex.edge.is_empty() {
        scene.label(place.edge.0, place.edge.1, NOTE, vertex.edge.clone(), text);
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;
    use tussle_core::Shape;

    use super::*;

    fn scene(vertices: &[Vertex]) -> Scene {
        Plan::new(vertices).scene(vertices)
    }

    /// Left, top, right, bottom.
    type Box = [f32; 4];

    fn corners(points: &[(f32, f32)]) -> Box {
        let fold = |of: fn(&(f32, f32)) -> f32, pick: fn(f32, f32) -> f32, start: f32| {
            points.iter().map(of).fold(start, pick)
        };
        let (x, y) = (|p: &(f32, f32)| p.0, |p: &(f32, f32)| p.1);
        let (least, most) = (f32::INFINITY, f32::NEG_INFINITY);
        [
            fold(x, f32::min, least),
            fold(y, f32::min, least),
            fold(x, f32::max, most),
            fold(y, f32::max, most),
        ]
    }

    /// Returns the bounding box of a form. Texts are measured with the widest font in use: Verdana's digits are 0.636 wide.
    fn bounds(form: &Form) -> Box {
        match form {
            Form::Rect { x, y, w, h, .. } => [*x, *y, x + w, y + h],
            Form::Circle { x, y, r } => [x - r, y - r, x + r, y + r],
            Form::Polygon(points) | Form::Polyline(points) => corners(points),
            Form::Text { x, y, size, text, .. } => {
                let half = text.chars().count() as f32 * 0.636 * size / 2.0;
                [x - half, y - 0.38 * size, x + half, y + 0.38 * size]
            }
        }
    }

    fn overlap(a: &Box, b: &Box) -> bool {
        let near = 1e-3;
        a[0] + near < b[2] && b[0] + near < a[2] && a[1] + near < b[3] && b[1] + near < a[3]
    }

    fn is_inside(a: &Box, b: &Box) -> bool {
        a[0] >= b[0] && a[1] >= b[1] && a[2] <= b[2] && a[3] <= b[3]
    }

    /// Returns true if the line goes through the box, judged by 401 points on each of its segments.
    fn crosses(line: &[(f32, f32)], own: &Box) -> bool {
        line.windows(2).any(|ends| {
            (0..=400).any(|i| {
                let share = i as f32 / 400.0;
                let x = ends[0].0 + share * (ends[1].0 - ends[0].0);
                let y = ends[0].1 + share * (ends[1].1 - ends[0].1);
                x > own[0] + 0.01 && x < own[2] - 0.01 && y > own[1] + 0.01 && y < own[3] - 0.01
            })
        })
    }

    /// Checks that shapes and the texts outside of them do not overlap, and that lines cross neither.
    fn check(scene: &Scene) -> Result<(), TestCaseError> {
        let is_text = |shape: &&Shape| matches!(shape.form, Form::Text { .. });
        let is_line = |shape: &&Shape| matches!(shape.form, Form::Polyline(_));
        let boxes: Vec<Box> = (scene.shapes.iter())
            .filter(|shape| !is_text(shape) && !is_line(shape) && shape.stroke.is_some())
            .map(|shape| bounds(&shape.form))
            .collect();
        let texts: Vec<Box> =
            scene.shapes.iter().filter(is_text).map(|shape| bounds(&shape.form)).collect();
        let (inner, outer): (Vec<Box>, Vec<Box>) =
            texts.into_iter().partition(|text| boxes.iter().any(|own| is_inside(text, own)));
        let solid: Vec<Box> = boxes.iter().chain(&outer).copied().collect();
        let all = [0.0, 0.0, scene.width, scene.height];
        for (i, a) in solid.iter().enumerate() {
            prop_assert!(is_inside(a, &all), "{a:?} outside");
            for b in &solid[..i] {
                prop_assert!(!overlap(a, b), "{a:?} {b:?}");
            }
        }
        for (i, a) in inner.iter().enumerate() {
            for b in &inner[..i] {
                prop_assert!(!overlap(a, b), "{a:?} {b:?}");
            }
        }
        // Lines may cross each other, as the strokes of a pruned edge do, but no box or text.
        for line in scene.shapes.iter().filter(is_line) {
            let Form::Polyline(points) = &line.form else { continue };
            for own in &solid {
                prop_assert!(!crosses(points, own), "{points:?} through {own:?}");
            }
        }
        Ok(())
    }

    fn text(most: usize) -> impl Strategy<Value = String> {
        prop::collection::vec(prop::char::range('0', 'z'), 0..=most)
            .prop_map(|letters| letters.into_iter().collect())
    }

    fn vertex(letters: usize) -> impl Strategy<Value = Vertex> {
        let outline = prop_oneof![
            Just(Outline::Max),
            Just(Outline::Min),
            Just(Outline::Chance),
            (0..8u8).prop_map(Outline::Player),
            Just(Outline::Leaf),
            Just(Outline::Collapsed),
        ];
        let status = prop_oneof![
            Just(NodeStatus::Unknown),
            Just(NodeStatus::Unseen),
            Just(NodeStatus::Open),
            Just(NodeStatus::Current),
            Just(NodeStatus::Done),
            Just(NodeStatus::Best),
            Just(NodeStatus::Pruned),
        ];
        let notes = prop::collection::vec(text(12), 0..3);
        (outline, status, text(letters), notes, text(9)).prop_map(
            |(outline, status, label, notes, edge)| Vertex {
                outline,
                status,
                label,
                notes,
                edge,
                children: Vec::new(),
            },
        )
    }

    fn tree(mut vertices: Vec<Vertex>, parents: &[usize]) -> Vec<Vertex> {
        for (i, parent) in parents.iter().enumerate().take(vertices.len() - 1) {
            vertices[parent % (i + 1)].children.push(i + 1);
        }
        vertices
    }

    fn trees(most: usize) -> impl Strategy<Value = Vec<Vertex>> {
        (1..most, prop_oneof![Just(3usize), Just(11)]).prop_flat_map(|(n, letters)| {
            let vertices = prop::collection::vec(vertex(letters), n);
            let parents = prop::collection::vec(any::<usize>(), n - 1);
            (vertices, parents).prop_map(|(vertices, parents)| tree(vertices, &parents))
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(128))]
        #[test]
        fn nothing_overlaps_and_no_line_crosses_a_text(vertices in trees(50)) {
            check(&scene(&vertices))?;
        }

        #[test]
        fn a_plan_keeps_its_places_for_shorter_contents(vertices in trees(30)) {
            let plan = Plan::new(&vertices);
            let mut bare = vertices.clone();
            for vertex in &mut bare {
                vertex.notes.clear();
                vertex.status = NodeStatus::Unseen;
            }
            check(&plan.scene(&bare))?;
            let spots = plan.scene(&bare).spots;
            prop_assert_eq!(spots, plan.scene(&vertices).spots);
        }
    }

    /// Returns a tree of 200 nodes, like that of a finished search.
    pub(crate) fn two_hundred() -> Vec<Vertex> {
        let vertex = |i: usize| Vertex {
            outline: [Outline::Max, Outline::Min, Outline::Chance][i % 3],
            status: NodeStatus::Done,
            label: format!("c{}", i % 10),
            notes: vec![format!("= {i}")],
            edge: String::new(),
            children: Vec::new(),
        };
        let parents: Vec<usize> = (0..199).map(|i| i / 4).collect();
        tree((0..200).map(vertex).collect(), &parents)
    }

    #[test]
    fn names_lie_inside_their_triangles() {
        for (outline, label) in [(Outline::Max, "A"), (Outline::Min, "c10"), (Outline::Max, "s12")]
        {
            let mut vertex = two_hundred().remove(0);
            (vertex.outline, vertex.label) = (outline, label.to_owned());
            vertex.children.clear();
            let place = &Plan::new(&[vertex]).nodes[0];
            let [left, top, right, bottom] = bounds(&Form::Text {
                x: place.label.0,
                y: place.label.1,
                size: LABEL,
                anchor: tussle_core::Anchor::Middle,
                bold: false,
                text: label.to_owned(),
            });
            // Half the width of the triangle at the narrower end of the text.
            let (tip, end) = match outline {
                Outline::Max => (place.y - place.rise, top),
                _ => (place.y + place.rise, bottom),
            };
            let half = place.reach * (end - tip).abs() / (2.0 * place.rise);
            assert!(place.x - half <= left && right <= place.x + half, "{label}");
        }
    }

    #[test]
    fn two_hundred_nodes_are_readable() {
        let scene = scene(&two_hundred());
        check(&scene).unwrap();
        let smallest = scene.shapes.iter().filter_map(|shape| match shape.form {
            Form::Text { size, .. } => Some(size * crate::CELL),
            _ => None,
        });
        assert!(smallest.fold(f32::INFINITY, f32::min) > 12.0, "pixels");
        // Leaves are stacked, which takes half of the width.
        assert!(scene.width < 120.0, "{}", scene.width);
        assert_eq!(scene.spots.len(), 200);
    }

    #[test]
    fn lines_to_pruned_nodes_are_crossed_out_and_unknown_nodes_are_not_drawn() {
        let leaf = |label: &str, status| Vertex {
            outline: Outline::Leaf,
            status,
            label: label.to_owned(),
            notes: Vec::new(),
            edge: String::new(),
            children: Vec::new(),
        };
        let mut vertices = vec![
            leaf("A", NodeStatus::Current),
            leaf("B", NodeStatus::Pruned),
            leaf("C", NodeStatus::Unknown),
        ];
        vertices[0].children = vec![1, 2];
        let scene = scene(&vertices);
        let texts: Vec<&str> = (scene.shapes.iter())
            .filter_map(|shape| match &shape.form {
                Form::Text { text, .. } => Some(text.as_str()),
                _ => None,
            })
            .collect();
        assert_eq!(texts, ["A", "B"]);
        let lines = scene.shapes.iter().filter(|s| matches!(s.form, Form::Polyline(_))).count();
        assert_eq!(lines, 3, "the line to B and the two strokes across it");
    }
}
