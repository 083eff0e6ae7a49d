//! The state: tiles, stacks, pawns, the rest of the turn, and repetition data.

use std::hash::{Hash, Hasher};

use smallvec::SmallVec;
use tavola_core::random::mix;
use tavola_core::{Outcome, Seat, SeatSet};

use crate::hex::{BACK, Hex};
use crate::stacks::{BLANK, Stacks, TileSet};

/// The most base tiles in any game (rules 1).
pub(crate) const MOST_TILES: usize = 12;

/// The stacks and pawns at the start of a turn, in one word: four bits a stack, then four for each pawn's tile.
///
/// A tile's number never changes, so words of one game compare directly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Start(u64);

impl Start {
    pub(crate) fn new(stacks: Stacks, pawns: [u8; 2]) -> Self {
        Self(stacks.0 | u64::from(pawns[0]) << 48 | u64::from(pawns[1]) << 52)
    }

    pub(crate) const fn stacks(self) -> Stacks {
        Stacks(self.0 & 0xFFFF_FFFF_FFFF)
    }

    pub(crate) const fn pawns(self) -> [u8; 2] {
        [(self.0 >> 48 & 15) as u8, (self.0 >> 52 & 15) as u8]
    }
}

/// Why the game is over (rules 10 and 11).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Reason {
    /// 10a.
    Stacks,
    /// 10b.
    Standstill,
    /// 10c, the third time.
    Repetition,
    /// 10c, 200 turns.
    Limit,
    /// 11.
    Blocked,
}

impl Reason {
    pub(crate) const fn code(self) -> &'static str {
        match self {
            Self::Stacks => "stacks",
            Self::Standstill => "standstill",
            Self::Repetition => "repetition",
            Self::Limit => "limit",
            Self::Blocked => "blocked",
        }
    }
}

/// How the game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct End {
    pub(crate) winner: Option<Seat>,
    pub(crate) reason: Reason,
}

impl End {
    #[inline]
    pub(crate) fn outcome(self) -> Outcome {
        Outcome { winners: self.winner.map_or(SeatSet::EMPTY, SeatSet::one), reason: self.reason.code() }
    }
}

/// A position of Potlatch Klone.
///
/// Tiles are numbered in the order of placement. Equality and hashes do not depend on the numbers.
#[derive(Clone, Debug)]
pub struct State {
    /// The number of tiles on the plane.
    pub(crate) tiles: u8,
    /// The hex of each tile.
    pub(crate) places: [Hex; MOST_TILES],
    /// For each tile its neighbours, four bits per direction; [`BLANK`] where there is none.
    pub(crate) neighbours: [u32; MOST_TILES],
    pub(crate) stacks: Stacks,
    /// The tile under each seat's pawn.
    pub(crate) pawns: [u8; 2],
    /// Turns completed.
    pub(crate) turns: u8,
    /// Actions taken in this turn.
    pub(crate) taken: u8,
    /// The tiles that the pawn to move has been on in this turn, its first included, in order.
    path: [u8; 4],
    /// The number of valid entries in `path`.
    steps: u8,
    /// The same tiles as a set.
    pub(crate) visited: TileSet,
    /// The visited tiles that were entered in the open run (rules 9).
    pub(crate) run: TileSet,
    /// The legal actions, a bit each.
    pub(crate) legal: u16,
    pub(crate) end: Option<End>,
    /// The starts of turns that may come back (rules 13, repetition data), oldest first.
    pub(crate) past: SmallVec<[Start; 4]>,
}

impl State {
    /// A state at the start of a turn, with pawns on two of the tiles and no chips.
    pub(crate) fn bare(places: &[Hex], pawns: [Hex; 2]) -> Self {
        let mut state = Self {
            tiles: 0,
            places: [Hex::default(); MOST_TILES],
            neighbours: [u32::MAX; MOST_TILES],
            stacks: Stacks::default(),
            pawns: [0; 2],
            turns: 0,
            taken: 0,
            path: [0; 4],
            steps: 0,
            visited: TileSet::EMPTY,
            run: TileSet::EMPTY,
            legal: 0,
            end: None,
            past: SmallVec::new(),
        };
        for &place in places {
            state.place_tile(place);
        }
        state.pawns = pawns.map(|pawn| state.tile_at(pawn).expect("a pawn on a tile"));
        state.begin_turn();
        state
    }

