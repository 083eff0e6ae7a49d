//! The requests that the module answers.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tavola_coach::{JudgedAction, Lesson};
use tavola_core::record::Record;
use tavola_core::{Seat, SmolStr};

/// A position: the start of a game, or a text, and the actions after it.
#[derive(Clone, Debug, Deserialize)]
pub struct Place {
    /// The game's name.
    pub game: String,
    /// The options that differ from the defaults.
    #[serde(default)]
    pub options: BTreeMap<String, String>,
    /// The text of the first position; the start of the game without one.
    #[serde(default)]
    pub position: Option<String>,
    /// The tokens played from there.
    #[serde(default)]
    pub line: Vec<String>,
}

/// The stored part of a match that does not follow from its actions.
#[derive(Clone, Debug, Deserialize)]
pub struct Stored {
    /// The seats of persons.
    pub persons: Vec<Seat>,
    /// Whether persons confirm their turns.
    pub confirm: bool,
    /// The number of confirmed actions.
    pub confirmed: usize,
    /// The seat that resigned.
    pub resigned: Option<Seat>,
}

/// A command of a person or an engine on this device.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Command {
    /// Plays an action of the seat to act.
    Play {
        /// The action.
        token: String,
    },
    /// Undoes the last action of a person.
    Undo {
        /// Whether the whole turn of the action goes.
        whole_turn: bool,
    },
    /// Confirms the turn.
    Confirm,
    /// Resigns.
    Resign {
        /// The seat.
        seat: Seat,
    },
}

/// An edit of a position.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "what", rename_all = "kebab-case")]
pub enum Edit {
    /// Puts a tool of the tray on cells.
    Put {
        /// The tool.
        tool: String,
        /// The cells.
        cells: Vec<SmolStr>,
        /// The rotation in degrees.
        #[serde(default)]
        turn: Option<u16>,
    },
    /// Gives a field another value.
    Set {
        /// The field.
        field: String,
        /// The value.
        value: i64,
    },
    /// Removes all pieces that can be removed.
    Clear,
}

