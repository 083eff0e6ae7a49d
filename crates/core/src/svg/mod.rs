//! A view as an SVG picture: for notebooks, rule books and documentation.
//!
//! A cell is 100 units wide. A game's symbols are groups around 0,0, which is the centre of a cell. Its [`Theme`]
//! contains the slant of the board and the colours.

mod colours;
mod notes;
mod picture;
mod scenery;
mod symbols;
mod text;

use std::collections::BTreeMap;
use std::fmt::Write;

use serde::Deserialize;

use crate::interned::Shared;
use crate::view::{Area, Cell, Curve, Piece, Shape, View};

pub use notes::Notes;
pub use picture::{Picture, picture};
pub use scenery::{Name, Scenery};
use text::escape;

/// A game's geometry and colours: `art/theme.json`.
#[derive(Clone, Debug, Deserialize)]
pub struct Theme {
    /// The height of the board as a fraction of its depth: 1 from above, less at a slant.
    pub tilt: f64,
    /// The height of a level, in hundredths of a cell's width.
    pub lift: f64,
    /// The height of the tallest piece, in the same unit.
    pub rise: f64,
    /// The style of levels on a board from above; absent where `lift` shows them.
    #[serde(default)]
    pub depth: Option<Depth>,
    /// Illustrations and names between the cells.
    #[serde(default)]
    pub scenery: Vec<Scenery>,
    /// Colours by name (`var(--NAME)` in the symbols), for light and dark pages.
    pub colours: BTreeMap<String, Colour>,
}

/// The style of levels of square tiles that keep their place, so that lines across them stay unbroken.
///
/// It uses the colours `shadow`, `shade`, `number` and `number-edge`.
#[derive(Clone, Copy, Debug, Deserialize)]
pub struct Depth {
    /// The length of a level's shadow to the lower right, in hundredths of a cell's width, up to [`DEEPEST`] levels.
    pub shadow: f64,
    /// The opacity of `shade` over a piece for each level below it, up to [`DEEPEST`] levels.
    pub tint: f64,
    /// The place of the value in a cell, in cell widths from the centre.
    pub number: (f64, f64),
}

/// The number of levels from which tint and shadow grow no more.
const DEEPEST: u8 = 6;

/// A colour for both kinds of page.
#[derive(Clone, Debug, Deserialize)]
pub struct Colour {
    /// On a light page.
    pub light: String,
    /// On a dark page.
    pub dark: String,
}

/// The source of a picture's colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Colours {
    /// Fixed colours for a light page.
    Light,
    /// Fixed colours for a dark page.
    Dark,
    /// Variables that the picture sets for light and dark pages.
    Both,
    /// The variables `var(--NAME)` of the page, and its symbols.
    Page,
}

/// Draws a view: the board alone.
///
/// `symbols` is the game's `art/symbols.svg`, `theme` its geometry and colours.
pub fn draw(view: &View, symbols: &str, theme: &Theme, colours: Colours, notes: &Notes) -> String {
    let Board { svg, left, top, width, height } = Board::draw(view, theme, notes);
    let view_box = format!("{left:.1} {top:.1} {width:.1} {height:.1}");
    document(&view.game, &svg, &view_box, width * 0.9, &notes.title, symbols, theme, colours)
}

/// System fonts with Latin and Japanese letters.
const FONT: &str =
    "system-ui, 'Hiragino Sans', 'Noto Sans JP', 'Noto Sans CJK JP', 'Yu Gothic UI', 'DejaVu Sans', sans-serif";

