//! The features of a position for each seat: wins at hand and threats, counters that fit the goals, and mobility.
//!
//! A goal that is face down is *sleeping*.

use std::path::Path;

use tavola_core::{
    CancelToken, Evaluate, Features, Game, MAX_FEATURES, Options, PerfectResult, Seat, Solving, Text, features,
    solved_actions,
};

use crate::actions::Action;
use crate::board::{Cells, LINES, REACH};
use crate::pieces::{YELLOW, tile};
use crate::rules::{MOST_ACTIONS, Proteus};
use crate::solution::{self, Perfect};
use crate::state::{Board, FULL, State};
use crate::weights::FEATURES;

/// Within this many actions of the last one, the number of actions matters.
const NEAR_THE_LIMIT: u16 = 30;

/// The middle of the board: on most lines, and next to all cells.
const CENTRE: Cells = 0b000_010_000;

/// The size of each set of cells.
static SIZES: [u8; 512] = {
    let mut sizes = [0; 512];
    let mut cells = 0;
    while cells < 512usize {
        sizes[cells] = cells.count_ones() as u8;
        cells += 1;
    }
    sizes
};

fn size(cells: Cells) -> u8 {
    SIZES[usize::from(cells & FULL as Cells)]
}

/// The progress of a seat's counters towards one goal.
#[derive(Clone, Copy, Default)]
struct Fit {
    /// Groups (lines, colours, shapes) with two of the counters, whose third cell the rival does not hold.
    open: u8,
    /// Whether one has all three.
    three: bool,
}

impl Fit {
    #[inline]
    fn of(groups: impl IntoIterator<Item = Cells>, own: Cells, rivals: Cells) -> Self {
        groups.into_iter().fold(Self::default(), |fit, group| {
            let fitting = size(group & own);
            let open = fitting == 2 && group & rivals == 0;
            Self { open: fit.open + u8::from(open), three: fit.three || fitting == 3 }
        })
    }

    /// To each goal, by its number.
    #[inline]
    fn to_all(board: &Board, own: Cells, rivals: Cells) -> [Self; 3] {
        [
            Self::of(LINES, own, rivals),
            Self::of([0, 1, 2].map(|colour| board.coloured(colour)), own, rivals),
            Self::of([0, 1, 2].map(|shape| board.shaped(shape)), own, rivals),
        ]
    }
}

/// 1 if true, else 0.
fn indicator(so: bool) -> f32 {
    f32::from(u8::from(so))
}

