//! Checks of vector environments against single states.

use std::sync::Arc;

use tavola_core::observe::{Layout, Space, observe_flat};
use tavola_core::{Actor, Arrays, Complete, Observations, Serial, VectorEnv, mask};

/// The number of environments.
const COUNT: usize = 3;

/// The arrays, with both types of observations.
struct Rows {
    bytes: Vec<u8>,
    floats: Vec<f32>,
    masks: Vec<u8>,
    to_act: Vec<i32>,
    rewards: Vec<f32>,
    terminated: Vec<u8>,
    lengths: Vec<i32>,
    returns: Vec<f32>,
}

impl Rows {
    fn arrays(&mut self, floats: bool) -> Arrays<'_> {
        Arrays {
            observations: if floats {
                Observations::Floats(&mut self.floats)
            } else {
                Observations::Bytes(&mut self.bytes)
            },
            masks: &mut self.masks,
            to_act: &mut self.to_act,
            rewards: &mut self.rewards,
            terminated: &mut self.terminated,
            lengths: &mut self.lengths,
            returns: &mut self.returns,
        }
    }
}

/// Steps environments at random and compares every row with the state.
pub(crate) fn check<G: Complete>(game: &Arc<G>, steps: u64) {
    let space = Space::without_symmetries(&**game);
    for (layout, floats) in
        [(Layout::Flat, false), (Layout::Planes, false), (Layout::Flat, true), (Layout::Planes, true)]
    {
        let (numbers, actions, seats) = (COUNT * space.len(layout), COUNT * game.action_count(), COUNT * game.seats());
        // Other values than zeros, so that every place must be written.
        let mut rows = Rows {
            bytes: vec![77; numbers],
            floats: vec![7.7; numbers],
            masks: vec![7; actions],
            to_act: vec![7; COUNT],
            rewards: vec![7.7; seats],
            terminated: vec![7; COUNT],
            lengths: vec![7; COUNT],
            returns: vec![7.7; seats],
        };
        let mut env = VectorEnv::new(Arc::clone(game), COUNT, 1, layout);
        env.reset(None, rows.arrays(floats), &Serial);
        let mut ids = [0; COUNT];
        for _ in 0..steps {
            for environment in 0..COUNT {
                check_row(&**game, env.state(environment), environment, &space, layout, floats, &rows);
            }
            env.random_ids(&mut ids, &Serial);
            env.step(&ids, rows.arrays(floats), &Serial).expect("legal actions");
        }
    }
}

fn check_row<G: Complete>(
    game: &G,
    state: &G::State,
    environment: usize,
    space: &Space,
    layout: Layout,
    floats: bool,
    rows: &Rows,
) {
    let text = game.position(state);
    let Actor::Seat(seat) = game.to_act(state) else { panic!("{text}: no seat is to act") };
    assert_eq!(rows.to_act[environment], i32::from(seat), "{text}");
    let masks = rows.masks.chunks(game.action_count()).nth(environment).unwrap_or_default();
    assert!(masks.iter().copied().eq(mask(game, state).into_iter().map(u8::from)), "{text}: another mask");
    let mut flat = vec![0; space.flat_len()];
    observe_flat(game, state, seat, &mut flat);
    let numbers = environment * space.len(layout)..(environment + 1) * space.len(layout);
    if floats {
        let mut expected = vec![0.0; numbers.len()];
        space.to_floats(&flat, layout, &mut expected);
        assert!(expected == rows.floats[numbers], "{text}: another observation");
    } else {
        flat.resize(numbers.len(), 0);
        if layout == Layout::Planes {
            space.spread(&mut flat);
        }
        assert!(flat == rows.bytes[numbers], "{text}: another observation");
    }
}
