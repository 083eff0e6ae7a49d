//! Additions to a position: rings, arrows and lines.

use smol_str::SmolStr;

use crate::locale::Locale;
use crate::view::{Change, Curve, Event};

/// Additions to a position.
#[derive(Clone, Debug, Default)]
pub struct Notes {
    /// Cells with a ring.
    pub rings: Vec<String>,
    /// Arrows from cell to cell.
    pub arrows: Vec<(String, String)>,
    /// Lines in addition to those of the view.
    pub lines: Vec<Curve>,
    /// A description for screen readers.
    pub title: String,
    /// The language of the names on the board; `None` leaves them out.
    pub names: Option<Locale>,
}

impl Notes {
    /// Marks what an action did: arrows for movements, rings for other changes, and its lines.
    pub fn add_events(&mut self, events: &[Event]) {
        for event in events {
            self.lines.extend(event.line.clone());
            match &event.change {
                Change::Moved { piece, .. } if event.cells.len() < 2 => self.ring(&piece.cell),
                Change::Moved { .. } => {
                    let steps = event.cells.windows(2).map(|step| (step[0].to_string(), step[1].to_string()));
                    self.arrows.extend(steps);
                }
                Change::Placed { piece } | Change::Changed { piece, .. } => self.ring(&piece.cell),
                Change::Laid { cell } => self.ring(cell),
                Change::Removed { .. } | Change::Announced => {}
            }
        }
    }

    fn ring(&mut self, cell: &SmolStr) {
        if self.rings.iter().all(|ring| ring != cell) {
            self.rings.push(cell.to_string());
        }
    }
}
