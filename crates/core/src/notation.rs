//! Actions and positions as text: the common tongue of records, fixtures, bug reports and protocols.

use std::fmt::Write;

use smol_str::SmolStr;

use crate::game::Game;
use crate::text::{Param, Text};

/// Text for actions and positions, both ways.
///
/// Tokens are printable ASCII without spaces; in one position no two legal actions share a token; a chance
/// outcome's token starts with `*`. A position text is one line; different positions have different texts,
/// and each position has only one.
pub trait Notation: Game {
    /// The action as a token.
    fn token(&self, action: Self::Action) -> SmolStr;

    /// The action that a token stands for, legal or not; `None` if no action is written so.
    fn parse_token(&self, token: &str) -> Option<Self::Action>;

    /// The position as one line of text.
    fn position(&self, state: &Self::State) -> String;

    /// The position that a text stands for, judged for its end as if it had been reached in play.
    ///
    /// # Errors
    /// [`PositionError`] with every fault found. Never panics, whatever the text.
    fn parse_position(&self, text: &str) -> Result<Self::State, PositionError>;
}

/// A text that is no position, with every fault found.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("not a position: {faults:?}")]
pub struct PositionError {
    /// What is wrong, one sentence each; each begins with the field's name.
    pub faults: Vec<Text>,
}

impl PositionError {
    /// Notes what is wrong with a field; its name is a key of the game's words.
    pub fn add(&mut self, field: &'static str, fault: Text) {
        self.faults.push(within(Text::new(field), fault));
    }

    /// Notes it if it is one.
    pub fn add_if(&mut self, wrong: bool, field: &'static str, fault: Text) {
        if wrong {
            self.add(field, fault);
        }
    }

    /// The value, or the fault noted.
    pub fn note<T>(&mut self, field: &'static str, read: Result<T, Text>) -> Option<T> {
        read.map_err(|fault| self.add(field, fault)).ok()
    }

    /// Whether nothing is wrong so far.
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// The position if nothing is wrong.
    ///
    /// # Errors
    /// All that is.
    pub fn judge<S>(self, position: Option<S>) -> Result<S, Self> {
        position.filter(|_| self.is_empty()).ok_or(self)
    }
}

/// What is wrong in a part of something.
pub fn within(part: impl Into<Param>, fault: Text) -> Text {
    Text::new("fault.within").with("part", part).with("fault", fault)
}

/// A position text that is being written, in one piece: a server writes one for every action.
#[derive(Debug, Default)]
pub struct Line(String);

impl Line {
    /// An empty one, with room for so many bytes.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Self(String::with_capacity(bytes))
    }

    /// Adds what is formatted.
    pub fn add(&mut self, what: std::fmt::Arguments<'_>) {
        self.0.write_fmt(what).expect("a text takes anything");
    }

    /// Adds a letter.
    pub fn push(&mut self, letter: char) {
        self.0.push(letter);
    }

    /// Adds a text.
    pub fn push_str(&mut self, text: &str) {
        self.0.push_str(text);
    }

    /// Adds several things with something between them.
    pub fn each<T>(&mut self, between: char, things: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        for (number, thing) in things.into_iter().enumerate() {
            if number > 0 {
                self.push(between);
            }
            write(self, thing);
        }
    }

    /// Adds a dash if nothing else is added.
    pub fn or_dash(&mut self, write: impl FnOnce(&mut Self)) {
        let began = self.0.len();
        write(self);
        if self.0.len() == began {
            self.push('-');
        }
    }
}

impl From<Line> for String {
    fn from(line: Line) -> Self {
        line.0
    }
}

impl Extend<char> for Line {
    fn extend<I: IntoIterator<Item = char>>(&mut self, letters: I) {
        self.0.extend(letters);
    }
}

/// The fields of a position text, one space between them.
///
/// # Errors
/// If they are more or fewer.
pub fn fields<const N: usize>(text: &str) -> Result<[&str; N], PositionError> {
    let fields: Vec<&str> = text.split(' ').collect();
    <[&str; N]>::try_from(fields).map_err(|fields| {
        let mut error = PositionError::default();
        error.add("field.position", Text::new("fault.fields").with("count", fields.len()).with("wanted", N));
        error
    })
}
