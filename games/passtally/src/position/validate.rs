//! Reports every fault of a well-formed position text, field by field (rules 22).

use tavola_core::quote::quoted;
use tavola_core::{PositionError, Text};

use super::fields::{Actions, Fields, Given, Seen};
use crate::actions::PILES;
use crate::cells::{self, CELLS, Cell, SIDES, SIZE, Side, in_text_order, neighbour, opposite};
use crate::rim::{self, MARKERS, RIM_POSITIONS};
use crate::rules::{GOAL, IDLE, Passtally, TURN};
use crate::state::{PILE, SEATS, State};
use crate::tiles::{self, COPIES, NAMES, Placement};

/// The number of tiles, in the type of parsed numbers.
const TILES: u32 = tiles::TILES as u32;

/// A seat has no turn after the round in which it reaches 50, and a turn scores at most 15.
pub(crate) const MOST_POINTS: u32 = GOAL - 1 + 15;

pub(crate) type Cells = [Option<Seen>; CELLS as usize];

/// Append what is impossible about the well-formed fields.
pub(crate) fn validate(game: &Passtally, fields: &Fields, faults: &mut PositionError) {
    let check = Check { fields, seats: game.seats, head_start: game.head_start, faults };
    check.all();
}

/// The fields to validate, and the faults found.
struct Check<'a> {
    fields: &'a Fields,
    seats: u8,
    head_start: [u32; SEATS],
    faults: &'a mut PositionError,
}

