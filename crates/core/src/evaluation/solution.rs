//! Solving a game, and perfect play by its solution.

use std::num::NonZeroUsize;
use std::path::Path;

use crate::cancel::CancelToken;
use crate::evaluation::Evaluate;
use crate::game::{Actor, Seat, SeatSet};
use crate::text::Text;

/// The work of solving a game.
pub struct Solving<'a> {
    /// The file of the solution. A folder beside it has results that are needed during the work.
    pub file: &'a Path,
    /// The number of threads.
    pub threads: NonZeroUsize,
    /// The memory of the machine in bytes, if known.
    pub memory: Option<u64>,
    /// Gets each completed step, as a text of the core.
    pub report: &'a mut (dyn FnMut(&Text) + Send),
    /// Ends the work early.
    pub stop: &'a CancelToken,
}

/// The result of a position if all seats play perfectly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PerfectResult {
    /// None for a draw.
    pub winners: SeatSet,
    /// The number of actions until the winners have won; 0 if it is unknown.
    pub actions: u8,
}

impl PerfectResult {
    /// The value for a seat, higher for a better result: a win before a draw, a win of fewer seats, a fast win and a late
    /// loss.
    fn rank(self, seat: Seat) -> i32 {
        const WON: i32 = 1 << 16;
        const SHARED: i32 = 1 << 8;
        let (winners, actions) = (self.winners.len() as i32, i32::from(self.actions));
        match winners {
            0 => 0,
            _ if self.winners.contains(seat) => WON - winners * SHARED - actions,
            _ => actions - WON,
        }
    }
}

/// The winners if all seats play perfectly, none for a draw, and the actions with the best result for the seat to act.
///
/// They win fastest, keep a draw, or lose last. `None` if no solution [tells](Evaluate::solved) the result of each action.
pub fn solved_actions<G: Evaluate>(game: &G, state: &G::State) -> Option<(SeatSet, Vec<G::Action>)> {
    let Actor::Seat(seat) = game.to_act(state) else { return None };
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    let result = |&action: &G::Action| {
        let mut after = state.clone();
        game.play_unchecked(&mut after, action);
        let ended = game.outcome(&after).map(|outcome| PerfectResult { winners: outcome.winners, actions: 0 });
        ended.or_else(|| game.solved(&after))
    };
    let results = actions.iter().map(result).collect::<Option<Vec<_>>>()?;
    let best = *results.iter().max_by_key(|result| result.rank(seat))?;
    let is_best = |result: &PerfectResult| result.rank(seat) == best.rank(seat);
    let best_actions = actions.into_iter().zip(results).filter(|(_, result)| is_best(result));
    Some((best.winners, best_actions.map(|(action, _)| action).collect()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_better_result_has_a_higher_rank() {
        let shared = SeatSet::one(0).with(2);
        let of = |winners: SeatSet, actions| PerfectResult { winners, actions };
        let results = [
            of(SeatSet::one(2), 0),
            of(SeatSet::one(2), 1),
            of(SeatSet::one(2), 255),
            of(shared, 0),
            of(shared, 255),
            of(SeatSet::EMPTY, 0),
            of(SeatSet::one(1), 255),
            of(SeatSet::one(1), 1),
        ];
        assert!(results.is_sorted_by(|one, other| one.rank(2) > other.rank(2)));
        assert_eq!(of(SeatSet::EMPTY, 9).rank(2), of(SeatSet::EMPTY, 1).rank(2));
    }
}
