//! A position as numbers for learning: planes of small integers, and the symmetries of the game.
//!
//! # How to implement [`Observe`] for a game
//!
//! Write `src/observation.rs` in the game's folder. `games/potlatch/src/observation.rs` is the worked example.
//!
//! 1. **Board**: return the rows and columns of a rectangle that contains every cell. A game on hexes maps them into the
//!    rectangle; say how in the documentation of the module. Unused cells of the rectangle always have the value 0.
//! 2. **Planes**: return one [`Plane`] for each kind of information. First come all planes with a value for each cell
//!    ([`Plane::cells`]). All scalars follow ([`Plane::scalar`]), which have one value for the whole position. `high` is
//!    the largest value that a plane can have in any position of the game. The planes may depend on the options.
//! 3. **Observe**: write the values in the order of the planes, as the given seat sees them:
//!    `out[plane * rows * columns + row * columns + column]` for the planes of cells, then one number for each scalar.
//!    `out` has only zeros before. Do not allocate. The order of seats is relative: the given seat comes first, the others
//!    follow clockwise. The call must work at chance, after the end and for every seat.
//! 4. **Everything that the rules need** to continue must be there, and for hidden information only what the seat may
//!    see. The end of the game is an exception: it need not be visible. If planes leave out or summarize something (such
//!    as all earlier positions), override [`Observe::observed_key`] and describe what is left out.
//! 5. **Symmetries**: return generators of the group, such as one rotation and one reflection, and map a state by each
//!    of them in [`Observe::mirrored`].
//!
//! The conformance suite (`crates/testkit/src/observations.rs`) checks all of this in random games under every option.
//! Values are at most `high`. Observations are equal exactly if [`Observe::observed_key`]s are. A mirrored state has the
//! permuted observation, legal ids and successors. The page `docs/reference/observations.md` is generated from the planes.

use std::borrow::Cow;

use crate::encode::Encode;
use crate::game::Seat;

/// The most elements of a group of symmetries.
const MOST_SYMMETRIES: usize = 256;

/// Whether a plane has a value for each cell or one for the whole position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scope {
    /// One value for each cell of the board.
    Cell,
    /// One value for the position.
    Scalar,
}

/// One kind of information in an observation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Plane {
    /// A unique name in lower case (`own_stacks`).
    pub name: Cow<'static, str>,
    /// Whether there is a value for each cell.
    pub scope: Scope,
    /// The largest value, at least 1. As a float, a value is divided by it.
    pub high: u8,
    /// A sentence in Markdown that says what the values mean.
    pub about: Cow<'static, str>,
}

impl Plane {
    /// A plane with a value for each cell.
    pub fn cells(name: impl Into<Cow<'static, str>>, high: u8, about: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), scope: Scope::Cell, high, about: about.into() }
    }

    /// A plane with one value for the position.
    pub fn scalar(name: impl Into<Cow<'static, str>>, high: u8, about: impl Into<Cow<'static, str>>) -> Self {
        Self { name: name.into(), scope: Scope::Scalar, high, about: about.into() }
    }
}

/// A symmetry of a game as three permutations.
///
/// Each permutation says where a value comes from: the new value at `i` is the old value at `permutation[i]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symmetry {
    /// A short name (`rotate`), or the names of several generators.
    pub name: Cow<'static, str>,
    /// For each cell (row by row) the cell that its values come from.
    pub cells: Vec<u32>,
    /// For each plane, scalars included, the plane that its values come from.
    pub planes: Vec<u32>,
    /// For each action id the id that its legality or probability comes from.
    pub actions: Vec<u32>,
}

impl Symmetry {
    /// The symmetry that changes nothing.
    pub fn identity(cells: usize, planes: usize, actions: usize) -> Self {
        let same = |count: usize| (0..count as u32).collect();
        Self { name: "identity".into(), cells: same(cells), planes: same(planes), actions: same(actions) }
    }

    /// This symmetry, then another.
    #[must_use]
    pub fn then(&self, next: &Self) -> Self {
        let both = |first: &[u32], second: &[u32]| second.iter().map(|&from| first[from as usize]).collect();
        Self {
            name: format!("{}, {}", self.name, next.name).into(),
            cells: both(&self.cells, &next.cells),
            planes: both(&self.planes, &next.planes),
            actions: both(&self.actions, &next.actions),
        }
    }

    /// Whether both have the same permutations.
    pub fn same(&self, other: &Self) -> bool {
        self.cells == other.cells && self.planes == other.planes && self.actions == other.actions
    }
}