impl Check<'_> {
    fn fault(&mut self, field: &'static str, fault: Text) {
        self.faults.add(field, fault);
    }

    fn all(mut self) {
        self.board();
        self.markers();
        self.points();
        self.piles();
        self.unseen();
        self.seat();
        self.actions();
        self.last();
        self.idle();
    }

    fn is_play(&self) -> bool {
        matches!(self.fields.actions, Some(Actions::Taken(_)))
    }

    fn is_over(&self) -> bool {
        self.fields.actions == Some(Actions::Over)
    }

    fn is_chance(&self) -> bool {
        matches!(self.fields.seat, Some(Given::Is((Some(_), _))))
    }

    /// The pile due and the seat, unless the field is malformed or contradicts the actions.
    fn turn(&self) -> Option<(Option<u8>, u8)> {
        self.fields.actions.as_ref()?;
        self.fields.seat?.value().filter(|_| !self.is_over())
    }

    /// The number of tiles placed, unless a pile has too many.
    fn tiles_placed(&self) -> Option<u32> {
        let tiles = |&(face, down): &(Option<u8>, u32)| down.saturating_add(u32::from(face.is_some()));
        let piles = self.fields.piles.as_ref()?;
        piles.iter().all(|pile| tiles(pile) <= PILE.into()).then(|| TILES - piles.iter().map(tiles).sum::<u32>())
    }

    /// The board, if every half tile that names its other half finds it.
    fn joined(&self) -> Option<&Cells> {
        self.fields.board.as_ref().filter(|board| is_joined(board))
    }

    fn used_up(&self) -> usize {
        self.fields.piles.iter().flatten().filter(|&&pile| pile == (None, 0)).count()
    }

    fn board(&mut self) {
        let Some(board) = &self.fields.board else { return };
        for cell in in_text_order().filter(|&cell| !finds_other_half(board, cell)) {
            self.fault("field.board", Text::new("fault.half").with("cell", cells::name(cell)));
        }
        let levels = || board.iter().flatten().map(|&(_, level, _)| level);
        if self.joined().is_some() {
            let highest = levels().max().unwrap_or(0);
            if highest > TILES {
                self.fault("field.board", Text::new("fault.level.high").with("level", highest).with("most", TILES));
            } else {
                for level in (1..=highest).filter(|&level| !is_made_of_tiles(board, level)) {
                    self.fault("field.board", Text::new("fault.level.parts").with("level", level));
                }
            }
        }
        if let Some(placed) = self.tiles_placed() {
            let sum: u64 = levels().map(u64::from).sum();
            if sum != 2 * u64::from(placed) {
                self.fault(
                    "field.board",
                    Text::new("fault.levels").with("sum", sum).with("wanted", 2 * placed).with("placed", placed),
                );
            }
        }
        if self.is_play() && self.joined().is_some_and(|board| !has_space(board)) {
            self.fault("field.board", Text::new("fault.no-space"));
        }
    }

    /// The markers placed and the sides named, if they agree.
    fn set_up(&self) -> Option<(u8, [Option<Side>; 2])> {
        let Some(Actions::SetUp { placed, named }) = &self.fields.actions else { return None };
        let placed = u8::try_from(*placed).ok().filter(|&placed| placed < MARKERS * self.seats)?;
        let named = (sides_named(placed, self.seats) == named.len() && are_apart(named)).then_some(named)?;
        Some((placed, [named.first().copied(), named.get(1).copied()]))
    }

    fn markers(&mut self) {
        let Some(markers) = &self.fields.markers else { return };
        for position in 0..RIM_POSITIONS {
            if markers.iter().flatten().filter(|&&other| other == position).count() > 1 {
                self.fault("field.markers", Text::new("fault.marker.twice").with("cell", rim::name(position)));
            }
        }
        if self.is_play() || self.is_over() {
            for (seat, own) in markers.iter().enumerate().filter(|(_, own)| own.len() != usize::from(MARKERS)) {
                self.fault(
                    "field.markers",
                    Text::new("fault.marker.count").with("count", own.len()).with("seat", seat).with("wanted", MARKERS),
                );
            }
        }
        let Some((placed, named)) = self.set_up() else { return };
        for (seat, own) in (0..).zip(markers) {
            for side in 0..4 {
                let there = own.iter().filter(|&&position| rim::side_of(position) == side).count();
                let rounds = (0..placed).filter(|&number| State::set_up_seat(number, self.seats) == seat);
                let due = rounds.filter(|&number| State::sides(number, named, self.seats) == 1 << side).count();
                if there != due {
                    let side = SIDES[side as usize];
                    self.fault(
                        "field.markers",
                        Text::new("fault.marker.side")
                            .with("count", there)
                            .with("seat", seat)
                            .with("side", side)
                            .with("wanted", due),
                    );
                }
            }
        }
    }

    fn points(&mut self) {
        let Some(points) = &self.fields.points else { return };
        for (seat, own) in points.iter().enumerate().filter(|&(_, &own)| own > MOST_POINTS) {
            self.fault(
                "field.points",
                Text::new("fault.points.high").with("points", *own).with("seat", seat).with("most", MOST_POINTS),
            );
        }
        if self.is_play()
            && let Some((_, turn)) = self.turn()
        {
            for (seat, _) in points.iter().enumerate().skip(turn.into()).filter(|&(_, &own)| own >= GOAL) {
                self.fault(
                    "field.points",
                    Text::new("fault.points.early").with("points", points[seat]).with("seat", seat),
                );
            }
        }
        for (seat, (own, least)) in points.iter().zip(self.head_start).enumerate() {
            let fault = if *own < least {
                Text::new("fault.points.low").with("least", least)
            } else if *own > least && self.tiles_placed() == Some(0) {
                Text::new("fault.points.none")
            } else {
                continue;
            };
            self.fault("field.points", fault.with("points", *own).with("seat", seat));
        }
    }

    fn piles(&mut self) {
        let Some(piles) = &self.fields.piles else { return };
        let sizes = || piles.iter().map(|&(face, down)| down.saturating_add(u32::from(face.is_some())));
        for (pile, size) in (1..).zip(sizes()).filter(|&(_, size)| size > PILE.into()) {
            self.fault("field.piles", Text::new("fault.pile.many").with("count", size).with("pile", pile));
        }
        if matches!(self.fields.actions, Some(Actions::SetUp { .. })) {
            for (pile, size) in (1..).zip(sizes()).filter(|&(_, size)| size < PILE.into()) {
                self.fault("field.piles", Text::new("fault.pile.few").with("count", size).with("pile", pile));
            }
        }
        self.unturned(piles);
        if self.is_play() && self.used_up() == piles.len() {
            self.fault("field.piles", Text::new("fault.piles.used"));
        }
        self.used_up_in_time();
    }

    /// A pile lacks a face-up tile only while chance must reveal one.
    fn unturned(&mut self, piles: &[(Option<u8>, u32)]) {
        let unturned: Vec<u8> = (0..PILES)
            .zip(piles)
            .filter(|&(_, &(face, down))| face.is_none() && down > 0)
            .map(|(pile, _)| pile)
            .collect();
        let due: Vec<u8> = match (&self.fields.actions, self.fields.seat) {
            (Some(Actions::Over), Some(Given::Not)) => {
                let Some(board) = self.joined() else { return };
                let allowed = usize::from(!has_space(board));
                if unturned.len() <= allowed { unturned.clone() } else { Vec::new() }
            }
            (Some(Actions::SetUp { .. }), Some(Given::Is((Some(pile), _)))) => (pile..PILES).collect(),
            (Some(Actions::Taken(_)), Some(Given::Is((Some(pile), _)))) => vec![pile],
            (Some(Actions::SetUp { .. } | Actions::Taken(_)), Some(Given::Is((None, _)))) => Vec::new(),
            _ => return,
        };
        for pile in 0..PILES {
            match (due.contains(&pile), unturned.contains(&pile)) {
                (true, false) => self.fault("field.piles", Text::new("fault.pile.turned").with("pile", pile + 1)),
                (false, true) => self.fault("field.piles", Text::new("fault.pile.unturned").with("pile", pile + 1)),
                _ => {}
            }
        }
    }

    /// Only tiles of the last round use up a pile, and idle moves follow them.
    fn used_up_in_time(&mut self) {
        let Some((due, seat)) = self.turn() else { return };
        let (Some(taken), Some(Given::Is(idle))) = (self.taken(), self.fields.idle) else { return };
        let used_up = self.used_up();
        let after = used_up as u64 + u64::from(idle) + u64::from(due.is_some());
        if used_up > 0 && after > u64::from(TURN * seat + taken) {
            self.fault("field.piles", Text::new("fault.piles.early").with("count", used_up));
        }
    }

    fn unseen(&mut self) {
        let Some(unseen) = &self.fields.unseen else { return };
        if self.tiles_placed().is_some() {
            let down: u32 = self.fields.piles.iter().flatten().map(|&(_, down)| down).sum();
            let sum: u64 = unseen.iter().map(|&copies| u64::from(copies)).sum();
            if sum != u64::from(down) {
                self.fault("field.unseen", Text::new("fault.unseen").with("count", sum).with("wanted", down));
            }
        }
        let (Some(board), Some(piles)) = (self.joined(), &self.fields.piles) else { return };
        let mut copies: Vec<u64> = unseen.iter().map(|&copies| copies.into()).collect();
        for tile_type in piles.iter().filter_map(|&(face, _)| face).chain(whole_tiles(board)) {
            copies[tile_type as usize] += 1;
        }
        for (copies, name) in copies.into_iter().zip(NAMES).filter(|&(copies, _)| copies > COPIES.into()) {
            self.fault("field.unseen", Text::new("fault.copies").with("count", copies).with("name", name));
        }
    }

    fn seat(&mut self) {
        let (Some(seat), Some(_)) = (self.fields.seat, &self.fields.actions) else { return };
        match (seat, self.is_over()) {
            (Given::Not, false) => self.fault("field.seat", Text::new("fault.in-progress")),
            (Given::Is((_, seat)), true) => self.fault("field.seat", Text::new("fault.over").with("given", seat)),
            _ => {}
        }
        let (Some(Actions::SetUp { placed, .. }), Given::Is((due, seat))) = (&self.fields.actions, seat) else {
            return;
        };
        let Some(placed) = u8::try_from(*placed).ok().filter(|&placed| placed < MARKERS * self.seats) else { return };
        if seat != State::set_up_seat(placed, self.seats) {
            self.fault("field.seat", Text::new("fault.set-up.seat").with("seat", seat));
        }
        if due.is_some() && placed > 0 {
            self.fault("field.seat", Text::new("fault.chance"));
        }
    }

    /// The number of actions taken in the turn, if it is possible.
    fn taken(&self) -> Option<u8> {
        let Some(Actions::Taken(taken)) = self.fields.actions else { return None };
        self.turn()?;
        let possible = if self.is_chance() { 1..=TURN } else { 0..=TURN - 1 };
        possible.contains(&taken).then_some(taken)
    }

    fn actions(&mut self) {
        match &self.fields.actions {
            Some(Actions::SetUp { placed, named }) => {
                let sides: String = named.iter().map(|&side| SIDES[side as usize]).collect();
                let placed = *placed;
                if placed >= u32::from(MARKERS * self.seats) {
                    self.fault("field.actions", Text::new("fault.set-up.markers").with("count", placed));
                } else if self.set_up().is_none() {
                    self.fault(
                        "field.actions",
                        Text::new("fault.set-up.sides").with("sides", quoted(&sides)).with("count", placed),
                    );
                }
            }
            Some(Actions::Taken(taken)) if self.turn().is_some() && self.taken().is_none() => {
                self.fault("field.actions", Text::new("fault.taken").with("count", *taken));
            }
            _ => {}
        }
    }

    fn last(&mut self) {
        let (Some(last), Some(points), Some(_), Some(_)) =
            (self.fields.last, &self.fields.points, &self.fields.actions, &self.fields.piles)
        else {
            return;
        };
        let known = self.is_over() || self.used_up() > 0 || points.iter().any(|&own| own >= GOAL);
        match (last, known) {
            (true, false) => self.fault("field.last", Text::new("fault.last.early")),
            (false, true) => self.fault("field.last", Text::new("fault.last.missing")),
            _ => {}
        }
    }

    fn idle(&mut self) {
        let (Some(idle), Some(_)) = (self.fields.idle, &self.fields.actions) else { return };
        let idle = match (idle, self.is_over()) {
            (Given::Not, true) => return,
            (Given::Not, false) => return self.fault("field.idle", Text::new("fault.in-progress")),
            (Given::Is(idle), true) => return self.fault("field.idle", Text::new("fault.over").with("given", idle)),
            (Given::Is(idle), false) => idle,
        };
        let Some((due, seat)) = self.turn() else {
            // No seat moves a marker in the set-up.
            return;
        };
        if !self.is_play() {
            if idle > 0 {
                self.fault("field.idle", Text::new("fault.idle.set-up").with("count", idle));
            }
            return;
        }
        let Some(taken) = self.taken() else { return };
        if due.is_some() {
            if idle > 0 {
                self.fault("field.idle", Text::new("fault.idle.tile").with("count", idle));
            }
            return;
        }
        if idle > u32::from(IDLE - 1 + taken) {
            let key = if taken == 0 { "fault.idle.start" } else { "fault.idle.within" };
            self.fault("field.idle", Text::new(key).with("count", idle));
        }
        if self.tiles_placed() == Some(0) {
            let before = idle.checked_sub(taken.into()).filter(|before| before % 2 == 0);
            if before.is_none_or(|before| before / 2 % u32::from(self.seats) != u32::from(seat)) {
                self.fault(
                    "field.idle",
                    Text::new("fault.idle.no-tile").with("count", idle).with("seat", seat).with("taken", taken),
                );
            }
        }
    }
}

