//! Names of enum variants: one word each, the same in JSON, tables and messages.

use std::fmt;

use crate::{Bound, CutReason, LeafKind, Outcome, StopReason, Unit};

macro_rules! names {
    ($($kind:ident { $($variant:ident => $name:literal),+ })+) => {$(
        impl $kind {
            /// Returns the name, as [`Display`](fmt::Display) writes it.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$variant => $name),+
                }
            }
        }

        impl fmt::Display for $kind {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.as_str())
            }
        }
    )+};
}

names! {
    Outcome { Win => "win", Draw => "draw", Loss => "loss" }
    Bound { Exact => "exact", Lower => "lower", Upper => "upper" }
    StopReason {
        Finished => "finished",
        Proven => "proven",
        Time => "time",
        Nodes => "nodes",
        Depth => "depth",
        Memory => "memory",
        StopFlag => "asked"
    }
    CutReason {
        Beta => "beta",
        Alpha => "alpha",
        Chance => "chance",
        Table => "table",
        Shallow => "shallow"
    }
    LeafKind {
        End => "end",
        Evaluation => "evaluation",
        Table => "table",
        Tactics => "tactics",
        Book => "book"
    }
    Unit { Result => "result", Points => "points", Evaluation => "evaluation" }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn enums_are_written_by_their_names() {
        assert_eq!(Outcome::Loss.to_string(), "loss");
        assert_eq!(Bound::Upper.to_string(), "upper");
        assert_eq!(StopReason::StopFlag.to_string(), "asked");
        assert_eq!(CutReason::Shallow.to_string(), "shallow");
        assert_eq!(LeafKind::Evaluation.to_string(), "evaluation");
    }

    #[test]
    fn a_name_is_padded_to_the_width_of_its_column() {
        assert_eq!(format!("{:>5}|{:5}|", Outcome::Win, Outcome::Draw), "  win|draw |");
    }
}
