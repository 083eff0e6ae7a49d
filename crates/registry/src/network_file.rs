//! The file of a network for a game.

use tavola_net::{FileError, Network, Shape};

use crate::any_game::AnyGame;
use crate::engine_spec::{C_PUCT_RANGE, ROLLOUTS_RANGE};

impl AnyGame {
    /// The network of a file, for this game with these options.
    ///
    /// # Errors
    /// [`FileError`] with the first fault.
    pub fn read_network(&self, bytes: &[u8]) -> Result<Network, FileError> {
        let (rules, seats, actions) = (self.options().rules_version(), self.seats(), self.action_count());
        let network = Network::from_bytes(bytes, rules, self.space(), seats, actions, self.features())?;
        let Shape { c_puct, rollouts, .. } = *network.shape();
        for (name, range, given) in [("c_puct", C_PUCT_RANGE, c_puct), ("rollouts", ROLLOUTS_RANGE, rollouts)] {
            if let Some(number) = given.filter(|&number| !range.contains(&number.into())) {
                return Err(FileError::Header(format!("{name} is {number}")));
            }
        }
        Ok(network)
    }
}
