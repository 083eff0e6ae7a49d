//! Sketches: positions being set up, which may be impossible.
//!
//! A sketch is a position text that can be drawn. An edit leads from one text to another: a tool of the tray is put on
//! cells, or a field beside the board gets another value. [`Notation::parse_position`](crate::Notation) names the faults of
//! a sketch.

use serde::Serialize;
use smol_str::SmolStr;

use crate::game::Seat;
use crate::interned::Shared;
use crate::notation::PositionError;
use crate::text::{Param, Text};
use crate::view::{ActionView, Piece, View};

/// The sketch of a text: `None` in games without a position editor, the faults of a text that cannot be drawn.
pub type Sketched<'a> = Option<Result<Box<dyn Sketch + 'a>, PositionError>>;

/// A piece of the tray, or a way to remove or turn pieces.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Tool {
    /// Unique in the tray.
    pub id: SmolStr,
    /// The symbol of the piece; none for a way to change pieces.
    pub symbol: Option<SmolStr>,
    /// The name.
    pub label: Text,
    /// The number of pieces left, in a limited supply.
    pub left: Option<i64>,
}

impl Tool {
    /// A piece with its symbol, in an unlimited supply.
    pub fn piece(id: impl Into<SmolStr>, symbol: impl Into<SmolStr>, label: Text) -> Self {
        Self { id: id.into(), symbol: Some(symbol.into()), label, left: None }
    }

    /// A way to change pieces.
    pub fn change(id: &'static str, label: Text) -> Self {
        Self { id: id.into(), symbol: None, label, left: None }
    }

    /// The same piece, with the number left.
    #[must_use]
    pub fn with_left(self, left: impl Into<i64>) -> Self {
        Self { left: Some(left.into().max(0)), ..self }
    }
}

/// A number or a choice beside the board.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Field {
    /// Unique among the fields.
    pub id: SmolStr,
    /// The name.
    pub label: Text,
    /// The seat that owns it.
    pub seat: Option<Seat>,
    /// The symbol of one unit.
    pub symbol: Option<SmolStr>,
    /// The number, or the index of the chosen option.
    pub value: i64,
    /// The maximum number.
    pub most: i64,
    /// The options of a choice; none of a number.
    pub options: Vec<Text>,
}

impl Field {
    /// A number from 0.
    pub fn number(id: impl Into<SmolStr>, label: Text, value: impl Into<i64>, most: impl Into<i64>) -> Self {
        let (value, most) = (value.into(), most.into());
        Self { id: id.into(), label, seat: None, symbol: None, value, most, options: Vec::new() }
    }

    /// One of several options.
    pub fn choice(id: impl Into<SmolStr>, label: Text, chosen: impl Into<i64>, options: Vec<Text>) -> Self {
        let most = options.len() as i64 - 1;
        Self { options, ..Self::number(id, label, chosen, most) }
    }

    /// The same field of a seat.
    #[must_use]
    pub fn of(self, seat: Seat) -> Self {
        Self { seat: Some(seat), ..self }
    }

    /// The same field with the symbol of one unit.
    #[must_use]
    pub fn with_symbol(self, symbol: impl Into<SmolStr>) -> Self {
        Self { symbol: Some(symbol.into()), ..self }
    }
}

/// The cells of an edit, and the rotation of the piece.
#[derive(Clone, Debug, PartialEq)]
pub struct Spot {
    /// The cells in the order of selection.
    pub cells: Vec<SmolStr>,
    /// The rotation, clockwise in degrees; `None` if it makes no difference.
    pub turn: Option<u16>,
    /// The pieces after the edit, for a faint preview.
    pub preview: Vec<Shared<Piece>>,
}

/// A position being set up.
pub trait Sketch {
    /// The position for drawing. Its actions are ignored.
    fn view(&self) -> View;

    /// The tray.
    fn tools(&self) -> Vec<Tool>;

    /// The numbers and choices beside the board.
    fn fields(&self) -> Vec<Field>;

    /// The cells where a tool may be put; whether it can, [`put`](Self::put) decides. By default each cell.
    fn spots(&self, _tool: &str, view: &View) -> Vec<Spot> {
        let cells = view.areas.iter().flat_map(|area| &area.cells).filter(|cell| cell.part_of.is_none());
        cells.map(|cell| Spot { cells: vec![cell.id.clone()], turn: None, preview: Vec::new() }).collect()
    }

    /// The text after a tool is put on cells.
    ///
    /// # Errors
    /// The reason if that is impossible; nothing changes.
    fn put(&self, tool: &str, cells: &[SmolStr], turn: Option<u16>) -> Result<String, Text>;

    /// The text after a field gets another value, which is from 0 to its maximum.
    ///
    /// # Errors
    /// The reason if that is impossible; nothing changes.
    fn set(&self, field: &str, value: i64) -> Result<String, Text>;

    /// The cells that a fault is about, beside those that it names.
    fn concerned(&self, _fault: &Text) -> Vec<SmolStr> {
        Vec::new()
    }

    /// The text with as few pieces as can be drawn.
    fn empty(&self) -> String;
}

/// A sketch as an editor shows it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SketchView {
    /// The position; its actions are the edits with the tool in hand.
    pub view: View,
    /// The tray.
    pub tools: Vec<Tool>,
    /// The numbers and choices beside the board.
    pub fields: Vec<Field>,
}

impl SketchView {
    /// The view of a sketch with a tool in hand.
    pub fn new(sketch: &dyn Sketch, tool: Option<&str>) -> Self {
        let mut view = sketch.view();
        let (tools, fields) = (sketch.tools(), sketch.fields());
        let edits = tools.iter().find(|known| tool == Some(known.id.as_str())).map(|tool| edits(sketch, tool, &view));
        view.actions = edits.unwrap_or_default();
        view.outcome = None;
        view.lines.clear();
        Self { view, tools, fields }
    }

    /// The cells that a fault of the sketch names or is about, in drawing order.
    pub fn cells_of(&self, sketch: &dyn Sketch, fault: &Text) -> Vec<SmolStr> {
        let concerned = sketch.concerned(innermost(fault));
        let cells = self.view.areas.iter().flat_map(|area| &area.cells);
        cells.map(|cell| cell.id.clone()).filter(|id| names(fault, id) || concerned.contains(id)).collect()
    }
}

/// The edits with a tool, as actions.
fn edits(sketch: &dyn Sketch, tool: &Tool, view: &View) -> Vec<Shared<ActionView>> {
    let spots = sketch.spots(&tool.id, view).into_iter();
    let possible = spots.filter(|spot| sketch.put(&tool.id, &spot.cells, spot.turn).is_ok());
    let action = |Spot { cells, turn, preview }: Spot| ActionView {
        token: format!("{}@{}/{}", tool.id, cells.join("/"), turn.unwrap_or_default()).into(),
        touches: cells,
        any_order: false,
        turn,
        label: tool.label.clone(),
        kind: "put".into(),
        preview,
        warning: None,
    };
    possible.map(action).map(Shared::from).collect()
}

/// A fault without the parts of the text in which it is (see [`within`](crate::notation::within)).
fn innermost(fault: &Text) -> &Text {
    match fault.params.get("fault") {
        Some(Param::Text(inner)) => innermost(inner),
        _ => fault,
    }
}

/// Whether a fault has the name of a cell among its parameters.
fn names(fault: &Text, cell: &SmolStr) -> bool {
    fault.params.values().any(|param| match param {
        Param::Raw(raw) => raw == cell,
        Param::Text(text) => names(text, cell),
        Param::Number(_) => false,
    })
}
