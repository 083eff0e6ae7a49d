//! The whole movement phase, solved by retrograde analysis.
//!
//! Pass n finds the positions whose result is forced with exactly n actions: with n odd the seat to act wins, with n even it
//! loses. A position from which neither seat can force an end is a draw (rules 18).
//!
//! A word holds the 27 facings of a class of layouts and an arrangement, so one operation follows an action from all of them.

mod arrangements;
mod checkpoint;
mod facings;
mod layout;

use std::sync::atomic::{AtomicU8, AtomicU32, AtomicU64, AtomicUsize, Ordering::Relaxed};

use tavola_core::{CancelToken, Game};

use crate::endgame::arrangements::{Arrangement, COUNTERS, Counters, LIST, TURNED};
pub(crate) use crate::endgame::facings::Facings;
use crate::endgame::facings::{ALL, NO_TILE, before_pairs};
use crate::endgame::layout::{Layout, Pair, Rules};
use crate::frozen::{FACINGS, STATES};
use crate::index::{self, LAYOUTS, POSITIONS, number};
use crate::pieces::{Trade, shape_of};
use crate::rules::Proteus;
use crate::state::State;

/// Marks a word with positions that were found since its predecessors were last visited.
const NEW: u32 = 1 << 31;

/// Marks a word of lost positions some of whose actions now lead to a won one.
const CHECK: u32 = 1 << 30;

/// With fewer new won positions, only their predecessors are checked.
const FEW: u64 = POSITIONS / 100;

/// The result of a position for the seat to act.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It can force a win.
    Won,
    /// The other seat can force a win.
    Lost,
    /// Neither can.
    Drawn,
}

impl Verdict {
    /// The result of a position, given those of the positions after its actions.
    pub fn of_actions(after: &[Self]) -> Self {
        if after.contains(&Self::Lost) {
            Self::Won
        } else if after.iter().all(|&next| next == Self::Won) {
            Self::Lost
        } else {
            Self::Drawn
        }
    }
}

/// A pass of the analysis.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Pass {
    /// The number of actions to the forced end. The seat to act wins if it is odd, and loses if it is even.
    pub plies: u8,
    /// Positions found, up to symmetry and the swap of seats.
    pub found: u64,
    /// The first lost position of this pass, if any.
    pub lost: Option<u64>,
}

/// The positions of a class of layouts.
struct Class {
    /// For each arrangement the facings with which the seat to act wins, and loses.
    won: Box<[AtomicU32]>,
    lost: Box<[AtomicU32]>,
    /// The last pass that found such positions.
    won_in: AtomicU8,
    lost_in: AtomicU8,
    /// The last pass with words to check.
    check_in: AtomicU8,
}

impl Class {
    /// The positions that an action has just ended are won or lost already.
    fn new(rules: &Rules, layout: &Layout) -> Self {
        let (won, lost) = ended(rules, layout)
            .map(|[won, lost]| (AtomicU32::new(won), AtomicU32::new(if lost == 0 { 0 } else { lost | NEW })))
            .collect::<(Vec<_>, Vec<_>)>();
        Self { won: won.into(), lost: lost.into(), won_in: 0.into(), lost_in: 0.into(), check_in: 0.into() }
    }

    /// Stands for a class that is not analysed: nothing is known of its positions.
    fn unknown() -> Self {
        Self { won: [].into(), lost: [].into(), won_in: 0.into(), lost_in: 0.into(), check_in: 0.into() }
    }

    fn won(&self, arrangement: u16) -> Facings {
        self.won.get(usize::from(arrangement)).map_or(0, |word| word.load(Relaxed) & ALL)
    }

    /// Marks positions as won. Returns the number of new ones.
    fn win(&self, arrangement: u16, facings: Facings, plies: u8) -> u64 {
        let place = usize::from(arrangement);
        let Some(word) = self.won.get(place) else { return 0 };
        let mut new = facings & !word.load(Relaxed);
        if new == 0 {
            return 0;
        }
        // An action that ends the game with a loss for the seat to act next leads here. It is over, whatever follows.
        new &= !self.lost[place].load(Relaxed);
        if new == 0 {
            return 0;
        }
        let before = word.fetch_or(new | NEW, Relaxed);
        self.won_in.store(plies, Relaxed);
        (new & !before).count_ones().into()
    }

