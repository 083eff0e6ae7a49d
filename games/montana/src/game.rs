//! The game with its options and tables.

use tavola_core::Features;

use crate::actions::Tables;
use crate::components::{Components, TableSetup};
use crate::map::{Costs, Map};

/// The game under its options.
#[derive(Clone, Copy, Debug)]
pub struct Montana {
    pub(crate) seats: u8,
    /// Whether grain buys a second segment instead of moving the arrow (rules 17, 18).
    pub(crate) second: bool,
    /// Whether a site may adjoin a settlement of any seat (rules 37).
    pub(crate) any_site: bool,
    pub(crate) components: &'static Components,
    pub(crate) table: &'static TableSetup,
    pub(crate) map: &'static Map,
    pub(crate) costs: &'static Costs,
    pub(crate) tables: &'static Tables,
    /// The weights of the evaluation.
    pub(crate) weights: &'static Features,
}

impl Montana {
    #[inline]
    pub(crate) fn seat_count(&self) -> usize {
        usize::from(self.seats)
    }
}
