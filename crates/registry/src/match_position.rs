//! States as the positions of a match.

use tavola_core::matches::Position;
use tavola_core::{Actor, Outcome};

use crate::any_state::AnyState;

impl Position for AnyState {
    fn to_act(&self) -> Actor {
        (**self).to_act()
    }

    fn turn(&self) -> u32 {
        (**self).turn()
    }

    fn outcome(&self) -> Option<Outcome> {
        (**self).outcome()
    }
}