    /// Marks a word to be checked.
    fn check(&self, arrangement: u16, plies: u8) {
        let Some(word) = self.lost.get(usize::from(arrangement)) else { return };
        if word.load(Relaxed) & CHECK == 0 {
            word.fetch_or(CHECK, Relaxed);
            self.check_in.store(plies, Relaxed);
        }
    }
}

/// For each arrangement the facings with which an action has just ended the game: won, and lost, by the seat to act.
fn ended(rules: &Rules, layout: &Layout) -> impl Iterator<Item = [Facings; 2]> {
    let goals = rules.goals(layout.tiles);
    COUNTERS.iter().map(move |counters| {
        let [own, opposing] = [0, 1].map(|seat| goals[counters.cells_of(seat)]);
        rules.over(own, opposing)
    })
}

/// For each arrangement of a class the facings with which an action has just won the game.
pub(crate) fn lost_at_once(game: &Proteus, class: usize) -> Vec<Facings> {
    let rules = Rules::new(*game);
    ended(&rules, &Layout::new(&rules, class)).map(|[_, lost]| lost).collect()
}

/// A class, and all that a trade leads to.
#[cfg(test)]
pub(crate) fn neighbours(game: &Proteus, class: usize) -> Vec<usize> {
    let pairs = Layout::new(&Rules::new(*game), class).pairs;
    pairs.iter().map(|pair| pair.class).chain([class]).collect()
}

/// The movement phase, solved.
pub struct Endgame {
    game: Proteus,
    rules: Rules,
    classes: Vec<Class>,
    /// The passes so far.
    passes: Vec<Pass>,
    /// The first lost position of the current pass.
    first_lost: AtomicU64,
}

impl Endgame {
    /// The whole phase, of which only the ends are known. This takes 22 GB of memory.
    pub fn unsolved(game: Proteus, threads: usize) -> Self {
        Self::new(game, threads, |_| true)
    }

    fn new(game: Proteus, threads: usize, analysed: impl Fn(usize) -> bool + Sync) -> Self {
        let rules = Rules::new(game);
        let per_thread = LAYOUTS.div_ceil(threads);
        let class = |class| {
            if analysed(class) { Class::new(&rules, &Layout::new(&rules, class)) } else { Class::unknown() }
        };
        let classes = std::thread::scope(|scope| {
            let parts: Vec<_> = (0..threads)
                .map(|part| {
                    let classes = part * per_thread..LAYOUTS.min((part + 1) * per_thread);
                    let class = &class;
                    scope.spawn(move || classes.map(class).collect::<Vec<_>>())
                })
                .collect();
            parts.into_iter().flat_map(|part| part.join().expect("no class fails")).collect()
        });
        Self { game, rules, classes, passes: Vec::new(), first_lost: u64::MAX.into() }
    }

    /// Solves the phase, from the last pass on. `report` gets each pass when it is complete. `None` if it was cancelled.
    pub fn solve(mut self, threads: usize, stop: &CancelToken, mut report: impl FnMut(&Self, Pass)) -> Option<Self> {
        loop {
            let (before, found) = self.passes.last().map_or((0, POSITIONS), |pass| (pass.plies, pass.found));
            if found == 0 {
                return Some(self);
            }
            let plies = before + 1;
            let each = |call: &(dyn Fn(usize) -> u64 + Sync)| each_class(threads, stop, call);
            let found = if plies % 2 == 1 {
                each(&|class| self.wins(class, plies))
            } else if found > FEW {
                each(&|class| self.losses(class, plies, true))
            } else {
                each(&|class| self.mark(class, plies));
                each(&|class| self.losses(class, plies, false))
            };
            if stop.is_cancelled() {
                return None;
            }
            let lost = Some(self.first_lost.swap(u64::MAX, Relaxed)).filter(|&lost| lost != u64::MAX);
            let pass = Pass { plies, found, lost };
            self.passes.push(pass);
            report(&self, pass);
        }
    }

    /// The passes so far.
    pub fn passes(&self) -> &[Pass] {
        &self.passes
    }

    /// The words of a class with positions that the last pass found lost, with the numbers of their arrangements.
    ///
    /// Such a word also has the positions that earlier passes found lost.
    pub(crate) fn newly_lost(&self, class: usize) -> impl Iterator<Item = (u16, Facings)> {
        let this = &self.classes[class];
        let is_new = self.passes.last().is_some_and(|pass| this.lost_in.load(Relaxed) == pass.plies);
        let words = (0..).zip(&this.lost).filter(move |_| is_new).map(|(number, word)| (number, word.load(Relaxed)));
        words.filter(|(_, word)| word & NEW != 0).map(|(number, word)| (number, word & ALL))
    }

