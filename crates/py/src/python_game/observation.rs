//! The observations of a Python game: its own planes, or its pieces, scores and supply.

use pyo3::intern;
use pyo3::prelude::*;
use tavola_core::{Actor, Observe, Plane, Seat};

use super::attach::attach;
use super::broken::{Broken, shown};
use super::fault::Fault;
use super::rules::{PlaneSpec, PythonGame, Rules};
use super::state::PythonState;

/// The number for a byte: negative numbers are 0, and large ones 255.
fn byte(number: i64) -> u8 {
    number.clamp(0, 255) as u8
}

impl Rules {
    /// The number of a seat's plane: the seat that observes is 0, and the others follow.
    fn relative(&self, seat: Seat, observer: Seat) -> usize {
        (usize::from(seat) + self.seats - usize::from(observer)) % self.seats
    }

    /// Writes the planes that the method `observation` of the state returns.
    fn own_observation(
        &self,
        object: &Bound<'_, PyAny>,
        planes: &[PlaneSpec],
        seat: Seat,
        out: &mut [u8],
    ) -> Result<(), Broken> {
        let py = object.py();
        let value = object
            .call_method1(intern!(py, "observation"), (seat,))
            .map_err(|error| Broken::raised(py, "`observation`", error))?;
        let wrong = || {
            let (count, cells) = (planes.len(), self.cells.len());
            let fault = Fault::new(
                "`observation` must return {count} sequences, each with one number for each of {cells} cells from 0 to \
                 the plane's largest value; not {value}",
            );
            Broken::new(fault.with("count", count).with("cells", cells).with("value", shown(&value)))
        };
        let rows: Vec<Vec<u8>> = value.extract().map_err(|_| wrong())?;
        let size = self.board.0 * self.board.1;
        let fits = |(row, plane): (&Vec<u8>, &PlaneSpec)| {
            row.len() == self.cells.len() && row.iter().all(|&number| number <= plane.high)
        };
        if rows.len() != planes.len() || !rows.iter().zip(planes).all(fits) {
            return Err(wrong());
        }
        for (row, out) in rows.iter().zip(out.chunks_mut(size)) {
            out[..row.len()].copy_from_slice(row);
        }
        Ok(())
    }

    /// Writes the pieces, the seat to act, the scores and the supply.
    fn default_observation(
        &self,
        state: &PythonState,
        object: &Bound<'_, PyAny>,
        seat: Seat,
        out: &mut [u8],
    ) -> Result<(), Broken> {
        let described = self.read(object)?;
        let size = self.board.0 * self.board.1;
        let (cells, scalars) = out.split_at_mut((self.seats + 2) * size);
        for piece in &described.pieces {
            let plane = piece.owner.map_or(self.seats, |owner| self.relative(owner, seat));
            let cell = self.cells[&piece.cell] as usize;
            let symbol = piece.symbol.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or(0);
            // The highest piece of a cell is the last one.
            (0..=self.seats).for_each(|plane| cells[plane * size + cell] = 0);
            cells[plane * size + cell] = byte(symbol + 1);
            cells[(self.seats + 1) * size + cell] = piece.level.saturating_add(1);
        }
        let mut scalars = scalars.iter_mut();
        let mut write = |number| *scalars.next().expect("one place for each plane") = number;
        write(match state.actor {
            Actor::Seat(acting) => byte(self.relative(acting, seat) as i64 + 1),
            Actor::Chance | Actor::Terminal => 0,
        });
        if self.has_scores {
            let score = |at: usize| described.scores.get((at + usize::from(seat)) % self.seats).copied();
            (0..self.seats).for_each(|at| write(byte(score(at).unwrap_or(0))));
        }
        for name in &self.supply {
            write(byte(described.supply.iter().find(|(known, _)| known == name).map_or(0, |&(_, value)| value)));
        }
        Ok(())
    }
}

impl Observe for PythonGame {
    fn board(&self) -> (usize, usize) {
        self.0.board
    }

    fn planes(&self) -> Vec<Plane> {
        let rules = &self.0;
        if let Some(planes) = &rules.planes {
            return planes
                .iter()
                .map(|plane| Plane::cells(plane.name.clone(), plane.high, plane.about.clone()))
                .collect();
        }
        let most = byte(rules.symbols.len() as i64).max(1);
        let mut planes: Vec<Plane> = (0..rules.seats)
            .map(|seat| match seat {
                0 => Plane::cells("own", most, "Your highest piece on each cell: the number of its symbol, from 1."),
                _ => Plane::cells(format!("seat_{seat}"), most, format!("The same for the seat {seat} after you.")),
            })
            .collect();
        planes.push(Plane::cells("neutral", most, "The same for pieces without a seat."));
        planes.push(Plane::cells("pieces", 255, "The number of pieces on each cell."));
        let to_act = "The seat to act, counted from 1 for you; 0 at chance and at the end.";
        planes.push(Plane::scalar("to_act", rules.seats as u8, to_act));
        if rules.has_scores {
            let score =
                |seat| Plane::scalar(format!("score_{seat}"), 255, format!("The score of the seat {seat} after you."));
            planes.extend((0..rules.seats).map(score));
        }
        let supply = rules.supply.iter().zip(0..);
        planes.extend(supply.map(|(name, at)| Plane::scalar(format!("supply_{at}"), 255, format!("{name}."))));
        planes
    }

    fn observe(&self, state: &PythonState, seat: Seat, out: &mut [u8]) {
        attach(|py| {
            if state.object.is_none(py) {
                return; // a failure replaced the state
            }
            let object = state.object.bind(py);
            let written = match &self.0.planes {
                Some(planes) => self.0.own_observation(object, planes, seat, out),
                None => self.0.default_observation(state, object, seat, out),
            };
            if let Err(broken) = written {
                self.0.failures.add(broken.what, state.text().to_owned(), broken.cause);
            }
        });
    }
}
