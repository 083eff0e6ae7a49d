//! The list of games, and their type-erased form for Python and other callers without Rust generics.

#![forbid(unsafe_code)]

mod any_game;
mod any_puct;
mod any_search;
mod any_state;
mod any_vector_env;
mod engine_spec;
mod erased_game;
mod levels;
mod match_position;
mod network_evaluator;
mod network_file;
mod position_evaluator;
mod search_result;
mod shared_network;

pub use any_game::{AnyGame, NetworkDesign};
pub use any_puct::{AnyEvaluator, AnyLeaf, AnyPuct, Failed, Target};
pub use any_search::{AnySearcher, ErasedSearcher};
pub use any_state::{AnyState, ErasedState, IllegalAction};
pub use any_vector_env::{AnyVectorEnv, ErasedVectorEnv};
pub use engine_spec::{
    C_PUCT_RANGE, CONTEMPT_RANGE, EngineError, EngineKind, EngineSpec, MAX_THREADS, ROLLOUTS_RANGE, engine_kinds,
};
pub use erased_game::ErasedGame;
pub use network_evaluator::NetworkEvaluator;
pub use search_result::{Line, SearchResult};

use tavola_core::{Info, OptionError, Options};
pub use tavola_net::{FileError, Mismatch, Network, Shape, Tensors, Weights};
pub use tavola_search::puct::{C_PUCT, Evaluation, Noise, Settings};
pub use tavola_search::{Limits, Method, Proof, Purpose, Rollouts, Unsuitable};

/// Lists the games: the one place outside a game's folder that names it.
macro_rules! games {
    ($($name:ident => $game:ty),* $(,)?) => {
        /// The metadata of every game, sorted by name.
        pub fn games() -> Vec<&'static Info> {
            let mut games = vec![$(<$game as tavola_core::Compiled>::INFO),*];
            games.sort_by_key(|info| info.name);
            games
        }

        /// Opens a game with valid options.
        fn open(name: &str, options: &Options) -> Option<AnyGame> {
            match name {
                $(stringify!($name) => Some(AnyGame::new(<$game as tavola_core::Compiled>::new(options), options.clone())),)*
                _ => None,
            }
        }

        #[cfg(test)]
        #[test]
        fn names_are_those_of_the_games() {
            $(assert_eq!(<$game as tavola_core::Compiled>::INFO.name, stringify!($name));)*
        }
    };
}

games! {
    montana => tavola_montana::Montana,
    passtally => tavola_passtally::Passtally,
    potlatch => tavola_potlatch::Potlatch,
    proteus => tavola_proteus::Proteus,
}

/// The reason why a game cannot be loaded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LoadError {
    /// There is no such game.
    #[error("unknown game {name:?}; known are {}", known.join(", "))]
    UnknownGame {
        /// The unknown name.
        name: String,
        /// The names of all games.
        known: Vec<&'static str>,
    },
    /// The game has no such option or value.
    #[error(transparent)]
    Option(#[from] OptionError),
}

/// Loads a game with the given options and the defaults of the others.
///
/// # Errors
/// [`LoadError`] for an unknown name, option or value.
pub fn load<'a>(name: &str, options: impl IntoIterator<Item = (&'a str, &'a str)>) -> Result<AnyGame, LoadError> {
    let info = find(name)?;
    let options = Options::new(info, options)?;
    open(name, &options).ok_or_else(|| unknown(name))
}

/// The metadata of a game.
///
/// # Errors
/// [`LoadError::UnknownGame`].
pub fn find(name: &str) -> Result<&'static Info, LoadError> {
    games().into_iter().find(|info| info.name == name).ok_or_else(|| unknown(name))
}

fn unknown(name: &str) -> LoadError {
    LoadError::UnknownGame { name: name.to_owned(), known: games().iter().map(|info| info.name).collect() }
}
