//! Checks of observations and symmetries: what learning programs rely on.

use std::collections::{BTreeSet, HashMap};

use tavola_core::observe::{Layout, Space, observe_flat};
use tavola_core::perft::next_actions;
use tavola_core::{Actor, Complete, Plane, Random, Seat};

/// The first state with an observation.
struct Seen {
    /// The hash of the contents that the observation must have.
    key: u64,
    ids: Vec<usize>,
    text: String,
}

/// The observations of random games under one choice of options.
pub(crate) struct Observer {
    space: Space,
    /// By seat, seat to act and observation.
    seen: HashMap<(Seat, Actor, Vec<u8>), Seen>,
    /// The observation of each seat by seat to act and key.
    keys: HashMap<(Seat, Actor, u64), Vec<u8>>,
    flat: Vec<u8>,
}

impl Observer {
    /// Checks the planes and the permutations of the game.
    pub(crate) fn new<G: Complete>(game: &G) -> Self {
        let space = Space::of(game);
        check_planes(&space.planes, space.cell_planes, space.board);
        for (symmetry, _) in &space.symmetries {
            let parts = [
                (&symmetry.cells, space.cells()),
                (&symmetry.planes, space.planes.len()),
                (&symmetry.actions, game.action_count()),
            ];
            for (permutation, count) in parts {
                let sorted: BTreeSet<u32> = permutation.iter().copied().collect();
                let whole = sorted.into_iter().eq(0..count as u32) && permutation.len() == count;
                assert!(whole, "{}: {permutation:?} is no permutation of {count}", symmetry.name);
            }
            for (number, &from) in symmetry.planes.iter().enumerate() {
                let (one, other) = (&space.planes[number], &space.planes[from as usize]);
                let alike = one.scope == other.scope && one.high == other.high;
                assert!(alike, "{}: {} gets the values of {}", symmetry.name, one.name, other.name);
            }
        }
        let flat = vec![0; space.flat_len()];
        Self { space, seen: HashMap::new(), keys: HashMap::new(), flat }
    }

    /// Checks a state.
    pub(crate) fn check<G: Complete>(&mut self, game: &G, state: &G::State, random: &mut Random) {
        if self.space.is_empty() {
            return;
        }
        let text = game.position(state);
        let to_act = game.to_act(state);
        for seat in 0..game.seats() as Seat {
            self.flat.fill(u8::MAX);
            observe_flat(game, state, seat, &mut self.flat);
            self.check_values(&text, seat);
            // The end of the game need not be visible.
            if to_act != Actor::Terminal && game.is_public(state) {
                self.check_content(game, state, &text, seat, to_act);
            }
        }
        if self.space.symmetries.len() > 1 {
            self.check_symmetries(game, state, &text, random);
        }
    }

    fn check_values(&self, text: &str, seat: Seat) {
        let (cells, base) = (self.space.cells(), self.space.cell_planes * self.space.cells());
        let (of_cells, scalars) = self.space.planes.split_at(self.space.cell_planes);
        let check = |plane: &Plane, values: &[u8]| {
            let most = values.iter().max().copied().unwrap_or(0);
            assert!(most <= plane.high, "{text}: seat {seat}: {} is {most}, above {}", plane.name, plane.high);
        };
        for (plane, values) in of_cells.iter().zip(self.flat.chunks(cells.max(1))) {
            check(plane, values);
        }
        for (plane, value) in scalars.iter().zip(&self.flat[base..]) {
            check(plane, std::slice::from_ref(value));
        }
    }

    /// Equal observations belong to states that the rules cannot distinguish, but for what the game leaves out.
    fn check_content<G: Complete>(&mut self, game: &G, state: &G::State, text: &str, seat: Seat, to_act: Actor) {
        let key = game.observed_key(state);
        let ids = legal_ids(game, state);
        let known = self.seen.entry((seat, to_act, self.flat.clone()));
        let first = known.or_insert_with(|| Seen { key, ids: ids.clone(), text: text.to_owned() });
        let both = format!("{} and {text}", first.text);
        assert!(first.key == key, "seat {seat} sees no difference between {both}");
        assert!(first.ids == ids, "seat {seat} sees no difference between {both}, but other actions are legal");
        let known = self.keys.entry((seat, to_act, key)).or_insert_with(|| self.flat.clone());
        assert!(*known == self.flat, "{text}: seat {seat} sees another position of the same observed_key");
    }

