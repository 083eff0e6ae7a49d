//! The engines of a game's levels. The game's file lists them; the last one plays with the game's network.

use crate::any_game::AnyGame;

impl AnyGame {
    /// The engine specifications of the levels, the weakest first. The last level plays with the network of the game, if
    /// there is one for the options.
    ///
    /// # Panics
    /// If the file of the levels is not a list of texts.
    pub fn levels(&self) -> Vec<String> {
        let mut levels = self.listed();
        if let (Some(last), Some(_)) = (levels.last_mut(), self.own_network()) {
            *last = format!("net:{}", last.split_once(':').map_or("", |(_, settings)| settings));
        }
        levels
    }

    /// The engine specification of the last level without a network.
    pub(crate) fn classic(&self) -> String {
        self.listed().pop().unwrap_or_default()
    }

    /// The levels as the game's file lists them.
    fn listed(&self) -> Vec<String> {
        serde_json::from_str(self.info().assets.levels).expect("a file that the tests read")
    }
}
