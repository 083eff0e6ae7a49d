//! The list of games, and their type-erased form for Python and other callers without Rust generics.

#![forbid(unsafe_code)]

mod any_game;
mod any_search;

pub use any_game::{AnyGame, AnySearcher, AnyState, IllegalAction};
pub use any_search::{Line, SearchResult};

use tavola_core::{Info, OptionError, Options};
pub use tavola_search::{Limits, Method, Proof, Purpose, Rollouts, Unsuitable};

/// Lists the games: the one place outside a game's folder that names it.
macro_rules! games {
    ($($name:ident => $game:ty),* $(,)?) => {
        /// The particulars of every game, by name.
        pub fn games() -> Vec<&'static Info> {
            let mut games = vec![$(<$game as tavola_core::Game>::INFO),*];
            games.sort_by_key(|info| info.name);
            games
        }

        /// A game under options that were checked against its particulars.
        fn open(name: &str, options: &Options) -> Option<AnyGame> {
            match name {
                $(stringify!($name) => Some(AnyGame::new::<$game>(options)),)*
                _ => None,
            }
        }

        #[cfg(test)]
        mod conformance {
            $(
                #[test]
                fn $name() {
                    assert_eq!(<$game as tavola_core::Game>::INFO.name, stringify!($name));
                    tavola_testkit::conform::<$game>(tavola_testkit::Effort::of_profile());
                }
            )*
        }
    };
}

games! {
    montana => tavola_montana::Montana,
    passtally => tavola_passtally::Passtally,
    potlatch => tavola_potlatch::Potlatch,
    proteus => tavola_proteus::Proteus,
}

/// Why a game cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// No game is called so.
    #[error("unknown game {name:?}; known are {}", known.join(", "))]
    UnknownGame {
        /// The name that was given.
        name: String,
        /// The names that there are.
        known: Vec<&'static str>,
    },
    /// The game has no such option or value.
    #[error(transparent)]
    Option(#[from] OptionError),
}

/// A game by name, under the given options; the others are at their defaults.
///
/// # Errors
/// [`LoadError`] for a name, an option or a value that does not exist.
pub fn load<'a>(name: &str, options: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<AnyGame, LoadError> {
    let info = find(name)?;
    let options = Options::new(info, options)?;
    open(name, &options).ok_or_else(|| unknown(name))
}

/// The particulars of a game.
///
/// # Errors
/// [`LoadError::UnknownGame`].
pub fn find(name: &str) -> Result<&'static Info, LoadError> {
    games().into_iter().find(|info| info.name == name).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> LoadError {
    LoadError::UnknownGame { name: name.to_owned(), known: games().iter().map(|info| info.name).collect() }
}