/// A request.
#[derive(Clone, Debug, Deserialize)]
#[serde(tag = "do", rename_all = "kebab-case")]
pub enum Request {
    /// The position as a seat sees it, or a spectator without a seat.
    Position {
        /// The position.
        #[serde(flatten)]
        place: Place,
        /// The viewer's seat.
        #[serde(default)]
        seat: Option<u8>,
    },
    /// The last action of the line as an entry of the list of actions: seat, turn, token, label, move, events.
    Entry {
        /// The position.
        #[serde(flatten)]
        place: Place,
    },
    /// The labels of the outcomes of chance, in the order of `position`.
    Outcomes {
        /// The position.
        #[serde(flatten)]
        place: Place,
    },
    /// Consecutive actions in words, each with seat and turn, up to the first that is not legal.
    Words {
        /// The position.
        #[serde(flatten)]
        place: Place,
        /// The actions from there.
        tokens: Vec<String>,
    },
    /// Every fault of a position: in its options and its text.
    ReadPosition {
        /// The position.
        #[serde(flatten)]
        place: Place,
        /// The language of faults.
        language: String,
    },
    /// A position being set up, after an edit, with its faults; null in games without a position editor.
    Sketch {
        /// The position.
        #[serde(flatten)]
        place: Place,
        /// The tool in hand.
        #[serde(default)]
        tool: Option<String>,
        /// The edit.
        #[serde(default)]
        edit: Option<Edit>,
        /// The language of faults.
        language: String,
    },
    /// A record of a text as a tree of actions, with its faults and the tags of all records of the text.
    ReadRecord {
        /// The text.
        text: String,
        /// The index of the record in the text.
        #[serde(default)]
        number: usize,
        /// The language of faults.
        language: String,
    },
    /// The text of a record, with the numbers of its turns.
    WriteRecord {
        /// The record.
        record: Record,
    },
    /// The consequences of a legal action.
    Prospect {
        /// The position.
        #[serde(flatten)]
        place: Place,
        /// The action.
        token: String,
    },
    /// The reason why no legal action begins with the selected cells.
    Explain {
        /// The position.
        #[serde(flatten)]
        place: Place,
        /// The selected cells.
        #[serde(default)]
        touched: Vec<String>,
        /// The rotation in degrees.
        #[serde(default)]
        turn: Option<u16>,
    },
    /// A random outcome of chance.
    Chance {
        /// The position.
        #[serde(flatten)]
        place: Place,
        /// The seed of the draw.
        seed: u64,
    },
    /// A match on this device after a command, and after the random events that follow it.
    Match {
        /// The first position, and the actions in force.
        #[serde(flatten)]
        place: Place,
        /// The rest of the stored match.
        stored: Stored,
        /// The command; none to look at the match.
        #[serde(default)]
        command: Option<Command>,
        /// The seed of the random events.
        seed: u64,
        /// The number of actions before the first described one.
        #[serde(default)]
        from: usize,
    },
    /// The action of an engine: a level from 1, or a specification such as `tree:nodes=2000`.
    Choose {
        /// The position.
        #[serde(flatten)]
        place: Place,
        /// The level.
        #[serde(default)]
        level: Option<usize>,
        /// The specification.
        #[serde(default)]
        engine: Option<String>,
        /// The maximum time, whatever the engine's own limits are.
        #[serde(default)]
        seconds: Option<f64>,
        /// The seed of random choices.
        #[serde(default)]
        seed: u64,
    },
    /// The action that a short search prefers, with its reasons.
    Hint {
        /// The position.
        #[serde(flatten)]
        place: Place,
    },
    /// A step of a lesson or puzzle after actions of the player, and whether they solve the task.
    Lesson {
        /// The game's name.
        game: String,
        /// The lesson as `GET /api/games/GAME/lessons` and `/puzzles` send it.
        lesson: Lesson,
        /// The index of the step.
        step: usize,
        /// The actions of the player in this step, without chance outcomes and replies.
        #[serde(default)]
        line: Vec<String>,
    },
    /// The values of all actions. The tree grows over requests for the same position.
    Analyse {
        /// The position.
        #[serde(flatten)]
        place: Place,
        /// The time for this request.
        #[serde(default)]
        seconds: Option<f64>,
        /// The maximum number of nodes for this request.
        #[serde(default)]
        nodes: Option<u64>,
        /// The depth of the search for forced results that comes first.
        #[serde(default)]
        lookahead: Option<u32>,
        /// Whether a new tree begins.
        #[serde(default)]
        fresh: bool,
        /// The maximum number of lines in the response.
        #[serde(default = "all_lines")]
        lines: usize,
    },
    /// The value of a position for a review. Its place in the game is the length of the line.
    Evaluate {
        /// The position.
        #[serde(flatten)]
        place: Place,
        /// The time of the search.
        seconds: f64,
    },
    /// The effect of an action, and the value of the position after it.
    Judge {
        /// The position before the action.
        #[serde(flatten)]
        place: Place,
        /// The action or chance outcome.
        token: String,
        /// The value of the position.
        before: tavola_coach::Value,
        /// The time of each of up to two evaluations.
        seconds: f64,
    },
    /// The balance of a review, and its decisive actions.
    Summarize {
        /// The shares of the positions.
        shares: Vec<Vec<f64>>,
        /// The actions between them.
        actions: Vec<JudgedAction>,
    },
    /// Why an action is worse than the best one: its cost, the reply and the reasons.
    WhyNot {
        /// The position.
        #[serde(flatten)]
        place: Place,
        /// The action.
        token: String,
        /// The maximum number of nodes of each search.
        nodes: u64,
        /// The time limit of each search.
        #[serde(default)]
        seconds: Option<f64>,
    },
    /// A win that is forced within a number of actions.
    Prove {
        /// The position.
        #[serde(flatten)]
        place: Place,
    },
}

fn all_lines() -> usize {
    usize::MAX
}

/// The reason why a request has no answer.
#[derive(Clone, Debug, Serialize)]
pub struct Fault {
    /// A word for programs.
    pub code: &'static str,
    /// A sentence in English for developers.
    pub message: String,
}

/// A fault with its sentence.
pub(crate) fn fault(code: &'static str, message: &str) -> Fault {
    Fault { code, message: message.to_owned() }
}

/// The fault of an action that cannot be played.
pub(crate) fn illegal(token: &str) -> Fault {
    Fault { code: "illegal", message: format!("{token:?} is not legal here") }
}

/// The content of an answer as JSON.
pub(crate) fn to_value(value: &impl Serialize) -> Value {
    serde_json::to_value(value).expect("views are plain data")
}
