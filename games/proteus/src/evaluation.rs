//! What a position is worth to each seat: wins at hand, threats, what fits the goals that are on and those that lie
//! face down, and how freely the counters move.

use std::sync::LazyLock;

use tavola_core::{Evaluate, Features, Game, Options, Seat, Weights, features};

use crate::board::{Cells, LINES, REACH, each};
use crate::pieces::{Goal, YELLOW};
use crate::rules::{MOST_ACTIONS, Proteus};
use crate::state::{Board, FULL, State};

static WEIGHTS: LazyLock<Weights> =
    LazyLock::new(|| Weights::compiled_in(include_str!("../weights.json"), Proteus::FEATURES));

/// The weights under these options.
pub(crate) fn weights(options: &Options) -> &'static Features {
    WEIGHTS.under(options)
}

/// So many actions before the last one the game is played otherwise.
const NEAR_THE_LIMIT: u16 = 30;

/// The middle of the board: on most lines, and next to all cells.
const CENTRE: Cells = 0b000_010_000;

/// How many members each set of cells has.
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

/// How far a seat's counters fit one goal.
#[derive(Clone, Copy, Default)]
struct Fit {
    /// Groups (lines, colours, shapes) with two of the counters.
    twos: u8,
    /// Those of them whose third cell the rival does not hold.
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
            Self {
                twos: fit.twos + u8::from(fitting == 2),
                open: fit.open + u8::from(open),
                three: fit.three || fitting == 3,
            }
        })
    }

    #[inline]
    fn to(board: &Board, goal: Goal, own: Cells, rivals: Cells) -> Self {
        match goal {
            Goal::Line => Self::of(LINES, own, rivals),
            Goal::Color => Self::of([0, 1, 2].map(|colour| board.coloured(colour)), own, rivals),
            Goal::Shape => Self::of([0, 1, 2].map(|shape| board.shaped(shape)), own, rivals),
        }
    }
}

/// A truth as a number.
fn told(so: bool) -> f32 {
    f32::from(u8::from(so))
}

impl Evaluate for Proteus {
    const FEATURES: &'static [&'static str] = &[
        "to_act",
        "wins",
        "threatens",
        "two",
        "open_twos",
        "three",
        "sleeping_two",
        "sleeping_three",
        "moves",
        "centre",
        "turns",
        "placing_to_act",
        "placing_hand",
        "placing_two",
        "placing_open_twos",
        "placing_three",
        "placing_goal_two",
        "placing_goal_three",
        "placing_centre",
    ];

    fn features(&self, state: &State, seat: Seat) -> Features {
        let board = &state.board;
        let [own, rivals] = [seat, 1 - seat].map(|seat| board.counters_of(seat));
        let up = board.up(YELLOW);
        let fits = [0, 1, 2].map(|shape: u8| Fit::to(board, self.faces.goals[usize::from(shape)], own, rivals));
        let goal = up.map_or_else(Fit::default, |shape| fits[usize::from(shape)]);
        let sleeping = || (0..3).filter(|&shape| Some(shape) != up).map(|shape| fits[usize::from(shape)]);
        let (acts, centre) = (told(seat == state.seat), told(own & CENTRE != 0));
        if state.count.is_none() {
            let twos = fits.iter().map(|fit| fit.twos).sum::<u8>();
            let open = fits.iter().map(|fit| fit.open).sum::<u8>();
            let threes = fits.iter().map(|fit| told(fit.three)).sum();
            return features([
                0.0,
                0.0,
                0.0,
                0.0,
                0.0,
                0.0,
                0.0,
                0.0,
                0.0,
                0.0,
                0.0,
                acts,
                f32::from(3 - size(own)),
                f32::from(twos),
                f32::from(open),
                threes,
                told(goal.twos > 0),
                told(goal.three),
                centre,
            ]);
        }
        let reach = &REACH[usize::from(board.ups() & 7)];
        let free = !board.occupied();
        let (mut moves, mut turns) = (0, 0);
        for shape in 0..3 {
            let from = usize::from(board.counter_cell(3 * seat + shape));
            let to = reach[from & 15] & free;
            moves += size(to);
            // Tiles of its own shape that it would turn up.
            let down =
                each(to & board.shaped(shape)).filter(|&cell| board.tile(cell).is_some_and(|tile| !board.is_up(tile)));
            turns += down.count();
        }
        let wins = self.winning_deed(board, seat).is_some();
        features([
            acts,
            told(wins) * acts,
            told(wins) * (1.0 - acts),
            told(goal.twos > 0),
            f32::from(goal.open),
            told(goal.three),
            sleeping().map(|fit| told(fit.twos > 0)).sum(),
            sleeping().map(|fit| told(fit.three)).sum(),
            f32::from(moves),
            centre,
            turns as f32,
        ])
    }

    fn weights(&self) -> &Features {
        self.weights
    }

    /// The past counts only when a position comes for the third time, the number of actions only near the last of them.
    fn likeness(&self, state: &State) -> u64 {
        match state.count {
            Some(count) if count + NEAR_THE_LIMIT > MOST_ACTIONS => self.key(state),
            _ => state.position().hash(),
        }
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::{Game, Notation, Options};

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
        assert_eq!((black("wins"), black("threatens"), black("open_twos")), (1, 0, 2));
        let black = features_of(&position.replace(" B ", " W "), 0);
        assert_eq!((black("wins"), black("threatens")), (0, 1));
    }

    #[test]
    fn what_fits_a_goal_that_lies_face_down_sleeps() {
        // Two of Black's counters stand on triangles; Shape lies under the yellow triangle, face down.
        let position = "Rc/Bt:Bs/Yc+:Wc/Bs+:Bt/Bc:Wt/Yt/Ys/Rt:Bc/Rs+:Ws B 18 -";
        let black = features_of(position, 0);
        assert_eq!((black("sleeping_two"), black("turns"), black("wins")), (2, 1, 1));
    }

    #[test]
    fn placing_has_features_of_its_own() {
        let black = features_of("Rc+:Bc/Bs/-/-/Yt:Wc/-/-/-/- W - -", 0);
        assert_eq!((black("placing_to_act"), black("placing_hand"), black("moves")), (0, 2, 0));
    }
}
