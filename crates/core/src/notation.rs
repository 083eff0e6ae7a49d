//! Actions and positions as text: the common tongue of records, fixtures, bug reports and protocols.

use smol_str::SmolStr;

use crate::game::Game;

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
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a position: {}", faults.join("; "))]
pub struct PositionError {
    /// What is wrong, one sentence each; each begins with the field's name.
    pub faults: Vec<String>,
}
