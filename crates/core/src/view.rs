//! A position as data for drawing: one description for browser, notebook, terminal and documentation.
//!
//! A view contains areas of cells, the pieces on them, the seats with their counters, the prompt, and the legal
//! actions, each with the cells that it *touches* in order. One interaction serves every game. The client keeps the
//! selected cells and offers the actions whose touches begin with them. It plays an action that is the only one left,
//! asks by label among several with the same touches, and shows a button for an action without touches.
//!
//! All texts are [`Text`]s: keys of the game's messages with parameters, so that a client can show them in any language.

use serde::Serialize;
use smol_str::SmolStr;

use crate::game::Seat;
use crate::interned::Shared;
use crate::text::Text;

/// A position as one seat (or a spectator) may see it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct View {
    /// The game's name.
    pub game: SmolStr,
    /// The seat to act, -1 for chance, null when the game is over.
    pub to_act: Option<i8>,
    /// The number of the current turn, 1 for the first.
    pub turn: u32,
    /// The question to the seat to act, or the result of the game.
    pub prompt: Text,
    /// Boards and other areas, in drawing order.
    pub areas: Vec<Area>,
    /// The pieces, in drawing order within a cell (lowest level first).
    pub pieces: Vec<Shared<Piece>>,
    /// Every seat, seat 0 first.
    pub seats: Vec<SeatView>,
    /// Counters of the whole table: supplies, remaining tiles.
    pub supply: Vec<Shared<Counter>>,
    /// Rules in force and other cards beside the board; none in most games.
    pub cards: Vec<Card>,
    /// Lines over the board that are relevant now.
    pub lines: Vec<Curve>,
    /// The legal actions of the seat to act, in the order of their numbers.
    pub actions: Vec<Shared<ActionView>>,
    /// The outcome, or null before the end of the game.
    pub outcome: Option<OutcomeView>,
}

impl View {
    /// Removes the marks of possible choices, which only the seat to act sees.
    pub fn hide_choices(&mut self) {
        for cell in self.areas.iter_mut().flat_map(|area| &mut area.cells) {
            if cell.marks.iter().any(|mark| mark.choosing) {
                let mut shown = Cell::clone(cell);
                shown.marks.retain(|mark| !mark.choosing);
                *cell = Shared::from(shown);
            }
        }
    }
}

/// A group of cells that a client draws together.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Area {
    /// The area's name, unique in the view.
    pub id: SmolStr,
    /// The shape of its cells.
    pub shape: Shape,
    /// The name of the area. Its parameter `seat` is the name of the seat whose things it shows: a hand.
    pub label: Text,
    /// The size of its cells: 1 on the main board of most games, less for smaller cells beside it.
    #[serde(default = "one", skip_serializing_if = "is_one")]
    pub size: f64,
    /// Its cells.
    pub cells: Vec<Shared<Cell>>,
}

const fn one() -> f64 {
    1.0
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it")]
fn is_one(&size: &f64) -> bool {
    (size - one()).abs() < f64::EPSILON
}

/// The shape of an area's cells. It determines their outline and the directions of the arrow keys.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Regular hexes with a corner at the top, as far apart as they are wide.
    Hex,
    /// Unit squares.
    Square,
    /// Any other shape: a tray, a rim, a track.
    Free,
}

/// A place for pieces that a player can select.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Cell {
    /// The cell's name, unique in the view and the same in every view of the match.
    pub id: SmolStr,
    /// The position to the right, in widths of a cell of size 1.
    pub x: f64,
    /// The position downwards, in the same unit.
    pub y: f64,
    /// The symbol of the cell itself; none if it is invisible.
    pub symbol: Option<SmolStr>,
    /// The name and the kind of the cell, without its pieces.
    pub label: Text,
    /// Symbols of a special state (visited, about to grow), drawn over the cell.
    pub marks: Vec<Mark>,
    /// A number to show on request (a height).
    pub value: Option<i64>,
    /// The cell of which this one is a part. A selection of this cell selects that one.
    pub part_of: Option<SmolStr>,
}

/// A special state of a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Mark {
    /// The symbol.
    pub symbol: SmolStr,
    /// The description.
    pub label: Text,
    /// Whether the mark shows a possible choice. Only the seat to act sees such a mark.
    pub choosing: bool,
}

impl Mark {
    /// A mark for every viewer.
    pub fn new(symbol: impl Into<SmolStr>, label: Text) -> Self {
        Self { symbol: symbol.into(), label, choosing: false }
    }

