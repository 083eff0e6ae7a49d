//! A position as planes of numbers, and the eight symmetries of the square board.

use tavola_core::{Encode, Observe, Plane, Seat, Symmetry};

use crate::rules::TicTacToe;
use crate::state::{SQUARES, State};

/// The rows and columns of the board.
const SIDE: u8 = 3;

/// A map of the squares.
type Map = fn(u8) -> u8;

/// The generators of the symmetries: a quarter of a turn, and the reflection that exchanges rows and columns.
const GENERATORS: [(&str, Map); 2] = [
    ("rotate", |square| SIDE * (square % SIDE) + SIDE - 1 - square / SIDE),
    ("reflect", |square| SIDE * (square % SIDE) + square / SIDE),
];

impl Observe for TicTacToe {
    fn board(&self) -> (usize, usize) {
        (SIDE.into(), SIDE.into())
    }

    fn planes(&self) -> Vec<Plane> {
        vec![
            Plane::cells("own", 1, "An own mark is here."),
            Plane::cells("opponent", 1, "An opponent's mark is here."),
            Plane::scalar("to_act", 1, "1 if the own seat is to act, or would be if the game were not over."),
        ]
    }

    fn observe(&self, state: &State, seat: Seat, out: &mut [u8]) {
        let (marks, scalars) = out.split_at_mut(2 * usize::from(SQUARES));
        for (of, plane) in [seat, 1 - seat].into_iter().zip(marks.chunks_mut(SQUARES.into())) {
            for (square, value) in plane.iter_mut().enumerate() {
                *value = (state.marks[usize::from(of)] >> square & 1) as u8;
            }
        }
        scalars[0] = (state.seat() == seat).into();
    }

    fn symmetries(&self) -> Vec<Symmetry> {
        GENERATORS
            .map(|(name, map)| {
                let mut symmetry = Symmetry::identity(SQUARES.into(), self.planes().len(), self.action_count());
                for square in 0..SQUARES {
                    symmetry.cells[usize::from(map(square))] = square.into();
                }
                // An action has the number of its square.
                Symmetry { name: name.into(), actions: symmetry.cells.clone(), ..symmetry }
            })
            .into()
    }

    fn mirrored(&self, state: &State, generator: usize) -> State {
        let (_, map) = GENERATORS[generator];
        let image =
            |marks: u16| (0..SQUARES).filter(|square| marks >> square & 1 == 1).map(|square| 1 << map(square)).sum();
        State { marks: state.marks.map(image) }
    }
}