/// Positions as planes of numbers, and symmetries. See the module on how to implement it.
///
/// The defaults are an observation without planes, for a game that has none yet.
pub trait Observe: Encode {
    /// The rows and columns of the rectangle of cells.
    fn board(&self) -> (usize, usize) {
        (0, 0)
    }

    /// The planes: first those of cells, then the scalars.
    fn planes(&self) -> Vec<Plane> {
        Vec::new()
    }

    /// Writes the position as a seat sees it: the planes of cells row by row, then one number for each scalar.
    ///
    /// `out` has only zeros before, and one place for each number ([`Space::flat_len`]).
    fn observe(&self, _state: &Self::State, _seat: Seat, _out: &mut [u8]) {}

    /// A hash of everything that the observation of a seat contains: states have equal observations if and only if they
    /// have the same seat to act and equal hashes.
    fn observed_key(&self, state: &Self::State) -> u64 {
        self.key(state)
    }

    /// Generators of the symmetries under these options: every symmetry is a sequence of them.
    fn symmetries(&self) -> Vec<Symmetry> {
        Vec::new()
    }

    /// The state after the generator with this number in [`Observe::symmetries`]. It need not be fast.
    fn mirrored(&self, state: &Self::State, _generator: usize) -> Self::State {
        state.clone()
    }
}

/// The order of the numbers in an array.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// Planes, rows, columns. A scalar fills its plane.
    Planes,
    /// The planes of cells one after the other, then each scalar once.
    Flat,
}

/// The shape of a game's observations under its options, and the whole group of symmetries.
#[derive(Clone, Debug)]
pub struct Space {
    /// The rows and columns of the board.
    pub board: (usize, usize),
    /// The planes: first those of cells, then the scalars.
    pub planes: Vec<Plane>,
    /// The number of planes of cells.
    pub cell_planes: usize,
    /// The group of symmetries, the identity first, each with the generators that lead to it.
    pub symmetries: Vec<(Symmetry, Vec<usize>)>,
}

impl Space {
    /// The space of a game.
    ///
    /// # Panics
    /// If the generators generate more than 256 symmetries.
    pub fn of<G: Observe>(game: &G) -> Self {
        let space = Self::without_symmetries(game);
        let identity = Symmetry::identity(space.cells(), space.planes.len(), game.action_count());
        Self { symmetries: group(identity, &game.symmetries()), ..space }
    }

    /// The space of a game without its symmetries, which take longer.
    pub fn without_symmetries<G: Observe>(game: &G) -> Self {
        let (board, planes) = (game.board(), game.planes());
        let cell_planes = planes.iter().filter(|plane| plane.scope == Scope::Cell).count();
        Self { board, cell_planes, symmetries: Vec::new(), planes }
    }

    /// The number of cells.
    pub const fn cells(&self) -> usize {
        self.board.0 * self.board.1
    }

    /// The length of an observation without repeated scalars.
    pub fn flat_len(&self) -> usize {
        self.cell_planes * self.cells() + self.planes.len() - self.cell_planes
    }

    /// The length of an observation in a layout.
    pub fn len(&self, layout: Layout) -> usize {
        match layout {
            Layout::Planes => self.planes.len() * self.cells(),
            Layout::Flat => self.flat_len(),
        }
    }

    /// Whether the game has no planes.
    pub fn is_empty(&self) -> bool {
        self.planes.is_empty()
    }

    /// Spreads the scalars at the end of a flat observation over planes of their own. The array has the length of
    /// [`Layout::Planes`], and begins with the flat observation.
    pub fn spread(&self, out: &mut [u8]) {
        let (cells, base) = (self.cells(), self.cell_planes * self.cells());
        // The last scalar first, since its plane overwrites no other scalar.
        for scalar in (0..self.planes.len() - self.cell_planes).rev() {
            let value = out[base + scalar];
            out[base + scalar * cells..][..cells].fill(value);
        }
    }

    /// Converts a flat observation into floats from 0 to 1, in a layout.
    ///
    /// # Panics
    /// If the length of `out` is not [`Space::len`].
    pub fn to_floats(&self, flat: &[u8], layout: Layout, out: &mut [f32]) {
        assert_eq!(out.len(), self.len(layout), "the length of the observation");
        let (cells, base) = (self.cells(), self.cell_planes * self.cells());
        let (of_cells, scalars) = self.planes.split_at(self.cell_planes);
        for (number, plane) in of_cells.iter().enumerate() {
            let (values, out) = (&flat[number * cells..][..cells], &mut out[number * cells..][..cells]);
            let pairs = out.iter_mut().zip(values);
            match f32::from(plane.high) {
                1.0 => pairs.for_each(|(out, &value)| *out = f32::from(value)),
                high => pairs.for_each(|(out, &value)| *out = f32::from(value) / high),
            }
        }
        for (number, (plane, &value)) in scalars.iter().zip(&flat[base..]).enumerate() {
            let value = f32::from(value) / f32::from(plane.high);
            match layout {
                Layout::Planes => out[base + number * cells..][..cells].fill(value),
                Layout::Flat => out[base + number] = value,
            }
        }
    }

