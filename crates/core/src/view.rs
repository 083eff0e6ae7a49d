//! A position as data for drawing: one description for browser, notebook, terminal and documentation.
//!
//! A view names areas of cells, the pieces on them, the seats with their counters, the prompt, and the legal
//! actions, each with the cells it *touches* in order. One interaction serves every game: keep the cells
//! touched so far, offer the actions whose touches begin with them; one left, play it; several with the
//! same touches, ask by label; an action without touches is a button.
//!
//! All texts are [`Text`]s: keys of the game's words with parameters, so that every language can be shown.

use schemars::JsonSchema;
use serde::Serialize;
use smol_str::SmolStr;

use crate::game::{Game, Seat};
use crate::interned::Shared;
use crate::text::Text;

/// A position as one seat (or a spectator) may see it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct View {
    /// The game's name.
    pub game: SmolStr,
    /// The seat to act, -1 for chance, null when the game is over.
    pub to_act: Option<i8>,
    /// The number of the current turn, 1 for the first.
    pub turn: u32,
    /// What is asked of the seat to act, or how the game ended.
    pub prompt: Text,
    /// Boards and other places, in drawing order.
    pub areas: Vec<Area>,
    /// The pieces, in drawing order within a cell (lowest storey first).
    pub pieces: Vec<Shared<Piece>>,
    /// Every seat, seat 0 first.
    pub seats: Vec<SeatView>,
    /// What everybody shares: supplies, tiles left.
    pub supply: Vec<Shared<Counter>>,
    /// Rules and other things beside the board that hold now; none in most games.
    pub cards: Vec<Card>,
    /// Lines over the board that matter now.
    pub lines: Vec<Line>,
    /// The legal actions of the seat to act, in the engine's order.
    pub actions: Vec<Shared<ActionView>>,
    /// How the game ended, or null.
    pub outcome: Option<OutcomeView>,
}

impl View {
    /// The view for somebody who is to choose one of the actions, or for somebody who is not.
    pub fn visible(&self, with_actions: bool) -> VisibleView<'_> {
        VisibleView {
            game: &self.game,
            to_act: self.to_act,
            turn: self.turn,
            prompt: &self.prompt,
            areas: &self.areas,
            pieces: &self.pieces,
            seats: &self.seats,
            supply: &self.supply,
            cards: &self.cards,
            lines: &self.lines,
            actions: if with_actions { &self.actions } else { &[] },
            outcome: &self.outcome,
        }
    }
}

/// A view as it is told to somebody: without the actions if they are not to choose.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[allow(missing_docs)] // as in `View`
pub struct VisibleView<'a> {
    pub game: &'a SmolStr,
    pub to_act: Option<i8>,
    pub turn: u32,
    pub prompt: &'a Text,
    pub areas: &'a [Area],
    pub pieces: &'a [Shared<Piece>],
    pub seats: &'a [SeatView],
    pub supply: &'a [Shared<Counter>],
    pub cards: &'a [Card],
    pub lines: &'a [Line],
    pub actions: &'a [Shared<ActionView>],
    pub outcome: &'a Option<OutcomeView>,
}

/// A group of cells that is drawn together.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Area {
    /// The area's name, unique in the view.
    pub id: SmolStr,
    /// The shape of its cells.
    pub shape: Shape,
    /// What the area is called.
    pub label: Text,
    /// Its cells.
    pub cells: Vec<Shared<Cell>>,
}

/// The shape of an area's cells: decides their outline and which way the arrow keys go.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Shape {
    /// Regular hexes with a corner at the top, one unit from the centre of one to the next.
    Hex,
    /// Unit squares.
    Square,
    /// Anything: a tray, a rim, a track.
    Free,
}

/// A place that pieces stand on and that can be touched.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Cell {
    /// The cell's name, unique in the view, and the same in every view of the match.
    pub id: SmolStr,
    /// To the right, in cell widths.
    pub x: f64,
    /// Downwards, in cell widths.
    pub y: f64,
    /// The symbol of the cell itself, if it is drawn.
    pub symbol: Option<SmolStr>,
    /// What the cell is called and what it is, without its pieces.
    pub label: Text,
    /// Symbols of what is special here now (visited, about to grow), drawn over the cell.
    pub marks: Vec<Mark>,
    /// A number to show on demand (a height).
    pub value: Option<i64>,
    /// The cell that this one is a part of, if it is: to touch it is to touch that one.
    pub part_of: Option<SmolStr>,
}