    /// Marks the predecessors of a class's newly lost positions as won. Returns the number of new ones.
    fn wins(&self, class: usize, plies: u8) -> u64 {
        let this = &self.classes[class];
        if this.lost_in.load(Relaxed) != plies - 1 {
            return 0;
        }
        let lost = take_new(&this.lost);
        let layout = Layout::new(&self.rules, class);
        let mut found = 0;
        for &(number, lost) in &lost {
            let arrangement = &LIST[usize::from(number)];
            for counter in 0..3 {
                let to = arrangement.cells[3 + counter];
                let before = before_pairs(lost, layout.paired(counter as u8, to), NO_TILE);
                for (from, place) in arrangement.empty.into_iter().zip(3 * counter..) {
                    found += this.win(arrangement.before[place], before & self.rules.moves(from, to), plies);
                }
            }
        }
        for pair in &layout.pairs {
            let (other, turned) = (&self.classes[pair.class], &TURNED[pair.symmetry]);
            for &(number, lost) in &lost {
                let counters = &COUNTERS[usize::from(number)];
                let allowed = self.allowed(pair, counters);
                if allowed != 0 {
                    // The tiles of this class have traded places already.
                    let before = before_trade(lost, pair.cells, pair.tiles, counters);
                    found += other.win(turned[usize::from(number)], before & allowed, plies);
                }
            }
        }
        found
    }

    /// Marks the words with predecessors of a class's newly won positions, to be checked. Returns the number of their words.
    fn mark(&self, class: usize, plies: u8) -> u64 {
        let this = &self.classes[class];
        if this.won_in.load(Relaxed) != plies - 1 {
            return 0;
        }
        let won = take_new(&this.won);
        for &(number, _) in &won {
            LIST[usize::from(number)].before.into_iter().for_each(|before| this.check(before, plies));
        }
        for pair in &Layout::new(&self.rules, class).pairs {
            let (other, turned) = (&self.classes[pair.class], &TURNED[pair.symmetry]);
            for number in won.iter().map(|&(number, _)| usize::from(number)) {
                if self.allowed(pair, &COUNTERS[number]) != 0 {
                    other.check(turned[number], plies);
                }
            }
        }
        won.len() as u64
    }

    /// Marks a class's positions as lost where every action leads to a won one. Returns the number of new ones.
    ///
    /// It looks at all words, or at those that are marked.
    fn losses(&self, class: usize, plies: u8, all: bool) -> u64 {
        let this = &self.classes[class];
        if !all && this.check_in.load(Relaxed) != plies {
            return 0;
        }
        let layout = Layout::new(&self.rules, class);
        let mut left = Vec::new();
        for ((number, won), lost) in (0_u16..).zip(&this.won).zip(&this.lost) {
            let words = [won, lost].map(|word| word.load(Relaxed));
            if all && words[0] & NEW != 0 {
                won.store(words[0] & ALL, Relaxed);
            } else if !all {
                if words[1] & CHECK == 0 {
                    continue;
                }
                lost.store(words[1] & !CHECK, Relaxed);
            }
            let open = !(words[0] | words[1]) & ALL;
            let facings = self.lost_by_moves(this, &layout, &LIST[usize::from(number)], open);
            if facings != 0 {
                left.push((number, facings));
            }
        }
        for pair in &layout.pairs {
            let (other, turned) = (&self.classes[pair.class], &TURNED[pair.symmetry]);
            let [one, two] = pair.tiles;
            left.retain_mut(|(number, facings)| {
                let counters = &COUNTERS[usize::from(*number)];
                let allowed = self.allowed(pair, counters);
                if allowed & *facings != 0 {
                    let after = other.won(turned[usize::from(*number)]);
                    *facings &= before_trade(after, pair.cells, [two, one], counters) | !allowed;
                }
                *facings != 0
            });
        }
        let mut found = 0;
        for (number, facings) in left {
            this.lost[usize::from(number)].fetch_or(facings | NEW, Relaxed);
            this.lost_in.store(plies, Relaxed);
            found += u64::from(facings.count_ones());
            let rest = usize::from(number) * FACINGS + facings.trailing_zeros() as usize;
            self.first_lost.fetch_min((class * STATES + rest) as u64, Relaxed);
        }
        found
    }

