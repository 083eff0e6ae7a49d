//! Illustrations and names between the cells of a board.

use std::fmt::Write;

use serde::Deserialize;

use super::text::escape;
use super::{Canvas, use_symbol};
use crate::locale::Locale;
use crate::text::Text;
use crate::view::{Area, Cell};

/// An illustration below the cells of a board, a name over them, or both. It moves with a cell.
///
/// All lengths are in widths of that cell, from its centre.
#[derive(Clone, Debug, Deserialize)]
pub struct Scenery {
    /// The cell. Views without it do not show the scenery.
    pub cell: String,
    /// The illustration.
    #[serde(default)]
    pub symbol: Option<String>,
    /// Its left, top, right and bottom edge.
    #[serde(default, rename = "box")]
    pub bounds: Option<(f64, f64, f64, f64)>,
    /// The name that is written on it.
    #[serde(default)]
    pub name: Option<Name>,
}

/// A name on the board, in the colour `print`.
#[derive(Clone, Debug, Deserialize)]
pub struct Name {
    /// The key of the message.
    pub word: String,
    /// The place where the text starts, at its baseline.
    pub at: (f64, f64),
    /// The size of the text.
    pub size: f64,
}

impl Canvas<'_> {
    /// The illustrations below the cells.
    pub(super) fn illustrations(&self, svg: &mut String, cells: &[(&Area, &Cell)]) {
        for scenery in &self.theme.scenery {
            if let (Some((x, y, size)), Some(symbol)) = (self.place_of(scenery, cells), &scenery.symbol) {
                use_symbol(svg, symbol, x, y, size, 0);
            }
        }
    }

    /// The names on the board, over the cells.
    pub(super) fn names(&self, svg: &mut String, cells: &[(&Area, &Cell)], locale: &Locale) {
        for scenery in &self.theme.scenery {
            let (Some((x, y, unit)), Some(name)) = (self.place_of(scenery, cells), &scenery.name) else { continue };
            let Name { word, at: (right, down), size } = name;
            let unit = 100.0 * unit;
            let _ = write!(
                svg,
                r#"<text x="{:.1}" y="{:.1}" font-size="{:.1}" font-weight="700" fill="var(--print)">{}</text>"#,
                x + right * unit,
                y + down * unit * self.theme.tilt,
                size * unit,
                escape(&locale.format(&Text::new(word.as_str())))
            );
        }
    }

    /// The centre and the size of the cell of a scenery; `None` if the view has no such cell.
    fn place_of(&self, scenery: &Scenery, cells: &[(&Area, &Cell)]) -> Option<(f64, f64, f64)> {
        let (area, cell) = cells.iter().find(|(_, cell)| cell.id == scenery.cell)?;
        let (x, y) = self.place(cell);
        Some((x, y, area.size))
    }
}