/// The number of sides that seat 0 has named once `placed` markers are placed.
fn sides_named(placed: u8, seats: u8) -> usize {
    usize::from(placed > 0) + usize::from(placed > 2 * seats)
}

fn are_apart(named: &[Side]) -> bool {
    !matches!(named, [one, other] if one % 2 == other % 2)
}

/// Whether every half tile that names its other half finds it.
pub(crate) fn is_joined(board: &Cells) -> bool {
    (0..CELLS).all(|cell| finds_other_half(board, cell))
}

/// Whether a half tile finds its other half on the side that it names. True for all other cells.
fn finds_other_half(board: &Cells, cell: Cell) -> bool {
    let Some((_, level, Some(side))) = board[cell as usize] else { return true };
    let other = neighbour(cell, side).and_then(|other| board[other as usize]);
    other.is_some_and(|(_, height, joint)| height == level && joint == Some(opposite(side)))
}

fn level_of(board: &Cells, cell: Cell) -> u32 {
    board[cell as usize].map_or(0, |(_, level, _)| level)
}

fn joins(board: &Cells, cell: Cell, side: Side) -> bool {
    board[cell as usize].is_some_and(|(_, _, joint)| joint == Some(side))
}

/// The types of the tiles with both halves visible.
fn whole_tiles(board: &Cells) -> impl Iterator<Item = u8> {
    (0..cells::PAIRS).filter_map(|pair| {
        let (one, other) = cells::cells_of(pair);
        let side = if cells::is_upright(pair) { 2 } else { 1 };
        if !joins(board, one, side) {
            return None;
        }
        Some(Placement::of_shapes(pair, [board[one as usize]?.0, board[other as usize]?.0]).tile_type)
    })
}

