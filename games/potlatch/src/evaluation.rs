//! What a position is worth to each seat: stacks, those that will last, those to come, and where the pawn can go.

use tavola_core::{Evaluate, Features, Game, MAX_SEATS, Seat, features, weighted};

use crate::rules::{MOST_TURNS, Potlatch, STACKS_TO_WIN};
use crate::stacks::{BLANK, Stacks, TileSet};
use crate::state::{MOST_TILES, State};
use crate::weights;

/// So many turns before the last one the game is played otherwise.
const NEAR_THE_LIMIT: u8 = 20;

/// The ground that pawns walk on, with the stacks as the open run will leave them.
struct Ground<'a> {
    state: &'a State,
    stacks: Stacks,
    /// Where a pawn cannot go: the blank hexes once all tiles are laid.
    closed: TileSet,
}

impl Ground<'_> {
    /// The tiles beside a tile to which a pawn can step.
    #[inline]
    fn steps(&self, from: u8) -> TileSet {
        let level = self.stacks.level_with(self.stacks.height(from)).without(self.closed);
        let neighbours = self.state.neighbours[usize::from(from)];
        (0..6).fold(TileSet::EMPTY, |all, direction| all.with((neighbours >> (4 * direction) & 15) as u8)).and(level)
    }

    /// The tiles that a pawn can be on after each number of steps or fewer, from 0 on.
    fn reach(&self, pawn: u8, barred: TileSet, steps: u8) -> [TileSet; 4] {
        let mut reached = [TileSet::one(pawn); 4];
        let mut edge = TileSet::one(pawn);
        for step in 1..=usize::from(steps) {
            let mut next = TileSet::EMPTY;
            while let Some(tile) = edge.first() {
                edge = edge.without(TileSet::one(tile));
                if usize::from(tile) < MOST_TILES {
                    next = next.or(self.steps(tile));
                }
            }
            edge = next.without(barred.or(reached[step - 1]));
            let all = reached[step - 1].or(edge);
            reached[step..].fill(all);
        }
        reached
    }
}

/// What both seats' features are counted from.
struct Sight<'a> {
    ground: Ground<'a>,
    /// For each seat the tiles on which its pawn can be after so many steps of its turn.
    reach: [[TileSet; 4]; 2],
}

/// A truth as a number.
fn told(so: bool) -> f32 {
    f32::from(u8::from(so))
}

impl Potlatch {
    /// How many actions a seat has in this turn, or will have in its next.
    const fn actions_left(&self, state: &State, seat: Seat) -> u8 {
        if seat == state.seat() { self.actions - state.taken } else { self.actions }
    }

    fn sight<'a>(&self, state: &'a State) -> Sight<'a> {
        let closed = if self.tile_left(state) { TileSet::EMPTY } else { TileSet::one(BLANK) };
        let ground = Ground { state, stacks: state.increased(), closed };
        let reach = [0, 1].map(|seat| {
            let rival = TileSet::one(state.pawns[usize::from(1 - seat)]);
            let barred = if seat == state.seat() { state.visited.or(rival) } else { rival };
            ground.reach(state.pawns[usize::from(seat)], barred, self.actions_left(state, seat))
        });
        Sight { ground, reach }
    }

    fn features_in(&self, sight: &Sight, seat: Seat) -> Features {
        let Sight { ground: Ground { state, stacks, .. }, reach } = sight;
        let [own, rivals] = [seat, 1 - seat].map(|seat| stacks.of_seat(seat));
        let [mine, theirs] = [seat, 1 - seat].map(|seat| &reach[usize::from(seat)]);
        let pawn = state.pawns[usize::from(seat)];
        let acts = seat == state.seat();
        // A stack is broken by who stands on it with one action left (rules 8).
        let left = usize::from(self.actions_left(state, 1 - seat));
        let broken = theirs[left - 1];
        let [count, lasting] = [own, own.without(broken)].map(TileSet::len);
        let left = usize::from(self.actions_left(state, seat));
        let ripe = mine[left].without(TileSet::one(pawn)).and(stacks.ripe()).len().min(left as u8);
        let chips = stacks.height(pawn);
        let steps = mine[1].len() - 1;
        features([
            told(acts),
            if acts { f32::from(state.taken) } else { 0.0 },
            told(count >= 1),
            told(count >= 2),
            told(count >= STACKS_TO_WIN),
            f32::from(lasting),
            told(lasting >= 2),
            told(lasting >= STACKS_TO_WIN),
            told(ripe >= 1),
            told(ripe >= 2),
            told(lasting + ripe >= STACKS_TO_WIN),
            f32::from(chips),
            f32::from(steps),
            told(steps == 0 && chips == 0),
            f32::from(mine[left].len()),
            told(own.contains(pawn)),
            told(rivals.contains(pawn)),
        ])
    }
}

