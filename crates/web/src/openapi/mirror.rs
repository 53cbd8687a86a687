//! Schemas of types of other crates that have none. The tests of the server compare them with its answers.

#![expect(dead_code, reason = "only the schemas are used")]

use std::borrow::Cow;

use tussle_arena::TournamentPatch;
use utoipa::ToSchema;
use utoipa::openapi::schema::{SchemaType, Type};
use utoipa::openapi::{ObjectBuilder, RefOr, Schema};

/// Game with its parameters (`tussle_catalog::GameRow`).
#[derive(ToSchema)]
pub(crate) struct Game {
    name: String,
    summary: String,
    params: Vec<Param>,
    evaluations: Vec<Evaluation>,
    /// Best known agents of the game.
    tuned: Vec<TunedAgent>,
}

/// Best known options of an agent in a game (`tussle_catalog::TunedAgent`).
#[derive(ToSchema)]
struct TunedAgent {
    /// `mcts`, `alphabeta` or `best`.
    name: String,
    /// Variants of the game that have these options; absent if all have.
    #[schema(nullable = false)]
    variant: Option<String>,
    /// Spec that it stands for in this game.
    spec: String,
    /// Match that justifies the options; null if none was played yet.
    evidence: Option<Evidence>,
}

/// Match that justifies tuned options (`tussle_catalog::Evidence`).
#[derive(ToSchema)]
struct Evidence {
    opponent: String,
    elo: f64,
    /// Half the width of the 95 % interval of `elo`.
    error: f64,
    games: u32,
    conditions: String,
}

/// Evaluation of a game.
#[derive(ToSchema)]
struct Evaluation {
    name: String,
    summary: String,
    /// True if the value for one player is the negative of the value for the other.
    antisymmetric: bool,
    params: Vec<Param>,
}

/// Agent or preset (`tussle_catalog::AgentRow`).
#[derive(ToSchema)]
pub(crate) struct Agent {
    name: String,
    summary: String,
    params: Vec<Param>,
    /// Spec that a preset stands for.
    #[schema(nullable = false)]
    stands_for: Option<String>,
    /// Games in which the agent has tuned options.
    #[schema(nullable = false)]
    tuned: Option<Vec<TunedRow>>,
}

/// Options of an agent in a game (`tussle_catalog::TunedRow`).
#[derive(ToSchema)]
struct TunedRow {
    game: String,
    /// Variants of the game that have these options; absent if all have.
    #[schema(nullable = false)]
    variant: Option<String>,
    /// Spec that the agent stands for in this game.
    spec: String,
    evidence: Option<Evidence>,
}

/// Parameter of a spec.
#[derive(ToSchema)]
struct Param {
    key: String,
    /// Possible values, in words.
    values: String,
    default: String,
    help: String,
}

/// Result of a game for a player (`tussle_core::Outcome`).
#[derive(ToSchema)]
#[schema(as = Outcome, rename_all = "lowercase")]
pub(crate) enum OutcomeName {
    Win,
    Draw,
    Loss,
}

/// Verdict of the referee (`tussle_engine::Verdict`).
#[derive(ToSchema)]
#[schema(as = Verdict, rename_all = "lowercase")]
pub(crate) enum VerdictName {
    Normal,
    Time,
    Crash,
    Illegal,
    Protocol,
    Memory,
    Hang,
    Host,
}

/// Process that plays a tournament: this server, or another process.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum RunLocation {
    Here,
    Elsewhere,
}

/// Format of a file of games.
#[derive(ToSchema)]
#[schema(rename_all = "lowercase")]
pub(crate) enum FileForm {
    Jsonl,
    Csv,
    Pgn,
    Sgf,
    Json,
}

/// Tournament that a page requests: a tournament file as JSON (docs/how-to/arena.md), without `store`, `openings` and `folder`,
/// because pages may not open files.
pub(crate) struct TournamentRequest;

impl utoipa::PartialSchema for TournamentRequest {
    fn schema() -> RefOr<Schema> {
        let mut schema = TournamentPatch::schema();
        if let RefOr::T(Schema::Object(object)) = &mut schema {
            let name = ObjectBuilder::new()
                .schema_type(SchemaType::from_iter([Type::String, Type::Null]))
                .description(Some("Name of the store, without `.db` [default: a new store]."));
            object.properties.insert("name".to_owned(), name.into());
        }
        schema
    }
}

impl ToSchema for TournamentRequest {
    fn name() -> Cow<'static, str> {
        "Tournament".into()
    }

    fn schemas(schemas: &mut Vec<(String, RefOr<Schema>)>) {
        TournamentPatch::schemas(schemas);
    }
}