    /// A mark of a possible choice.
    pub fn of_choice(symbol: impl Into<SmolStr>, label: Text) -> Self {
        Self { choosing: true, ..Self::new(symbol, label) }
    }
}

/// A piece on a cell.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Piece {
    /// Unique in the view. It identifies the same piece from view to view unless an event changes it.
    pub id: SmolStr,
    /// The cell of the piece.
    pub cell: SmolStr,
    /// The symbol of the piece.
    pub symbol: SmolStr,
    /// The name of the piece.
    pub label: Text,
    /// The number of levels below it.
    pub level: u8,
    /// The rotation, clockwise in degrees.
    pub turn: u16,
    /// The seat that owns it.
    pub owner: Option<Seat>,
}

/// The public information of a seat.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct SeatView {
    /// The seat.
    pub seat: Seat,
    /// The name of the seat ("Red").
    pub name: Text,
    /// The symbol of the seat.
    pub symbol: SmolStr,
    /// Its scores and holdings.
    pub counters: Vec<Shared<Counter>>,
}

/// A number with a name.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Counter {
    /// Unique among the counters of its seat or of the supply.
    pub id: SmolStr,
    /// The name of the number.
    pub label: Text,
    /// The number.
    pub value: i64,
    /// The maximum, or the number that is needed.
    pub of: Option<i64>,
    /// A symbol for one unit.
    pub symbol: Option<SmolStr>,
}

/// A rule in force or an event card, shown beside the board as text and diagram.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Card {
    /// Unique in the view and the same from view to view.
    pub id: SmolStr,
    /// The diagram.
    pub symbol: SmolStr,
    /// The name of the card.
    pub title: Text,
    /// The effect of the card now.
    pub text: Text,
    /// The cells that it affects now. A client highlights them on request.
    pub cells: Vec<SmolStr>,
    /// Directed pairs of cells that it connects now. A connection in both directions appears twice.
    pub links: Vec<(SmolStr, SmolStr)>,
}

/// A curve over the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Curve {
    /// Unique among the lines of a view and the same from view to view.
    pub id: SmolStr,
    /// The seat that owns it.
    pub owner: Option<Seat>,
    /// The description.
    pub label: Text,
    /// The first point, then the control point and the end point of each quadratic Bézier curve, as (right, down) in
    /// cell widths.
    pub path: Vec<(f64, f64)>,
    /// The numbers along the line, in order.
    pub counts: Vec<Count>,
}

/// A number at a point of a line.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Count {
    /// The point as (right, down) in cell widths.
    pub at: (f64, f64),
    /// The running total.
    pub n: i64,
}

/// A legal action and its selection. There may be hundreds, so defaults are omitted.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ActionView {
    /// The action's token.
    pub token: SmolStr,
    /// The cells to select, in order. Without cells the action is a button.
    pub touches: Vec<SmolStr>,
    /// Whether the order of the cells is free. A cell that appears twice needs two selections.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub any_order: bool,
    /// The rotation of the piece in hand, clockwise in degrees; absent if it makes no difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u16>,
    /// The description of the action.
    pub label: Text,
    /// The kind of the action ("walk"). Actions of one kind share a style and the message `kind.KIND`.
    pub kind: SmolStr,
    /// The pieces after the action, for a faint preview.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preview: Vec<Shared<Piece>>,
    /// A warning before an action that cannot be undone.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<Text>,
}

impl ActionView {
    /// Whether the touches of the action begin with these cells, with this rotation of the piece in hand; `None` for any
    /// rotation.
    pub fn begins_with(&self, touched: &[SmolStr], turn: Option<u16>) -> bool {
        if turn.is_some() && self.turn.is_some() && turn != self.turn {
            return false;
        }
        begins(&self.touches, self.any_order, touched)
    }
}

/// Whether touches begin with these cells: as a prefix, or as any subset if the order is free.
pub fn begins(touches: &[SmolStr], any_order: bool, cells: &[SmolStr]) -> bool {
    if !any_order {
        return touches.starts_with(cells);
    }
    let times = |cells: &[SmolStr], wanted: &SmolStr| cells.iter().filter(|&cell| cell == wanted).count();
    cells.iter().all(|cell| times(cells, cell) <= times(touches, cell))
}