/// Something special about a cell now.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Mark {
    /// The symbol.
    pub symbol: SmolStr,
    /// What it says.
    pub label: Text,
    /// Whether it says what can be chosen: it is for whoever is shown the actions, and for nobody else.
    pub choosing: bool,
}

impl Mark {
    /// One for whoever looks.
    pub fn new(symbol: impl Into<SmolStr>, label: Text) -> Self {
        Self { symbol: symbol.into(), label, choosing: false }
    }

    /// One that says what can be chosen.
    pub fn of_choice(symbol: impl Into<SmolStr>, label: Text) -> Self {
        Self { choosing: true, ..Self::new(symbol, label) }
    }
}

/// A thing on a cell.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Piece {
    /// Unique in the view. It names the same thing from view to view unless an event says otherwise.
    pub id: SmolStr,
    /// The cell it stands on.
    pub cell: SmolStr,
    /// The symbol it is drawn with.
    pub symbol: SmolStr,
    /// What it is called.
    pub label: Text,
    /// How many storeys lie below it.
    pub storey: u8,
    /// Clockwise, in degrees.
    pub turn: u16,
    /// The seat it belongs to.
    pub owner: Option<Seat>,
}

/// A seat as everybody sees it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct SeatView {
    /// The seat.
    pub seat: Seat,
    /// What the game calls it ("Red").
    pub name: Text,
    /// The symbol that stands for it.
    pub symbol: SmolStr,
    /// What it has: scores, holdings.
    pub counters: Vec<Shared<Counter>>,
}

/// A number with a name.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Counter {
    /// Unique among its seat's counters, or the supply's.
    pub id: SmolStr,
    /// What is counted.
    pub label: Text,
    /// How many there are.
    pub value: i64,
    /// Out of how many, or how many are needed.
    pub of: Option<i64>,
    /// A symbol for one of them.
    pub symbol: Option<SmolStr>,
}

/// Something that holds now and is shown beside the board in words and a diagram: a rule in force, an event card.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Card {
    /// Unique in the view, and the same from view to view.
    pub id: SmolStr,
    /// The diagram.
    pub symbol: SmolStr,
    /// What it is.
    pub title: Text,
    /// What it means now.
    pub text: Text,
    /// The cells that it concerns now: shown while the card is looked at.
    pub cells: Vec<SmolStr>,
    /// Pairs of cells that it joins now, from the first to the second; what it joins both ways is listed both ways.
    pub links: Vec<(SmolStr, SmolStr)>,
}

/// A line over the board, as smooth as it is printed.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Line {
    /// Unique among the lines shown together, and the same from view to view.
    pub id: SmolStr,
    /// The seat that it belongs to.
    pub owner: Option<Seat>,
    /// What it is.
    pub label: Text,
    /// Where it runs, in cell widths to the right and downwards: its first point, then for each stretch the control
    /// point and the end of a quadratic curve.
    pub path: Vec<(f64, f64)>,
    /// The numbers that are met along it, in order.
    pub counts: Vec<Count>,
}

/// A number at a place on a line.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Count {
    /// Where, in cell widths to the right and downwards.
    pub at: (f64, f64),
    /// How much it comes to so far.
    pub n: i64,
}

/// A legal action, and how it is chosen. There may be hundreds: what goes without saying is left out.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct ActionView {
    /// The action's token.
    pub token: SmolStr,
    /// The cells to touch, in order. Empty: a button.
    pub touches: Vec<SmolStr>,
    /// Whether the cells may be touched in any order. A cell that stands among them twice is touched twice.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub any_order: bool,
    /// How the piece in hand is turned, clockwise in degrees; there only if that makes a difference.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub turn: Option<u16>,
    /// What it does.
    pub label: Text,
    /// The kind of action that it is ("walk"): actions of one kind share a look and a word, `kind.KIND`.
    pub kind: SmolStr,
    /// What would stand where afterwards: shown faintly while the action is being considered.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub preview: Vec<Shared<Piece>>,
    /// Said beforehand of an action that cannot be taken back.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub warning: Option<Text>,
}

impl ActionView {
    /// Whether the action can begin by touching these cells, one after the other, with the piece in hand so turned;
    /// `None` leaves that open.
    pub fn begins_with(&self, touched: &[SmolStr], turn: Option<u16>) -> bool {
        if turn.is_some() && self.turn.is_some() && turn != self.turn {
            return false;
        }
        begins(&self.touches, self.any_order, touched)
    }
}