    /// Generators map the observation, the legal ids and the successors.
    fn check_symmetries<G: Complete>(&self, game: &G, state: &G::State, text: &str, random: &mut Random) {
        let mut actions = Vec::new();
        next_actions(game, state, &mut actions);
        for (generator, symmetry) in game.symmetries().iter().enumerate() {
            let mirrored = game.mirrored(state, generator);
            let name = format!("{text}: {}: {}", symmetry.name, game.position(&mirrored));
            assert_eq!(game.key(&mirrored), game.key_from_scratch(&mirrored), "{name}");
            assert!(game.parse_position(&game.position(&mirrored)).as_ref() == Ok(&mirrored), "{name}: its own text");
            assert_eq!(game.to_act(&mirrored), game.to_act(state), "{name}");
            assert_eq!(game.outcome(&mirrored), game.outcome(state), "{name}");
            let permutation = self.space.permutation(symmetry, Layout::Flat);
            let mut image = vec![0; self.flat.len()];
            let mut flat = image.clone();
            for seat in 0..game.seats() as Seat {
                observe_flat(game, state, seat, &mut flat);
                observe_flat(game, &mirrored, seat, &mut image);
                let wanted: Vec<u8> = permutation.iter().map(|&from| flat[from as usize]).collect();
                if let Some(place) = (0..wanted.len()).find(|&place| wanted[place] != image[place]) {
                    let plane = (place / self.space.cells().max(1)).min(self.space.planes.len() - 1);
                    panic!("{name}: seat {seat} does not see the permuted planes, first {plane} or a scalar");
                }
            }
            let mut wanted: Vec<usize> = (0..game.action_count()).collect();
            let legal: BTreeSet<usize> = legal_ids(game, state).into_iter().collect();
            wanted.retain(|&id| legal.contains(&(symmetry.actions[id] as usize)));
            assert_eq!(legal_ids(game, &mirrored), wanted, "{name}: other actions are legal");

            // A successor of the mirrored state is the mirrored successor.
            let Some(&action) = actions.get(random.below(actions.len().max(1) as u32) as usize) else { continue };
            let mut after = state.clone();
            game.play_unchecked(&mut after, action);
            let after = game.mirrored(&after, generator);
            let mut images = Vec::new();
            next_actions(game, &mirrored, &mut images);
            if game.to_act(state) != Actor::Chance {
                let id = game.index(action);
                images.retain(|&image| symmetry.actions[game.index(image)] as usize == id);
            }
            let reached = images.into_iter().any(|image| {
                let mut next = mirrored.clone();
                game.play_unchecked(&mut next, image);
                next == after
            });
            assert!(reached, "{name}: {} does not lead to the mirrored successor", game.token(action));
        }
    }
}

fn check_planes(planes: &[Plane], cell_planes: usize, (rows, columns): (usize, usize)) {
    let names: BTreeSet<&str> = planes.iter().map(|plane| plane.name.as_ref()).collect();
    assert_eq!(names.len(), planes.len(), "two planes have one name: {names:?}");
    let plain = |name: &str| name.bytes().all(|byte| matches!(byte, b'a'..=b'z' | b'0'..=b'9' | b'_'));
    for (number, plane) in planes.iter().enumerate() {
        assert!(!plane.name.is_empty() && plain(&plane.name), "{:?} is no name in lower case", plane.name);
        assert!(plane.high > 0, "{} is always 0", plane.name);
        assert!(plane.about.ends_with('.'), "{}: {:?} is no sentence", plane.name, plane.about);
        let first = number < cell_planes;
        assert_eq!(first, plane.scope == tavola_core::observe::Scope::Cell, "{} stands after scalars", plane.name);
    }
    assert!(planes.is_empty() || rows * columns > 0, "planes without a board");
}

fn legal_ids<G: Complete>(game: &G, state: &G::State) -> Vec<usize> {
    let mut actions = Vec::new();
    game.legal_actions(state, &mut actions);
    actions.into_iter().map(|action| game.index(action)).collect()
}
