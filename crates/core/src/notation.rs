//! Actions and positions as text, for records, fixtures, bug reports and protocols.

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

    /// The action of a token, legal or not; `None` if the token stands for no action.
    fn parse_token(&self, token: &str) -> Option<Self::Action>;

    /// The position as one line of text.
    fn position(&self, state: &Self::State) -> String;

    /// The position of a text. Its outcome is the one that the same position has in play.
    ///
    /// # Errors
    /// [`PositionError`] with every fault found. Never panics, whatever the text.
    fn parse_position(&self, text: &str) -> Result<Self::State, PositionError>;
}

/// A text that is not a position, with every error in it.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("not a position: {faults:?}")]
pub struct PositionError {
    /// The errors, one sentence each; each begins with the name of the field.
    pub faults: Vec<Text>,
}

impl PositionError {
    /// Adds an error in a field, whose name is a key of the game's messages.
    pub fn add(&mut self, field: &'static str, fault: Text) {
        self.faults.push(within(Text::new(field), fault));
    }

    /// Adds an error in a field if `wrong` holds.
    pub fn add_if(&mut self, wrong: bool, field: &'static str, fault: Text) {
        if wrong {
            self.add(field, fault);
        }
    }

    /// The value; `None` and one more error if there is none.
    pub fn note<T>(&mut self, field: &'static str, read: Result<T, Text>) -> Option<T> {
        read.map_err(|fault| self.add(field, fault)).ok()
    }

    /// Whether there are no errors.
    pub fn is_empty(&self) -> bool {
        self.faults.is_empty()
    }

    /// The position if there are no errors.
    ///
    /// # Errors
    /// Otherwise all errors.
    pub fn judge<S>(self, position: Option<S>) -> Result<S, Self> {
        position.filter(|_| self.is_empty()).ok_or(self)
    }
}

/// An error within a part of a text.
pub fn within(part: impl Into<Param>, fault: Text) -> Text {
    Text::new("fault.within").with("part", part).with("fault", fault)
}

/// A writer of position texts with one buffer: a server writes one for every action.
#[derive(Debug, Default)]
pub struct PositionWriter(String);

impl PositionWriter {
    /// An empty writer with a buffer of this size in bytes.
    #[must_use]
    pub fn with_capacity(bytes: usize) -> Self {
        Self(String::with_capacity(bytes))
    }

    /// Adds formatted text.
    pub fn add(&mut self, what: std::fmt::Arguments<'_>) {
        self.0.write_fmt(what).expect("a text takes anything");
    }

    /// Adds a character.
    pub fn push(&mut self, letter: char) {
        self.0.push(letter);
    }

    /// Adds a text.
    pub fn push_str(&mut self, text: &str) {
        self.0.push_str(text);
    }

    /// Adds several items with a separator between them.
    pub fn each<T>(&mut self, between: char, things: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut Self, T)) {
        for (number, thing) in things.into_iter().enumerate() {
            if number > 0 {
                self.push(between);
            }
            write(self, thing);
        }
    }

    /// Adds a dash if `write` adds nothing.
    pub fn or_dash(&mut self, write: impl FnOnce(&mut Self)) {
        let began = self.0.len();
        write(self);
        if self.0.len() == began {
            self.push('-');
        }
    }
}

impl From<PositionWriter> for String {
    fn from(line: PositionWriter) -> Self {
        line.0
    }
}

impl Extend<char> for PositionWriter {
    fn extend<I: IntoIterator<Item = char>>(&mut self, letters: I) {
        self.0.extend(letters);
    }
}

/// Splits a position text into its fields at single spaces.
///
/// # Errors
/// If the number of fields is wrong.
pub fn fields<const N: usize>(text: &str) -> Result<[&str; N], PositionError> {
    let fields: Vec<&str> = text.split(' ').collect();
    <[&str; N]>::try_from(fields).map_err(|fields| {
        let mut error = PositionError::default();
        error.add("field.position", Text::new("fault.fields").with("count", fields.len()).with("wanted", N));
        error
    })
}
