//! An exercise as pictures: the tree with its numbers before a choice, at the choice, and after the update.

use std::io;
use std::path::Path;

use tussle_core::Scene;
use tussle_view::Theme;
use tussle_view::tree::{NodeStatus, Outline, Plan, Vertex};

use super::{Exercise, ExerciseNode};
use crate::frames::{Frames, widen, write_frames};
use crate::number::number;
use crate::page::still_pages;

/// One picture of an exercise.
#[derive(Clone, Debug)]
pub(crate) struct Picture {
    /// Sentence about the contents of the picture.
    pub(crate) caption: String,
    /// The node that the caption is about.
    pub(crate) node: usize,
    /// Nodes of the tree, then the new children; the same number in every picture.
    pub(crate) vertices: Vec<Vertex>,
}

impl Exercise {
    /// Draws the tree before and after the update of each possible choice, with captions. Nodes have the same
    /// positions in all pictures.
    pub fn pictures(&self) -> Vec<(String, Scene)> {
        let pictures = self.shots();
        let plan = plan(&pictures);
        let each = |picture: Picture| (picture.caption, plan.scene(&picture.vertices));
        pictures.into_iter().map(each).collect()
    }

    /// Writes the pictures as `0001.svg` and so on. Pictures with higher numbers are removed.
    ///
    /// # Errors
    /// If the directory cannot be made, or a file cannot be written or removed.
    pub fn frames(&self, dir: &Path, theme: Theme) -> io::Result<Frames> {
        let pictures = self.pictures();
        let captions: Vec<&str> = pictures.iter().map(|(caption, _)| caption.as_str()).collect();
        let width = pictures.first().map_or(0.0, |(_, scene)| scene.width);
        let files = write_frames(dir, theme, &captions, width, |i| pictures[i].1.clone())?;
        Ok(Frames { files, left_out: 0 })
    }

    /// Returns one HTML page that steps through the pictures; `game` is the spec of the tree.
    pub fn page(&self, game: &str) -> String {
        let pictures = self.shots();
        still_pages(self, game, &pictures, &plan(&pictures))
    }

    fn shots(&self) -> Vec<Picture> {
        let mut pictures = Vec::new();
        let given = |caption: String, node: usize, hidden: Option<usize>| {
            let vertices = self.vertices(&self.nodes, None, None, hidden);
            Picture { caption, node, vertices }
        };
        if let Some(asked) = self.asked {
            let caption = format!("The numbers of {} are missing.", self.name(asked));
            pictures.push(given(caption, asked, Some(asked)));
            pictures.push(given(self.derivation.join(" "), asked, None));
        }
        let c = self.c_text();
        let caption = format!(
            "Every node has its wins/visits and its UCB1 = wins / visits + {c} * sqrt(ln(visits of the parent) / visits)."
        );
        pictures.push(given(caption, 0, None));
        for leaf in self.choices() {
            let vertices = self.vertices(&self.nodes, None, Some(leaf), None);
            pictures.push(Picture { caption: self.choice(leaf), node: leaf, vertices });
            let (updated, tried) = self.updated(leaf);
            // The places of new children follow the nodes of the tree.
            let new = self.new_children().position(|parent| parent == leaf);
            let node = new.map_or(tried, |new| self.nodes.len() + new);
            let vertices = self.vertices(&updated, Some(leaf), Some(node), None);
            pictures.push(Picture { caption: self.loss(leaf), node, vertices });
        }
        pictures
    }

    /// Returns the leaves that get a new child in one of the pictures.
    fn new_children(&self) -> impl Iterator<Item = usize> {
        self.choices().into_iter().filter(|&leaf| self.nodes[leaf].visits > 0)
    }

    /// Returns the vertices with the numbers of the exercise, or with those after the update of `updated`. The
    /// numbers of `hidden` are not shown.
    fn vertices(
        &self,
        nodes: &[ExerciseNode],
        updated: Option<usize>,
        current: Option<usize>,
        hidden: Option<usize>,
    ) -> Vec<Vertex> {
        let count = self.nodes.len();
        let mut vertices: Vec<Vertex> = Vec::with_capacity(count + 2);
        for (at, before) in self.nodes.iter().enumerate() {
            let own = &nodes[at];
            let mut notes = Vec::new();
            if hidden == Some(at) {
                notes.push("?".to_owned());
            } else if own.visits == before.visits {
                notes.push(share(own));
            } else {
                notes.push(format!("{} → {}", share(before), share(own)));
            }
            if hidden.is_none() {
                notes.extend(own.bound().map(bound_text));
            }
            vertices.push(Vertex { notes, children: before.children.clone(), ..self.blank(at) });
        }
        for leaf in self.new_children() {
            let new = vertices.len();
            vertices[leaf].children.push(new);
            let mut vertex = Vertex { label: "new".to_owned(), ..self.blank(leaf) };
            // The players take turns below a leaf.
            vertex.outline = if self.nodes[leaf].by == 0 { Outline::Max } else { Outline::Min };
            match nodes.get(count) {
                Some(child) if updated == Some(leaf) => {
                    vertex.notes = vec![share(child)];
                    vertex.notes.extend(child.bound().map(bound_text));
                }
                _ => vertex.status = NodeStatus::Unknown,
            }
            vertices.push(vertex);
        }
        if let Some(current) = current {
            vertices[current].status = NodeStatus::Current;
        }
        vertices
    }

    /// Returns a node without numbers and children.
    fn blank(&self, node: usize) -> Vertex {
        let ExerciseNode { name, by, children, .. } = &self.nodes[node];
        // Below a leaf, the player moves who did not move into it.
        let mover = children.first().map_or(1 - by, |&child| self.nodes[child].by);
        Vertex {
            outline: if mover == 0 { Outline::Max } else { Outline::Min },
            status: NodeStatus::Done,
            label: name.clone(),
            notes: Vec::new(),
            edge: String::new(),
            children: Vec::new(),
        }
    }
}

fn share(node: &ExerciseNode) -> String {
    format!("{}/{}", number(node.wins), node.visits)
}

fn bound_text(bound: f64) -> String {
    if bound.is_finite() { format!("UCB1 {bound:.3}") } else { "UCB1 ∞".to_owned() }
}

/// Computes a layout with room for the longest texts of all pictures.
fn plan(pictures: &[Picture]) -> Plan {
    let mut fullest: Vec<Vertex> = Vec::new();
    for picture in pictures {
        if fullest.is_empty() {
            fullest.clone_from(&picture.vertices);
        }
        for (room, vertex) in fullest.iter_mut().zip(&picture.vertices) {
            widen(room, vertex);
        }
    }
    Plan::new(&fullest)
}
