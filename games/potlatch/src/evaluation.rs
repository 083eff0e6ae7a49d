//! The evaluation: stacks, lasting stacks, stacks within reach, and the mobility of the pawn.

use tavola_core::{Evaluate, Features, Game, MAX_SEATS, Seat, features, weighted};

use crate::rules::{MOST_TURNS, Potlatch, STACKS_TO_WIN};
use crate::stacks::{BLANK, Stacks, TileSet};
use crate::state::{MOST_TILES, State};
use crate::weights;

/// The number of turns before the turn limit in which the limit affects play.
const NEAR_THE_LIMIT: u8 = 20;

/// The board for pawn moves, with the stacks after the open run's increase.
struct Ground<'a> {
    state: &'a State,
    stacks: Stacks,
    /// The tiles closed to pawns: blank hexes once all tiles are placed.
    closed: TileSet,
}

impl Ground<'_> {
    /// The neighbours of a tile to which a pawn can move.
    #[inline]
    fn steps(&self, from: u8) -> TileSet {
        let level = self.stacks.level_with(self.stacks.height(from)).without(self.closed);
        let neighbours = self.state.neighbours[usize::from(from)];
        (0..6).fold(TileSet::EMPTY, |all, direction| all.with((neighbours >> (4 * direction) & 15) as u8)).and(level)
    }

    /// The tiles that a pawn can reach within 0, 1, 2 and 3 steps.
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

/// The data that both seats' features are computed from.
struct FeatureData<'a> {
    ground: Ground<'a>,
    /// For each seat, the tiles that its pawn can reach within 0 to 3 steps of its turn.
    reach: [[TileSet; 4]; 2],
}

/// 1 if true, else 0.
fn as_number(so: bool) -> f32 {
    f32::from(u8::from(so))
}

impl Potlatch {
    /// The number of actions that a seat has left in this turn, or has in its next one.
    const fn actions_left(&self, state: &State, seat: Seat) -> u8 {
        if seat == state.seat() { self.actions - state.taken } else { self.actions }
    }

    fn data<'a>(&self, state: &'a State) -> FeatureData<'a> {
        let closed = if self.tile_left(state) { TileSet::EMPTY } else { TileSet::one(BLANK) };
        let ground = Ground { state, stacks: state.increased(), closed };
        let reach = [0, 1].map(|seat| {
            let rival = TileSet::one(state.pawns[usize::from(1 - seat)]);
            let barred = if seat == state.seat() { state.visited.or(rival) } else { rival };
            ground.reach(state.pawns[usize::from(seat)], barred, self.actions_left(state, seat))
        });
        FeatureData { ground, reach }
    }

    fn features_in(&self, data: &FeatureData, seat: Seat) -> Features {
        let FeatureData { ground: Ground { state, stacks, .. }, reach } = data;
        let [own, rivals] = [seat, 1 - seat].map(|seat| stacks.of_seat(seat));
        let [mine, theirs] = [seat, 1 - seat].map(|seat| &reach[usize::from(seat)]);
        let pawn = state.pawns[usize::from(seat)];
        let acts = seat == state.seat();
        // A seat breaks a stack if its pawn stands on it with one action left (rules 8).
        let left = usize::from(self.actions_left(state, 1 - seat));
        let broken = theirs[left - 1];
        let [count, lasting] = [own, own.without(broken)].map(TileSet::len);
        let left = usize::from(self.actions_left(state, seat));
        let ripe = mine[left].without(TileSet::one(pawn)).and(stacks.ripe()).len().min(left as u8);
        let chips = stacks.height(pawn);
        let steps = mine[1].len() - 1;
        features([
            as_number(acts),
            if acts { f32::from(state.taken) } else { 0.0 },
            as_number(count >= 1),
            as_number(count >= 2),
            as_number(count >= STACKS_TO_WIN),
            f32::from(lasting),
            as_number(lasting >= 2),
            as_number(lasting >= STACKS_TO_WIN),
            as_number(ripe >= 1),
            as_number(ripe >= 2),
            as_number(lasting + ripe >= STACKS_TO_WIN),
            f32::from(chips),
            f32::from(steps),
            as_number(steps == 0 && chips == 0),
            f32::from(mine[left].len()),
            as_number(own.contains(pawn)),
            as_number(rivals.contains(pawn)),
        ])
    }
}

impl Evaluate for Potlatch {
    const FEATURES: &'static [&'static str] = weights::FEATURES;

    fn features(&self, state: &State, seat: Seat) -> Features {
        self.features_in(&self.data(state), seat)
    }

    fn logits(&self, state: &State) -> [f32; MAX_SEATS] {
        let data = self.data(state);
        let mut logits = [0.0; MAX_SEATS];
        for seat in [0, 1] {
            logits[usize::from(seat)] = weighted(&self.features_in(&data, seat), self.weights);
        }
        logits
    }

    fn weights(&self) -> &Features {
        self.weights
    }

    /// With three actions, only a full search of the turn sees its consequences. With two, neither
    /// method is stronger (`docs/explanation/search.md`).
    fn prefers_alpha_beta(&self, _state: &State) -> bool {
        self.actions == 3
    }

    /// Only the last starts matter, which decide a standstill. The number of turns matters only near the limit.
    fn evaluation_key(&self, state: &State) -> u64 {
        if state.turns + NEAR_THE_LIMIT > MOST_TURNS { self.key(state) } else { state.evaluation_key() }
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::{Actor, Compiled, Game, Notation, Options, Playout, Random};

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
        // Red, on height 2 beside it, can climb Blue's stack and take a chip off.
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

    /// `reach` agrees with the tiles that legal pawn moves lead to.
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
                    // All tiles are placed and the turn starts, so that no increase is due.
                    if state.taken == 0 && !game.tile_left(&state) {
                        let seat = state.seat();
                        let mut reached = TileSet::EMPTY;
                        walk(&game, &state, seat, &mut reached);
                        assert_eq!(
                            game.data(&state).reach[usize::from(seat)][usize::from(game.actions)],
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