impl Evaluate for Proteus {
    const FEATURES: &'static [&'static str] = FEATURES;

    fn solved(&self, state: &State) -> Option<PerfectResult> {
        let winners = self.openings.and_then(|known| known.winners(state));
        winners.map(|winners| PerfectResult { winners, actions: 0 }).or_else(|| self.perfect?.result(self, state))
    }

    fn solve(&self, options: &Options, work: &mut Solving<'_>) -> Result<(), Text> {
        solution::solve(self, &solution::header(options), work)
    }

    fn with_solution(&self, options: &Options, file: &Path) -> Result<Self, Text> {
        solution::check(self)?;
        let mut game = *self;
        game.perfect = Some(Perfect::open(self, &solution::header(options), file)?);
        Ok(game)
    }

    fn perfect_actions(&self, state: &State, stop: &CancelToken) -> Vec<Action> {
        let mut actions = Vec::new();
        self.legal_actions(state, &mut actions);
        match self.perfect {
            Some(perfect) if actions.len() > 1 => match solved_actions(self, state) {
                Some((_, best)) => best,
                None => perfect.best_placements(self, state, actions, stop),
            },
            _ => actions,
        }
    }

    fn features(&self, state: &State, seat: Seat) -> Features {
        let board = &state.board;
        let [own, rivals] = [seat, 1 - seat].map(|seat| board.counters_of(seat));
        let fits = Fit::to_all(board, own, rivals);
        let goal = board.up(YELLOW).map(|shape| self.faces.goals[usize::from(shape)] as usize);
        let (acts, centre) = (seat == state.seat, indicator(own & CENTRE != 0));
        let threes = fits.map(|fit| indicator(fit.three));
        let (all_threes, goal_three) = (threes.iter().sum::<f32>(), goal.map_or(0.0, |goal| threes[goal]));
        let open = fits.map(|fit| f32::from(fit.open));
        let Some(count) = state.count else {
            const BEFORE: usize = 15;
            let mut features = [0.0; MAX_FEATURES];
            features[BEFORE..BEFORE + 9].copy_from_slice(&[
                indicator(acts),
                f32::from(3 - size(own)),
                open[0],
                open[1],
                open[2],
                goal.map_or(0.0, |goal| open[goal]),
                all_threes,
                goal_three,
                centre,
            ]);
            return features;
        };
        let reach = &REACH[usize::from(board.ups() & 7)];
        let free = !board.occupied();
        let (mut moves, mut turns) = (0, 0);
        for shape in 0..3 {
            let from = usize::from(board.counter_cell(3 * seat + shape));
            let to = reach[from & 15] & free;
            moves += size(to);
            // The yellow tile of its own shape, if it would turn it up.
            let turning = to & board.shaped(shape) & board.coloured(YELLOW) != 0 && !board.is_up(tile(YELLOW, shape));
            turns += u8::from(turning);
        }
        let can_win = !acts || self.can_win(count + 1);
        let first = if can_win { self.find_win(board, seat) } else { None };
        let second = first.filter(|_| !acts).and_then(|_| self.find_other_win(board, seat, first));
        let active = |place: usize| if goal == Some(place) { open[place] } else { 0.0 };
        features([
            indicator(acts),
            indicator(acts && first.is_some()),
            indicator(!acts && first.is_some()),
            indicator(second.is_some()),
            goal_three,
            all_threes - goal_three,
            active(0),
            active(1),
            active(2),
            open[0] - active(0),
            open[1] - active(1),
            open[2] - active(2),
            f32::from(moves),
            centre,
            f32::from(turns),
        ])
    }

    fn weights(&self) -> &Features {
        self.weights
    }

    /// The past counts only when a position comes for the third time, the number of actions only near the last of them and
    /// before one that cannot win.
    fn evaluation_key(&self, state: &State) -> u64 {
        match state.count {
            Some(count) if count + NEAR_THE_LIMIT > MOST_ACTIONS || !self.can_win(count + 1) => self.key(state),
            _ => state.position().hash(),
        }
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::{Compiled, Notation, Options};

    use super::*;

    fn features_of(position: &str, seat: Seat) -> impl Fn(&str) -> u32 + use<> {
        let game = Proteus::new(&Options::new(Proteus::INFO, []).expect("the defaults"));
        let features = game.features(&game.parse_position(position).expect("a good position"), seat);
        move |name| features[Proteus::FEATURES.iter().position(|&known| known == name).expect("a feature")] as u32
    }

    #[test]
    fn a_win_at_hand_is_a_win_for_one_and_a_threat_for_the_other() {
        // King and Three in Line: Black's circle steps from c3 to b2, into the middle row; c1 is open too, but out of reach.
        let position = "Rs/Rc+:Wc/Bt+/Rt:Bt/Yc+/Bc:Bs/Yt:Ws/Ys:Wt/Bs:Bc B 16 -";
        let black = features_of(position, 0);
        assert_eq!((black("wins"), black("threatens"), black("open_line")), (1, 0, 2));
        let black = features_of(&position.replace(" B ", " W "), 0);
        assert_eq!((black("wins"), black("threatens")), (0, 1));
    }

    #[test]
    fn counters_on_a_face_down_goal_are_sleeping() {
        // Two of Black's counters stand on triangles; Shape lies under the yellow triangle, face down.
        let position = "Rc/Bt:Bs/Yc+:Wc/Bs+:Bt/Bc:Wt/Yt/Ys/Rt:Bc/Rs+:Ws B 18 -";
        let black = features_of(position, 0);
        assert_eq!((black("sleeping_open_shape"), black("turns_goal"), black("wins")), (1, 1, 1));
    }

    #[test]
    fn placing_has_features_of_its_own() {
        let black = features_of("Rc+:Bc/Bs/-/-/Yt:Wc/-/-/-/- W - -", 0);
        assert_eq!((black("placing_to_act"), black("placing_hand"), black("moves")), (0, 2, 0));
    }
}