    /// Start a turn: the pawn to move has visited only its own tile.
    pub(crate) fn begin_turn(&mut self) {
        let pawn = self.pawn();
        self.path[0] = pawn;
        self.steps = 1;
        self.visited = TileSet::one(pawn);
        self.run = TileSet::EMPTY;
    }

    /// Move the pawn of the active seat to a tile, as a step of the open run.
    pub(crate) fn enter(&mut self, tile: u8) {
        self.pawns[self.seat() as usize] = tile;
        self.path[self.steps as usize] = tile;
        self.steps += 1;
        self.visited = self.visited.with(tile);
        self.run = self.run.with(tile);
    }

    /// The seat whose turn it is, also when the game is over.
    pub(crate) const fn seat(&self) -> Seat {
        self.turns & 1
    }

    /// The tile under the pawn of the seat whose turn it is.
    pub(crate) const fn pawn(&self) -> u8 {
        self.pawns[self.seat() as usize]
    }

    /// The tile beside a tile, or [`BLANK`].
    pub(crate) const fn beside(&self, tile: u8, direction: usize) -> u8 {
        (self.neighbours[tile as usize] >> (4 * direction) & 15) as u8
    }

    /// The tile at a place.
    pub(crate) fn tile_at(&self, place: Hex) -> Option<u8> {
        self.places[..self.tiles as usize].iter().position(|&tile| tile == place).map(|tile| tile as u8)
    }

    /// The tiles that the pawn has been on in this turn, its first included, in order.
    pub(crate) fn path(&self) -> &[u8] {
        &self.path[..self.steps as usize]
    }

    /// The tiles entered in the open run, in order.
    pub(crate) fn open_run(&self) -> &[u8] {
        &self.path[(self.steps - self.run.len()) as usize..self.steps as usize]
    }

    /// Place a base tile on a blank hex and return its number. Only one action in four does, so it is not inlined.
    #[inline(never)]
    pub(crate) fn place_tile(&mut self, place: Hex) -> u8 {
        let tile = self.tiles;
        self.places[tile as usize] = place;
        let mut beside = u32::MAX;
        for (other, neighbours) in self.neighbours[..tile as usize].iter_mut().enumerate() {
            let direction = place.direction_to(self.places[other]);
            join(&mut beside, direction, other as u8);
            join(neighbours, BACK[direction], tile);
        }
        self.neighbours[tile as usize] = beside;
        self.tiles += 1;
        tile
    }

    /// The tile in a direction from the pawn to move. Places one if there is none.
    pub(crate) fn reach(&mut self, direction: usize) -> u8 {
        let tile = self.beside(self.pawn(), direction);
        if tile == BLANK { self.place_tile(self.places[self.pawn() as usize].step(direction)) } else { tile }
    }

    /// The stacks after the increase that ends the open run (rules 9).
    pub(crate) const fn increased(&self) -> Stacks {
        self.stacks.grown(self.run, self.seat())
    }

    /// End the open run: every hex entered in it that has room gets a chip (rules 9).
    pub(crate) fn increase(&mut self) {
        self.stacks = self.increased();
        self.run = TileSet::EMPTY;
    }

    /// Store the present stacks and pawns as a start that may come back.
    pub(crate) fn remember(&mut self) {
        self.past.push(Start::new(self.stacks, self.pawns));
    }

    /// Clear the stored starts: chips never get fewer, so none of them comes back (rules 13).
    pub(crate) fn forget(&mut self) {
        self.past = SmallVec::new();
    }

    /// The hash of the state, computed on demand because playouts never need it.
    pub(crate) fn key(&self) -> u64 {
        let counts = u64::from(self.turns) << 16 | u64::from(self.taken) << 8 | u64::from(self.run.len());
        let mut key = mix(self.board_key() ^ counts);
        for &tile in self.path() {
            key = mix(key ^ self.places[tile as usize].word());
        }
        let start_key = |start: &Start| self.start_key(self.stacks_key(start.stacks()), start.pawns());
        key ^ self.past.iter().fold(0, |key, start| mix(key ^ start_key(start)))
    }