    /// For each number of an observation in a layout, the number that it comes from under a symmetry.
    pub fn permutation(&self, symmetry: &Symmetry, layout: Layout) -> Vec<u32> {
        let (cells, base) = (self.cells(), self.cell_planes * self.cells());
        let mut from = Vec::with_capacity(self.len(layout));
        for (number, &plane) in symmetry.planes.iter().enumerate() {
            if layout == Layout::Flat && number >= self.cell_planes {
                from.push((base + plane as usize - self.cell_planes) as u32);
            } else {
                from.extend(symmetry.cells.iter().map(|&cell| plane * cells as u32 + cell));
            }
        }
        from
    }
}

/// All products of the generators, the identity first, each with the numbers of its generators in order.
fn group(identity: Symmetry, generators: &[Symmetry]) -> Vec<(Symmetry, Vec<usize>)> {
    let mut all = vec![(identity, Vec::new())];
    let mut next = 0;
    while next < all.len() {
        for (number, generator) in generators.iter().enumerate() {
            let (symmetry, word) = &all[next];
            let mut product = symmetry.then(generator);
            if all.iter().any(|(known, _)| known.same(&product)) {
                continue;
            }
            assert!(all.len() < MOST_SYMMETRIES, "{} generates too many symmetries", generator.name);
            let word: Vec<usize> = word.iter().copied().chain([number]).collect();
            product.name = name(&word, generators).into();
            all.push((product, word));
        }
        next += 1;
    }
    all
}

/// The names of generators in order, with powers.
fn name(word: &[usize], generators: &[Symmetry]) -> String {
    let powers = word.chunk_by(|one, other| one == other).map(|same| match same.len() {
        1 => generators[same[0]].name.to_string(),
        power => format!("{}^{power}", generators[same[0]].name),
    });
    powers.collect::<Vec<_>>().join(" ")
}

/// Writes the flat observation of a seat.
///
/// # Panics
/// If the length of `out` is not [`Space::flat_len`].
pub fn observe_flat<G: Observe>(game: &G, state: &G::State, seat: Seat, out: &mut [u8]) {
    out.fill(0);
    game.observe(state, seat, out);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn space() -> Space {
        let planes = vec![Plane::cells("a", 2, ""), Plane::scalar("b", 4, ""), Plane::scalar("c", 1, "")];
        Space { board: (1, 3), planes, cell_planes: 1, symmetries: Vec::new() }
    }

    #[test]
    fn scalars_fill_their_planes() {
        let (space, flat) = (space(), [0, 1, 2, 3, 1]);
        let mut bytes = [0; 9];
        bytes[..5].copy_from_slice(&flat);
        space.spread(&mut bytes);
        assert_eq!(bytes, [0, 1, 2, 3, 3, 3, 1, 1, 1]);
        let (mut planes, mut floats) = ([0.0; 9], [0.0; 5]);
        space.to_floats(&flat, Layout::Planes, &mut planes);
        space.to_floats(&flat, Layout::Flat, &mut floats);
        // In quarters, which floats hold exactly.
        let quarters = |values: &[f32]| values.iter().map(|value| (4.0 * value) as u8).collect::<Vec<_>>();
        assert_eq!(quarters(&floats), [0, 2, 4, 3, 4]);
        assert_eq!(quarters(&planes), [0, 2, 4, 3, 3, 3, 4, 4, 4]);
    }

    #[test]
    fn generators_generate_the_group() {
        let turn = Symmetry { name: "turn".into(), cells: vec![1, 2, 0], planes: vec![0, 1, 2], actions: vec![] };
        let swap = Symmetry { name: "swap".into(), cells: vec![0, 2, 1], planes: vec![0, 2, 1], actions: vec![] };
        let group = group(Symmetry::identity(3, 3, 0), &[turn, swap]);
        let names: Vec<&str> = group.iter().map(|(symmetry, _)| symmetry.name.as_ref()).collect();
        assert_eq!(names, ["identity", "turn", "swap", "turn^2", "turn swap", "swap turn"]);
        let (turned, _) = &group[4];
        assert_eq!(space().permutation(turned, Layout::Flat), [1, 0, 2, 4, 3]);
        assert_eq!(space().permutation(turned, Layout::Planes), [1, 0, 2, 7, 6, 8, 4, 3, 5]);
    }
}