/// A drawing with its symbols and colours.
#[expect(clippy::too_many_arguments)]
fn document(
    game: &str,
    drawing: &str,
    view_box: &str,
    width: f64,
    title: &str,
    symbols: &str,
    theme: &Theme,
    colours: Colours,
) -> String {
    let title = escape(title);
    let class = if colours == Colours::Both { format!(r#" class="tavola-{game}""#) } else { String::new() };
    let style = if colours == Colours::Both { colours::style(game, theme) } else { String::new() };
    let symbols = match colours {
        Colours::Page => String::new(),
        _ => format!("<defs>{}</defs>", symbols::used(symbols, drawing)),
    };
    let svg = format!(
        r#"<svg xmlns="http://www.w3.org/2000/svg"{class} viewBox="{view_box}" role="img" aria-label="{title}" width="{width:.0}" font-family="{FONT}">{style}{symbols}{drawing}</svg>"#
    );
    match colours {
        Colours::Page | Colours::Both => svg,
        Colours::Light | Colours::Dark => colours::resolve(&svg, theme, colours),
    }
}

/// The drawing of a board and its extent.
struct Board {
    svg: String,
    left: f64,
    top: f64,
    width: f64,
    height: f64,
}

impl Board {
    fn draw(view: &View, theme: &Theme, notes: &Notes) -> Self {
        let canvas = Canvas { theme, view };
        let (left, top, width, height) = canvas.extent();
        Self { svg: canvas.draw(notes), left, top, width, height }
    }
}

struct Canvas<'a> {
    theme: &'a Theme,
    view: &'a View,
}

impl Canvas<'_> {
    fn draw(&self, notes: &Notes) -> String {
        let mut svg = String::with_capacity(8192);
        let mut cells: Vec<(&Area, &Cell)> =
            self.view.areas.iter().flat_map(|area| area.cells.iter().map(move |cell| (area, &**cell))).collect();
        cells.sort_by(|(_, a), (_, b)| (a.y, a.x).partial_cmp(&(b.y, b.x)).expect("finite places"));
        self.illustrations(&mut svg, &cells);
        for &(area, cell) in &cells {
            let (x, y) = self.place(cell);
            if let Some(symbol) = &cell.symbol {
                use_symbol(&mut svg, symbol, x, y, area.size, 0);
            }
            if self.theme.depth.is_none() {
                self.marks(&mut svg, area, cell);
            }
        }
        if let Some(locale) = &notes.names {
            self.names(&mut svg, &cells, locale);
        }
        let rings = |svg: &mut String, hex: bool| {
            let shaped = |&&(area, cell): &&(&Area, &Cell)| {
                notes.rings.iter().any(|ring| *ring == cell.id) && hex == (area.shape == Shape::Hex)
            };
            for &(area, cell) in cells.iter().filter(shaped) {
                self.ring(svg, area, cell);
            }
        };
        // A piece that fills a square would hide a ring below it; a piece on a hex overlaps the hexes behind.
        rings(&mut svg, true);
        if let Some(depth) = self.theme.depth {
            self.levels(&mut svg, &cells, depth);
            for &(area, cell) in &cells {
                self.marks(&mut svg, area, cell);
                if area.shape == Shape::Square {
                    self.number(&mut svg, cell, depth);
                }
            }
        }
        // Over what lies on the board, up to what stands beside it.
        for line in self.view.lines.iter().chain(&notes.lines) {
            self.line(&mut svg, line);
        }
        let laid = |area: &Area| self.theme.depth.is_some() && area.shape == Shape::Square;
        for &(area, cell) in cells.iter().filter(|(area, _)| !laid(area)) {
            let (x, y) = self.place(cell);
            for piece in self.view.pieces.iter().filter(|piece| piece.cell == cell.id) {
                let lift = self.theme.lift * area.size * f64::from(piece.level);
                use_symbol(&mut svg, &piece.symbol, x, y - lift, area.size, piece.turn);
            }
        }
        rings(&mut svg, false);
        for (from, to) in &notes.arrows {
            self.arrow(&mut svg, &cells, from, to);
        }
        svg
    }

    fn place(&self, cell: &Cell) -> (f64, f64) {
        (cell.x * 100.0, cell.y * 100.0 * self.theme.tilt)
    }

    /// Left, top, width and height of everything, with room for what stands tall.
    fn extent(&self) -> (f64, f64, f64, f64) {
        let (mut left, mut top, mut right, mut bottom) = (f64::MAX, f64::MAX, f64::MIN, f64::MIN);
        let cells = self.view.areas.iter().flat_map(|area| area.cells.iter().map(move |cell| (area.size, cell)));
        for (size, cell) in cells {
            let (x, y) = self.place(cell);
            for bounds in self.theme.scenery.iter().filter(|scenery| scenery.cell == cell.id).filter_map(|it| it.bounds)
            {
                let (start, over, end, under) = bounds;
                left = left.min(x + 100.0 * size * start);
                right = right.max(x + 100.0 * size * end);
                top = top.min(y + 100.0 * size * over * self.theme.tilt);
                bottom = bottom.max(y + 100.0 * size * under * self.theme.tilt);
            }
            let tallest = self.view.pieces.iter().filter(|piece| piece.cell == cell.id).map(|piece| piece.level).max();
            let above = tallest.map_or(0.0, |level| self.theme.lift * f64::from(level) + self.theme.rise);
            left = left.min(x - 60.0 * size);
            right = right.max(x + 60.0 * size);
            top = top.min(y - size * above.max(62.0 * self.theme.tilt));
            bottom = bottom.max(y + size * (62.0 * self.theme.tilt + self.theme.lift));
        }
        if left > right { (0.0, 0.0, 1.0, 1.0) } else { (left, top, right - left, bottom - top) }
    }

    fn marks(&self, svg: &mut String, area: &Area, cell: &Cell) {
        let (x, y) = self.place(cell);
        for mark in &cell.marks {
            use_symbol(svg, &mark.symbol, x, y, area.size, 0);
        }
    }

    /// The pieces on square cells, level by level, each under the shadows of the higher ones.
    fn levels(&self, svg: &mut String, cells: &[(&Area, &Cell)], depth: Depth) {
        let squares: Vec<_> = cells
            .iter()
            .filter(|(area, _)| area.shape == Shape::Square)
            .map(|&(_, cell)| (cell, self.view.pieces.iter().filter(|piece| piece.cell == cell.id).collect::<Vec<_>>()))
            .collect();
        let level = |pieces: &[&Shared<Piece>]| pieces.iter().map(|piece| piece.level + 1).max().unwrap_or(0);
        let highest = squares.iter().map(|(_, pieces)| level(pieces)).max().unwrap_or(0);
        for here in 0..=highest {
            for (cell, pieces) in &squares {
                let (x, y) = self.place(cell);
                for piece in pieces.iter().filter(|piece| piece.level + 1 == here) {
                    use_symbol(svg, &piece.symbol, x, y, 1.0, piece.turn);
                    let tint = depth.tint * f64::from(piece.level.min(DEEPEST));
                    if tint > 0.0 {
                        let outline = self.outline(Shape::Square, cell, 1.0);
                        let _ = write!(
                            svg,
                            r#"<polygon points="{outline}" fill="var(--shade)" fill-opacity="{tint:.2}"/>"#
                        );
                    }
                }
            }
            // Twice, the second time shorter: a soft edge.
            for (part, opacity) in [(1.0, 0.2), (0.55, 0.22)] {
                let mut path = String::new();
                for (cell, pieces) in squares.iter().filter(|(_, pieces)| level(pieces) > here) {
                    let by = part * depth.shadow * f64::from((level(pieces) - here).min(DEEPEST));
                    let (x, y) = self.place(cell);
                    let (left, top, right, bottom) = (x - 50.0, y - 50.0, x + 50.0, y + 50.0);
                    let _ = write!(
                        path,
                        "M{left:.1} {top:.1}H{right:.1}l{by:.1} {by:.1}V{:.1}H{:.1}L{left:.1} {bottom:.1}Z",
                        bottom + by,
                        left + by
                    );
                }
                if !path.is_empty() {
                    let _ = write!(svg, r#"<path d="{path}" fill="var(--shadow)" fill-opacity="{opacity}"/>"#);
                }
            }
        }
    }

    /// A cell's value, unless it is nothing.
    fn number(&self, svg: &mut String, cell: &Cell, depth: Depth) {
        let Some(value) = cell.value.filter(|&value| value > 0) else { return };
        let (x, y) = self.place(cell);
        let (right, down) = depth.number;
        let _ = write!(
            svg,
            r#"<text x="{:.1}" y="{:.1}" font-size="26" font-weight="700" text-anchor="middle" fill="var(--number)" stroke="var(--number-edge)" stroke-width="4" stroke-linejoin="round" paint-order="stroke">{value}</text>"#,
            x + right * 100.0,
            y + down * 100.0 + 9.3
        );
    }

    fn outline(&self, shape: Shape, cell: &Cell, scale: f64) -> String {
        let (x, y) = self.place(cell);
        let corners: Vec<(f64, f64)> = match shape {
            Shape::Hex => (0..6)
                .map(|corner| {
                    let angle = std::f64::consts::PI * (f64::from(corner) / 3.0 - 0.5);
                    (angle.cos() / 3f64.sqrt(), angle.sin() / 3f64.sqrt())
                })
                .collect(),
            Shape::Square | Shape::Free => vec![(-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)],
        };
        let points: Vec<_> = corners
            .iter()
            .map(|(dx, dy)| format!("{:.1},{:.1}", x + dx * 100.0 * scale, y + dy * 100.0 * scale * self.theme.tilt))
            .collect();
        points.join(" ")
    }

    /// A ring around a cell, edged with the table's colour: at the foot of what stands on a hex, at the rim of a square.
    fn ring(&self, svg: &mut String, area: &Area, cell: &Cell) {
        let scale = if area.shape == Shape::Hex { 0.86 } else { 0.95 };
        let points = self.outline(area.shape, cell, scale * area.size);
        for (colour, width) in [("table", 9), ("accent", 5)] {
            let _ = write!(
                svg,
                r#"<polygon points="{points}" fill="none" stroke="var(--{colour})" stroke-width="{width}" stroke-linejoin="round"/>"#
            );
        }
    }

    /// A line in its seat's colour, edged with the table's.
    fn line(&self, svg: &mut String, line: &Curve) {
        let mut points = line.path.iter().map(|(x, y)| format!("{:.1} {:.1}", x * 100.0, y * 100.0 * self.theme.tilt));
        let mut path = points.next().map(|first| format!("M{first}")).unwrap_or_default();
        while let (Some(control), Some(end)) = (points.next(), points.next()) {
            let _ = write!(path, " Q{control} {end}");
        }
        let colour = line.owner.map_or("accent".to_owned(), |seat| format!("seat-{seat}"));
        for (colour, width) in [("table", 17), (colour.as_str(), 10)] {
            let _ = write!(
                svg,
                r#"<path d="{path}" fill="none" stroke="var(--{colour})" stroke-width="{width}" stroke-linecap="round"/>"#
            );
        }
    }

    /// How far up the highest piece of a cell stands.
    fn height(&self, cell: &Cell) -> f64 {
        let levels = self.view.pieces.iter().filter(|piece| piece.cell == cell.id).map(|piece| piece.level);
        self.theme.lift * f64::from(levels.max().unwrap_or(0))
    }

    /// An arrow from the foot of what stands highest on a cell to the same on another, edged so that it shows on any ground.
    fn arrow(&self, svg: &mut String, cells: &[(&Area, &Cell)], from: &str, to: &str) {
        let find = |id: &str| {
            cells.iter().find(|(_, cell)| cell.id == id).map(|(_, cell)| {
                let (x, y) = self.place(cell);
                (x, y - self.height(cell))
            })
        };
        let (Some((x0, y0)), Some((x1, y1))) = (find(from), find(to)) else { return };
        let (dx, dy) = (x1 - x0, y1 - y0);
        let length = dx.hypot(dy);
        if length == 0.0 {
            return;
        }
        let (ux, uy) = (dx / length, dy / length);
        let at =
            |along: f64, aside: f64| format!("{:.1},{:.1}", x0 + ux * along - uy * aside, y0 + uy * along + ux * aside);
        let (tip, base) = (length - 10.0, length - 30.0);
        let shaft = [at(base, -3.5), at(22.0, -3.5), at(22.0, 3.5), at(base, 3.5)].join(" ");
        let head = [at(base, 12.0), at(tip, 0.0), at(base, -12.0)].join(" ");
        let _ = write!(
            svg,
            r#"<polygon points="{shaft} {head}" fill="var(--accent)" stroke="black" stroke-opacity=".5" stroke-width="2" stroke-linejoin="round"/>"#,
        );
    }
}

fn use_symbol(svg: &mut String, symbol: &str, x: f64, y: f64, size: f64, turn: u16) {
    let scale = if (size - 1.0).abs() < f64::EPSILON { String::new() } else { format!(" scale({size:.3})") };
    let rotate = if turn == 0 { String::new() } else { format!(" rotate({turn})") };
    let _ = write!(svg, r##"<use href="#{symbol}" transform="translate({x:.1} {y:.1}){scale}{rotate}"/>"##);
}

#[cfg(test)]
mod tests {
    use smol_str::format_smolstr;

    use super::*;
    use crate::text::Text;

    const THEME: &str = r##"{
        "tilt": 1, "lift": 0, "rise": 40, "depth": {"shadow": 5, "tint": 0.04, "number": [0.3, 0.3]},
        "colours": {"shadow": {"light": "#111", "dark": "#000"}}
    }"##;

    fn view(levels: &[(&str, u8)]) -> View {
        let text = || Text::new("any");
        let cell = |id: &str, x: f64| {
            Shared::from(Cell {
                id: id.into(),
                x,
                y: 0.0,
                symbol: Some("ground".into()),
                label: text(),
                marks: vec![],
                value: levels.iter().find(|(cell, _)| *cell == id).map(|&(_, level)| i64::from(level) + 1),
                part_of: None,
            })
        };
        let piece = |&(cell, level): &(&str, u8)| {
            Shared::from(Piece {
                id: cell.into(),
                cell: cell.into(),
                symbol: format_smolstr!("tile-{cell}"),
                label: text(),
                level,
                turn: 0,
                owner: None,
            })
        };
        View {
            game: "any".into(),
            to_act: None,
            turn: 1,
            prompt: text(),
            areas: vec![Area {
                id: "board".into(),
                shape: Shape::Square,
                label: text(),
                size: 1.0,
                cells: vec![cell("a", 0.0), cell("b", 1.0), cell("c", 2.0)],
            }],
            pieces: levels.iter().map(piece).collect(),
            seats: vec![],
            supply: vec![],
            cards: vec![],
            lines: vec![],
            actions: vec![],
            outcome: None,
        }
    }

    #[test]
    fn higher_tiles_throw_longer_shadows_and_lie_over_those_of_others() {
        let theme = serde_json::from_str(THEME).expect("a theme");
        let svg = draw(&view(&[("a", 2), ("b", 0)]), "", &theme, Colours::Light, &Notes::default());
        let at = |part: &str| svg.find(part).unwrap_or_else(|| panic!("no {part} in {svg}"));
        // On the board the shadows of both, on b that of a: two levels of difference; and only then a itself.
        let order = [
            "#ground",
            "M-50.0 -50.0H50.0l15.0 15.0V65.0H-35.0L-50.0 50.0ZM50.0 -50.0H150.0l5.0 5.0",
            "#tile-b",
            "M-50.0 -50.0H50.0l10.0 10.0V60.0H-40.0L-50.0 50.0Z\"",
            "#tile-a",
            ">3</text>",
            ">1</text>",
        ];
        assert!(order.map(at).is_sorted(), "{svg}");
        assert_eq!(svg.matches(r#"fill-opacity="0.08""#).count(), 1, "the tint of a alone");
        assert_eq!(svg.matches("</text>").count(), 2);
    }

    #[test]
    fn a_flat_board_has_no_shadows() {
        let theme = serde_json::from_str(THEME).expect("a theme");
        let svg = draw(&view(&[]), "", &theme, Colours::Light, &Notes::default());
        assert!(!svg.contains("<path") && !svg.contains("<text"), "{svg}");
    }
}