/// Whether an action with these touches can begin by touching some cells: in order, or as any part of them.
pub fn begins(touches: &[SmolStr], any_order: bool, cells: &[SmolStr]) -> bool {
    if !any_order {
        return touches.starts_with(cells);
    }
    let times = |cells: &[SmolStr], wanted: &SmolStr| cells.iter().filter(|&cell| cell == wanted).count();
    cells.iter().all(|cell| times(cells, cell) <= times(touches, cell))
}

/// How a game ended.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct OutcomeView {
    /// The seats that won; empty for a draw.
    pub winners: Vec<Seat>,
    /// The reason's code.
    pub reason: SmolStr,
    /// The reason in words.
    pub text: Text,
    /// One number per seat, summing to zero.
    pub returns: Vec<f64>,
}

/// Something that an action did, for animation, sound, log line and narration.
///
/// Played in order on the pieces of the view before the action, the changes give exactly the pieces of the view after it.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Event {
    /// Events of the same step happen at once; steps follow one another, from 0.
    pub step: u16,
    /// What happens to the pieces.
    pub change: Change,
    /// The cells concerned, in the order of the movement: the trace that stays until the next turn.
    pub cells: Vec<SmolStr>,
    /// The line that it follows: it lights up, and its numbers are counted along it.
    pub line: Option<Line>,
    /// What is said of it, in one short sentence.
    pub text: Option<Text>,
    /// What it sounds like.
    pub sound: Option<Sound>,
}

/// What an event does to the pieces.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Change {
    /// A piece comes from the supply.
    Placed {
        /// The new piece.
        piece: Shared<Piece>,
    },
    /// A piece goes elsewhere.
    Moved {
        /// The piece's id before.
        id: SmolStr,
        /// The piece afterwards.
        piece: Shared<Piece>,
    },
    /// A piece is turned, flipped or exchanged where it stands.
    Changed {
        /// The piece's id before.
        id: SmolStr,
        /// The piece afterwards.
        piece: Shared<Piece>,
    },
    /// A piece goes back to the supply.
    Removed {
        /// The piece's id.
        id: SmolStr,
    },
    /// The cell appears, or becomes something else.
    Laid {
        /// The cell's name.
        cell: SmolStr,
    },
    /// Nothing moves; something is said.
    Told,
}

/// What an event sounds like.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Sound {
    /// A figure steps.
    Step,
    /// Wood is set on wood.
    Place,
    /// Something is laid on the table.
    Lay,
    /// Something turns over.
    Flip,
    /// Something spins.
    Spin,
    /// The game ends.
    End,
}

/// What an action would bring: looked at before it is played.
#[derive(Clone, Debug, Default, PartialEq, Serialize, JsonSchema)]
pub struct Prospect {
    /// What would stand where.
    pub pieces: Vec<Shared<Piece>>,
    /// The lines that would matter.
    pub lines: Vec<Line>,
    /// What would follow, a short sentence each.
    pub texts: Vec<Text>,
}

/// Why something cannot be done: words, and the clause of the rule book to read.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Refusal {
    /// The reason in words.
    pub text: Text,
    /// The clause's number in the rule book.
    pub clause: SmolStr,
}

/// How a position looks, what an action did, and why another is refused.
pub trait Draw: Game {
    /// The position as a seat, or a spectator, may see it, with the legal actions of the seat to act.
    ///
    /// Built by allow-list: nothing that the viewer may not know is in it.
    fn view(&self, state: &Self::State, viewer: Option<Seat>) -> View;

    /// Whether nothing is hidden from anybody in this state: what a seat sees differs at most in what lies before it,
    /// so that all may look on with one.
    fn is_public(&self, _state: &Self::State) -> bool {
        false
    }

    /// What a legal action, played in this state, does.
    fn events(&self, state: &Self::State, action: Self::Action) -> Vec<Event>;

    /// Why the action is not legal in this state; `None` if it is legal.
    fn refusal(&self, state: &Self::State, action: Self::Action) -> Option<Refusal>;

    /// Why nothing can be done by touching these cells, in order, with the piece in hand so turned (`None` leaves that
    /// open); `None` if some legal action begins with them.
    fn touch_refusal(&self, state: &Self::State, touched: &[SmolStr], turn: Option<u16>) -> Option<Refusal>;

    /// What a legal action would bring, for games in which that is worth a look; asked for one action at a time.
    fn prospect(&self, _state: &Self::State, _action: Self::Action) -> Prospect {
        Prospect::default()
    }
}