    /// A hash of what decides the next turns: stacks, pawns and the rest of the turn. It ignores the order of the
    /// pawn's path and includes the stacks that would make a standstill (rules 10b).
    pub(crate) fn evaluation_key(&self) -> u64 {
        let sum = |tiles: &[u8]| {
            tiles.iter().fold(0u64, |sum, &tile| sum.wrapping_add(self.places[usize::from(tile)].word()))
        };
        let counts = u64::from(self.seat()) << 16 | u64::from(self.taken) << 8 | u64::from(self.run.len());
        let key = mix(self.board_key() ^ counts) ^ sum(self.path()) ^ sum(self.open_run()).rotate_left(17);
        // Within a turn, the last start is its own and the one before is the opponent's.
        let starts = self.past.iter().rev().take(if self.taken == 0 { 1 } else { 2 });
        starts.fold(key, |key, start| mix(key ^ start.stacks().0))
    }

    /// A hash of the tiles, the stacks after the open run's increase, and the pawns.
    fn board_key(&self) -> u64 {
        let tiles_key = self.places[..self.tiles as usize].iter().fold(0, |key, place| key ^ place.word());
        self.start_key(self.stacks_key(self.increased()) ^ tiles_key.rotate_left(32), self.pawns)
    }

    /// A hash of stacks: the sum of every place's word times its stack's code. Bare tiles do not count (rules 10b).
    fn stacks_key(&self, stacks: Stacks) -> u64 {
        let stack = |tile: u8| self.places[tile as usize].word().wrapping_mul(stacks.code(tile).into());
        (0..self.tiles).map(stack).fold(0, u64::wrapping_add)
    }

    fn start_key(&self, stacks_key: u64, pawns: [u8; 2]) -> u64 {
        let [red, blue] = pawns.map(|pawn| self.places[pawn as usize].word());
        stacks_key.wrapping_add(red.rotate_left(21)).wrapping_add(blue.rotate_left(42)) | 1
    }

    /// The tiles' numbers in the order of texts: by r, then q (rules 13).
    pub(crate) fn order(&self) -> SmallVec<[u8; MOST_TILES]> {
        let mut order: SmallVec<[u8; MOST_TILES]> = (0..self.tiles).collect();
        order.sort_unstable_by_key(|&tile| self.places[tile as usize].order());
        order
    }
}

/// Store a neighbour in a direction that had none. The seventh direction, for hexes apart, is never read.
fn join(neighbours: &mut u32, direction: usize, tile: u8) {
    *neighbours ^= u32::from(tile ^ BLANK) << (4 * direction);
}

impl PartialEq for State {
    /// States are equal if they do not differ for the rules. The order in which tiles were placed is ignored.
    fn eq(&self, other: &Self) -> bool {
        let counts =
            |state: &Self| (state.tiles, state.turns, state.taken, state.steps, state.run.len(), state.past.len());
        if counts(self) != counts(other) || self.key() != other.key() {
            return false;
        }
        let (mine, theirs) = (self.order(), other.order());
        let place = |state: &Self, tile: u8| state.places[tile as usize];
        let same_start = |a: Start, b: Start| {
            mine.iter().zip(&theirs).all(|(&x, &y)| a.stacks().code(x) == b.stacks().code(y))
                && a.pawns().map(|pawn| place(self, pawn)) == b.pawns().map(|pawn| place(other, pawn))
        };
        mine.iter().zip(&theirs).all(|(&x, &y)| place(self, x) == place(other, y))
            && same_start(Start::new(self.stacks, self.pawns), Start::new(other.stacks, other.pawns))
            && self.path().iter().zip(other.path()).all(|(&x, &y)| place(self, x) == place(other, y))
            && self.past.iter().zip(&other.past).all(|(&a, &b)| same_start(a, b))
    }
}

impl Eq for State {}

impl Hash for State {
    fn hash<H: Hasher>(&self, hasher: &mut H) {
        hasher.write_u64(self.key());
    }
}