/// Whether a tile can be placed anywhere (rules 10).
fn has_space(board: &Cells) -> bool {
    (0..cells::PAIRS).any(|pair| {
        let (one, other) = cells::cells_of(pair);
        let side = if cells::is_upright(pair) { 2 } else { 1 };
        level_of(board, one) == level_of(board, other) && !joins(board, one, side)
    })
}

/// Whether tiles of a level can cover exactly the cells that reach this level.
fn is_made_of_tiles(board: &Cells, level: u32) -> bool {
    let in_it = |cell: Cell| level_of(board, cell) >= level;
    let is_first = |cell: Cell| (cell / SIZE + cell % SIZE).is_multiple_of(2);
    let firsts: Vec<Cell> = (0..CELLS).filter(|&cell| in_it(cell) && is_first(cell)).collect();
    if 2 * firsts.len() != (0..CELLS).filter(|&cell| in_it(cell)).count() {
        return false;
    }
    let mut matched = [None; CELLS as usize];
    firsts.iter().all(|&cell| augment(board, level, cell, &mut [false; CELLS as usize], &mut matched))
}

/// Match a cell by an augmenting path. `matched` contains the partner of each second cell.
fn augment(board: &Cells, level: u32, cell: Cell, seen: &mut [bool], matched: &mut [Option<Cell>]) -> bool {
    for side in 0..4 {
        let Some(other) = neighbour(cell, side).filter(|&other| can_be_tile(board, level, cell, other, side)) else {
            continue;
        };
        if std::mem::replace(&mut seen[other as usize], true) {
            continue;
        }
        if matched[other as usize].is_none_or(|owner| augment(board, level, owner, seen, matched)) {
            matched[other as usize] = Some(cell);
            return true;
        }
    }
    false
}

/// Whether a tile of that level, visible or covered, can lie on a cell and its neighbour on a side.
fn can_be_tile(board: &Cells, level: u32, cell: Cell, other: Cell, side: Side) -> bool {
    let (height, other_height) = (level_of(board, cell), level_of(board, other));
    let alone = |cell: Cell| board[cell as usize].is_some_and(|(_, _, joint)| joint.is_none());
    match (height == level, other_height == level) {
        _ if other_height < level => false,
        (true, true) => joins(board, cell, side),
        (true, false) => alone(cell),
        (false, true) => alone(other),
        // A tile never covers exactly one tile.
        (false, false) => !(height == level + 1 && other_height == level + 1 && joins(board, cell, side)),
    }
}
