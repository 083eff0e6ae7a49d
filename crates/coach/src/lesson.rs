//! Lessons as data: the part that the judge needs of `tavola.lessons.Lesson`.

use std::collections::BTreeMap;

use serde::Deserialize;

/// A text by language.
pub type Words = BTreeMap<String, String>;

/// A legal try that misses the task.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct WrongTry {
    pub play: String,
    pub why: Words,
    #[serde(default)]
    pub reply: String,
}

/// A result of the turn that solves a step.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct Reach {
    pub counter: String,
    pub at_least: i64,
}

/// One task of a lesson. `tavola.lessons.LessonStep` describes the fields.
#[derive(Clone, Debug, Deserialize)]
pub(crate) struct LessonStep {
    pub done: Words,
    pub accept: Vec<String>,
    #[serde(default)]
    pub otherwise: Option<Words>,
    #[serde(default)]
    pub seat: u8,
    #[serde(default)]
    pub position: Option<String>,
    #[serde(default)]
    pub reach: Option<Reach>,
    #[serde(default)]
    pub wrong: Vec<WrongTry>,
    #[serde(default)]
    pub reply: String,
    #[serde(default)]
    pub chance: Vec<String>,
    #[serde(default)]
    pub whole: bool,
}

/// A lesson, or a puzzle in its form.
#[derive(Clone, Debug, Deserialize)]
pub struct Lesson {
    /// The id, unique in the game.
    pub id: String,
    pub(crate) steps: Vec<LessonStep>,
    /// The options of the game that differ from the defaults, as in a record: `players=3`.
    #[serde(default)]
    pub options: String,
}

impl Lesson {
    /// The seat of the player in a step; `None` if there is no such step.
    pub fn seat(&self, step: usize) -> Option<u8> {
        self.steps.get(step).map(|step| step.seat)
    }
}