impl Evaluate for Potlatch {
    const FEATURES: &'static [&'static str] = weights::FEATURES;

    fn features(&self, state: &State, seat: Seat) -> Features {
        self.features_in(&self.sight(state), seat)
    }

    fn logits(&self, state: &State) -> [f32; MAX_SEATS] {
        let sight = self.sight(state);
        let mut logits = [0.0; MAX_SEATS];
        for seat in [0, 1] {
            logits[usize::from(seat)] = weighted(&self.features_in(&sight, seat), self.weights);
        }
        logits
    }

    fn weights(&self) -> &Features {
        self.weights
    }

    /// With three actions a turn is long, and what it can bring is seen only by looking at all of it; with two, neither
    /// method is stronger (`docs/explanation/search.md`).
    fn prefers_alpha_beta(&self, _state: &State) -> bool {
        self.actions == 3
    }

    /// Of the past only the last starts count, which decide on a standstill; of the turns, how many are left near the end.
    fn evaluation_key(&self, state: &State) -> u64 {
        if state.turns + NEAR_THE_LIMIT > MOST_TURNS { self.key(state) } else { state.evaluation_key() }
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::{Actor, Game, Notation, Options, Playout, Random};

    use super::*;

    fn game(options: &str) -> Potlatch {
        Potlatch::new(&Options::parse(Potlatch::INFO, options).expect("valid options"))
    }

    fn feature(name: &str, position: &str, seat: Seat) -> u32 {
        let game = game("actions=2");
        let state = game.parse_position(position).expect("a good position");
        let place = Potlatch::FEATURES.iter().position(|&known| known == name).expect("a feature");
        game.features(&state, seat)[place] as u32
    }

    #[test]
    fn what_can_be_broken_does_not_last() {
        // Red, on height 2 beside it, can climb the stack of Blue's and take a chip off.
        let position = "1,-1:1;0,0:2;1,0:3b;1,1:1 0,0;1,-1 R 0 0,0 0 12 -";
        assert_eq!(feature("stacks_1", position, 1), 1);
        assert_eq!(feature("lasting", position, 1), 0);
        // From height 1 it is too steep.
        let position = "1,-1:1;0,0:1;1,0:3b;1,1:1 0,0;1,-1 R 0 0,0 0 12 -";
        assert_eq!(feature("lasting", position, 1), 1);
    }

    #[test]
    fn twos_in_reach_are_stacks_to_come() {
        let position = "0,-1:3r;1,-1:0;0,0:1;1,0:2;1,1:2 0,0;1,-1 R 0 0,0 0 12 -";
        assert_eq!(feature("ripe_near_2", position, 0), 1);
        assert_eq!(feature("could_win", position, 0), 1);
        assert_eq!(feature("ripe_near_1", position, 1), 0);
    }

    /// What the rules find when they walk is what the reach says.
    #[test]
    fn the_reach_is_where_walks_lead() {
        fn walk(game: &Potlatch, state: &State, seat: Seat, reached: &mut TileSet) {
            *reached = reached.with(state.pawns[usize::from(seat)]);
            let mut actions = Vec::new();
            game.legal_actions(state, &mut actions);
            for action in actions.into_iter().filter(|action| action.kind() == crate::ActionKind::PawnMove) {
                let mut after = state.clone();
                game.play_unchecked(&mut after, action);
                if state.seat() == after.seat() && game.to_act(&after) != Actor::Terminal {
                    walk(game, &after, seat, reached);
                } else {
                    *reached = reached.with(after.pawns[usize::from(seat)]);
                }
            }
        }
        let mut random = Random::new(3);
        for options in ["actions=2", "actions=3"] {
            let game = game(options);
            for _ in 0..60 {
                let mut state = game.start();
                while game.to_act(&state) != Actor::Terminal {
                    // With all tiles laid, and at the start of a turn, where no increase is ahead.
                    if state.taken == 0 && !game.tile_left(&state) {
                        let seat = state.seat();
                        let mut reached = TileSet::EMPTY;
                        walk(&game, &state, seat, &mut reached);
                        assert_eq!(
                            game.sight(&state).reach[usize::from(seat)][usize::from(game.actions)],
                            reached,
                            "{state:?}"
                        );
                    }
                    game.play_random_action(&mut state, &mut random);
                }
            }
        }
    }
}