    /// The facings of a set with which every move leads to a won position.
    fn lost_by_moves(&self, this: &Class, layout: &Layout, arrangement: &Arrangement, set: Facings) -> Facings {
        let mut left = set;
        for counter in 0..3 {
            let from = arrangement.cells[counter];
            for (to, place) in arrangement.empty.into_iter().zip(3 * counter..) {
                if left == 0 {
                    return 0;
                }
                let after = this.won(arrangement.after[place]);
                left &= before_pairs(after, layout.paired(counter as u8, to), NO_TILE) | !self.rules.moves(from, to);
            }
        }
        left
    }

    /// The facings whose blue rule allows a trade.
    #[inline]
    fn allowed(&self, pair: &Pair, counters: &Counters) -> Facings {
        let [one, other] = pair.cells;
        let polarity = if counters.has_both_seats(one, other) { self.rules.trades(Trade::Polarity) } else { 0 };
        pair.facings | polarity
    }

    /// The result of the position with a number that an action has just led to.
    pub fn reached(&self, position: u64) -> Verdict {
        let (class, rest) = ((position / STATES as u64) as usize, (position % STATES as u64) as usize);
        let (arrangement, facing) = (rest / FACINGS, rest % FACINGS);
        let class = &self.classes[class];
        let has = |words: &[AtomicU32]| words[arrangement].load(Relaxed) >> facing & 1 == 1;
        if has(&class.won) {
            Verdict::Won
        } else if has(&class.lost) {
            Verdict::Lost
        } else {
            Verdict::Drawn
        }
    }

    /// The result of the position with a number that the placement leaves.
    ///
    /// It may satisfy the goal of one seat. Where only the seat that has just acted can win, no seat has won by it (rules 13).
    pub fn began(&self, position: u64) -> Verdict {
        if !self.game.only_actor_wins || !self.is_over(position) {
            return self.reached(position);
        }
        Verdict::of_actions(&self.after_actions(&index::position(position)).expect("the movement phase"))
    }

    /// Whether the game is over in the position with a number if an action has just led to it.
    pub fn is_over(&self, position: u64) -> bool {
        self.game.winner(&index::position(position).board, 1).is_some()
    }

    /// The results of the actions of a position, in the order of [`Game::legal_actions`]: each for the seat that acts next.
    ///
    /// `None` in the placement. Repetitions and the count of actions are ignored.
    pub fn after_actions(&self, state: &State) -> Option<Vec<Verdict>> {
        number(state)?;
        let mut actions = Vec::new();
        self.game.legal_actions(state, &mut actions);
        let after = |action| {
            let mut after = state.clone();
            self.game.play_unchecked(&mut after, action);
            self.reached(number(&after).expect("the movement phase goes on"))
        };
        Some(actions.into_iter().map(after).collect())
    }
}

/// The words that are marked as new, with the numbers of their arrangements. Removes the marks.
fn take_new(words: &[AtomicU32]) -> Vec<(u16, Facings)> {
    let is_new = |word: &AtomicU32| word.load(Relaxed) & NEW != 0;
    let new = (0..).zip(words).filter(|(_, word)| is_new(word));
    new.map(|(number, word)| (number, word.fetch_and(!NEW, Relaxed) & ALL)).collect()
}

/// Calls a function for each class until it is cancelled. Returns the sum of its results.
fn each_class(threads: usize, stop: &CancelToken, call: &(dyn Fn(usize) -> u64 + Sync)) -> u64 {
    let (next, found) = (AtomicUsize::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let class = next.fetch_add(1, Relaxed);
                    if class >= LAYOUTS || stop.is_cancelled() {
                        break;
                    }
                    found.fetch_add(call(class), Relaxed);
                }
            });
        }
    });
    found.into_inner()
}

/// The facings from which a trade leads into a set, given the tiles that are on its cells after it.
#[inline]
fn before_trade(set: Facings, cells: [u8; 2], tiles: [u8; 2], counters: &Counters) -> Facings {
    let paired = |place: usize| {
        let tile = tiles[place];
        if counters.has_shape(cells[place], shape_of(tile)) { tile } else { NO_TILE }
    };
    before_pairs(set, paired(0), paired(1))
}

#[cfg(test)]
mod tests;