/// The outcome of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct OutcomeView {
    /// The seats that won; empty for a draw.
    pub winners: Vec<Seat>,
    /// The code of the reason.
    pub reason: SmolStr,
    /// The reason as a text.
    pub text: Text,
    /// One number per seat, summing to zero.
    pub returns: Vec<f64>,
    /// The places that decided the game.
    pub decisive: Decisive,
}

/// The places that decided a game: three stacks, three counters, a line that scores. A client marks them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Decisive {
    /// The cells, in drawing order.
    pub cells: Vec<SmolStr>,
    /// The ids of lines of the view.
    pub lines: Vec<SmolStr>,
}

impl Decisive {
    /// Cells alone.
    pub fn cells(cells: impl IntoIterator<Item = SmolStr>) -> Self {
        Self { cells: cells.into_iter().collect(), lines: Vec::new() }
    }
}

/// One effect of an action, for animation, sound, log and narration.
///
/// The changes of all events, applied in order to the pieces before the action, give exactly the pieces after it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Event {
    /// Events of one step happen at the same time. Steps are numbered from 0.
    pub step: u16,
    /// The change of the pieces.
    pub change: Change,
    /// The cells of the movement in order. A client marks them until the next turn.
    pub cells: Vec<SmolStr>,
    /// The line of the movement. A client highlights it and counts its numbers.
    pub line: Option<Curve>,
    /// A short sentence for the log.
    pub text: Option<Text>,
    /// The sound.
    pub sound: Option<Sound>,
}

/// The change of the pieces by an event.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Change {
    /// A piece comes from the supply.
    Placed {
        /// The new piece.
        piece: Shared<Piece>,
    },
    /// A piece moves to another cell.
    Moved {
        /// The id of the piece before the event.
        id: SmolStr,
        /// The piece after the event.
        piece: Shared<Piece>,
    },
    /// A piece is rotated, flipped or exchanged in its cell.
    Changed {
        /// The id of the piece before the event.
        id: SmolStr,
        /// The piece after the event.
        piece: Shared<Piece>,
    },
    /// A piece returns to the supply.
    Removed {
        /// The id of the piece.
        id: SmolStr,
    },
    /// A cell appears or changes.
    Laid {
        /// The name of the cell.
        cell: SmolStr,
    },
    /// No piece changes; the event only has a text.
    Announced,
}

/// The sound of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
#[serde(rename_all = "lowercase")]
pub enum Sound {
    /// A figure moves one step.
    Step,
    /// A wooden piece is placed.
    Place,
    /// A tile is placed.
    Lay,
    /// A piece is flipped.
    Flip,
    /// A wheel spins.
    Spin,
    /// The game ends.
    End,
}

/// The consequences of an action, for a preview.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Prospect {
    /// The pieces after the action.
    pub pieces: Vec<Shared<Piece>>,
    /// The lines that the action would create or use.
    pub lines: Vec<Curve>,
    /// The consequences, one short sentence each.
    pub texts: Vec<Text>,
    /// The numbers in a hand that the action would change.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub numbers: Vec<NumberChange>,
}

/// The change of a number in a hand.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct NumberChange {
    /// The cell.
    pub cell: SmolStr,
    /// How much the number grows; negative if it falls.
    pub by: i64,
}

impl NumberChange {
    /// Returns the changes from one view to another. A hand with another label is that of another seat.
    pub fn between(before: &View, after: &View) -> Vec<Self> {
        let mut changes = Vec::new();
        for area in before.areas.iter().filter(|area| area.label.params.get("seat").is_some()) {
            let same = |other: &&Area| other.id == area.id && other.label == area.label;
            let Some(then) = after.areas.iter().find(same) else { continue };
            for cell in &area.cells {
                let number = then.cells.iter().find(|other| other.id == cell.id).and_then(|other| other.value);
                if let (Some(from), Some(to)) = (cell.value, number)
                    && from != to
                {
                    changes.push(Self { cell: cell.id.clone(), by: to - from });
                }
            }
        }
        changes
    }
}

/// An action as the list of moves shows it: its pieces, and words without coordinates.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MoveLabel {
    /// The symbols of its pieces, in order.
    pub symbols: Vec<SmolStr>,
    /// The rest in words.
    pub text: Text,
    /// The cells of the action, in order. A client marks them on request.
    pub cells: Vec<SmolStr>,
}

/// The reason why an action is illegal, with a clause of the rule book.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Refusal {
    /// The reason as a text.
    pub text: Text,
    /// The clause's number in the rule book.
    pub clause: SmolStr,
}
