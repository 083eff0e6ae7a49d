//! One thread of a principal variation search.

use tavola_core::{Actor, Evaluate, Game, Playout, Seat, SeatSet};

use super::order::History;
use super::score::{INFINITE, Score, SearchedValue, WIN, WON, of_odds, unproven};
use super::table::{Bound, Entry, Table};
use crate::budget::SharedBudget;

/// The maximum depth in actions.
pub(crate) const DEEPEST: usize = 250;

/// The number of positions that a thread takes at a time: a fraction of a millisecond's work.
const BATCH: u64 = 128;

/// The buffers of one position on the path from the root, reused for the next.
struct Ply<G: Game> {
    state: G::State,
    actions: Vec<G::Action>,
    /// The indices of the remaining actions, each with its rank.
    open: Vec<(i32, u16)>,
    /// The actions before the current one, which caused no cutoff.
    vain: Vec<u16>,
    /// Killer moves: actions that caused cutoffs at this distance from the root.
    killers: [Option<G::Action>; 2],
    /// The principal variation from here.
    line: Vec<G::Action>,
}

/// One thread of a search.
pub(crate) struct Worker<'a, G: Playout + Evaluate> {
    game: &'a G,
    table: &'a Table,
    budget: &'a SharedBudget<'a>,
    /// The score of a draw for each seat.
    draws: [Score; 2],
    /// Whether to search for proofs only: without estimates and depth reductions.
    proving: bool,
    /// How many positions may be looked at before the budget is asked again.
    left: u64,
    pub(crate) nodes: u64,
    plies: Vec<Ply<G>>,
    history: History,
}

impl<'a, G: Playout + Evaluate> Worker<'a, G> {
    pub(crate) fn new(
        game: &'a G,
        root: &G::State,
        table: &'a Table,
        budget: &'a SharedBudget<'a>,
        draws: [Score; 2],
    ) -> Self {
        let history = History::new(game.seats());
        let (left, nodes, plies) = (0, 0, Vec::new());
        let mut worker = Self { game, table, budget, draws, proving: false, left, nodes, plies, history };
        worker.make_room(root, 1);
        worker
    }

    /// A worker that searches for forced wins and losses only.
    pub(crate) fn proving(game: &'a G, root: &G::State, table: &'a Table, budget: &'a SharedBudget<'a>) -> Self {
        Self { proving: true, ..Self::new(game, root, table, budget, [0; 2]) }
    }

    fn make_room(&mut self, like: &G::State, ply: usize) {
        while self.plies.len() <= ply {
            self.plies.push(Ply {
                state: like.clone(),
                actions: Vec::new(),
                open: Vec::new(),
                vain: Vec::new(),
                killers: [None; 2],
                line: Vec::new(),
            });
        }
    }

    /// Prepares the next depth.
    pub(crate) fn begin(&mut self) {
        self.history.fade();
    }

    /// Returns unused positions to the budget.
    pub(crate) fn finish(self) {
        self.budget.give_back(self.left);
    }

    /// The value of a root action for the root's seat. The actions after it are in [`Self::line`].
    pub(crate) fn try_root(
        &mut self,
        seat: Seat,
        action: G::Action,
        depth: i32,
        window: (Score, Score),
    ) -> Option<SearchedValue> {
        self.play(0, action);
        self.look(0, seat, depth - 1, window.0, window.1)
    }

    /// The best actions after the last root action.
    pub(crate) fn line(&self) -> &[G::Action] {
        &self.plies[1].line
    }

    /// Counts a position; `None` when the search is over.
    fn count(&mut self) -> Option<()> {
        if self.left == 0 {
            self.left = self.budget.take(BATCH);
            if self.left == 0 {
                return None;
            }
        }
        self.left -= 1;
        self.nodes += 1;
        Some(())
    }

    fn play(&mut self, ply: usize, action: G::Action) {
        let (here, after) = self.plies.split_at_mut(ply + 1);
        after[0].state.clone_from(&here[ply].state);
        self.game.play_unchecked(&mut after[0].state, action);
    }

    /// The value of the position after the last action, for the seat that played it.
    fn look(&mut self, ply: usize, seat: Seat, depth: i32, alpha: Score, beta: Score) -> Option<SearchedValue> {
        let after = &mut self.plies[ply + 1];
        match self.game.to_act(&after.state) {
            Actor::Terminal => {
                after.line.clear();
                let winners = self.game.outcome(&after.state).expect("the game is over").winners;
                self.count()?;
                let score = match winners {
                    all if all.len() != 1 => self.draws[usize::from(seat)],
                    one if one == SeatSet::one(seat) => WIN - (ply + 1) as Score,
                    _ => (ply + 1) as Score - WIN,
                };
                Some(SearchedValue { score, sure: true })
            }
            Actor::Seat(next) if next == seat => self.value(ply + 1, next, depth, alpha, beta),
            Actor::Seat(next) => Some(-self.value(ply + 1, next, depth, -beta, -alpha)?),
            Actor::Chance => unreachable!("the game has no chance"),
        }
    }

    /// The value of a position for the seat to act: exact between `alpha` and `beta`, otherwise a bound. `None` when the
    /// search is over.
    fn value(
        &mut self,
        ply: usize,
        seat: Seat,
        depth: i32,
        mut alpha: Score,
        mut beta: Score,
    ) -> Option<SearchedValue> {
        self.count()?;
        let (game, wide) = (self.game, beta - alpha > 1);
        self.plies[ply].line.clear();
        let state = &self.plies[ply].state;
        // 1. Immediate wins and bounds.
        let soonest = WIN - (ply + 1) as Score;
        if let Some(action) = game.winning_action(state) {
            self.plies[ply].line.push(action);
            return Some(SearchedValue { score: soonest, sure: true });
        }
        // A win needs at least one action, and a loss at least two.
        (alpha, beta) = (alpha.max((ply + 2) as Score - WIN), beta.min(soonest));
        if alpha >= beta {
            return Some(SearchedValue { score: alpha, sure: true });
        }
        // 2. The maximum depth.
        if depth <= 0 || ply + 1 >= DEEPEST {
            return Some(SearchedValue { score: self.estimate(ply, seat), sure: false });
        }
        // 3. The transposition table.
        let (key, past) = (game.evaluation_key(state), (game.key(state) >> 40) as u16);
        let known = self.table.get(key, ply);
        if let Some(entry) = &known
            && let Some(value) = usable(entry, past, depth, alpha, beta, wide)
        {
            return Some(value);
        }
        // 4. Every action, the best ones first.
        self.list(ply, seat, known.map(|entry| entry.place));
        let (start, mut best, mut best_place) = (alpha, SearchedValue { score: -INFINITE, sure: true }, 0);
        let mut all_sure = true;
        for number in 0.. {
            let Some(place) = self.next(ply) else { break };
            let action = self.plies[ply].actions[usize::from(place)];
            self.play(ply, action);
            let value = if number == 0 {
                self.look(ply, seat, depth - 1, alpha, beta)?
            } else {
                let less = if self.proving { 0 } else { reduction(depth, number) };
                let mut value = self.look(ply, seat, depth - 1 - less, alpha, alpha + 1)?;
                if value.score > alpha && less > 0 {
                    value = self.look(ply, seat, depth - 1, alpha, alpha + 1)?;
                }
                if value.score > alpha && value.score < beta {
                    value = self.look(ply, seat, depth - 1, alpha, beta)?;
                }
                value
            };
            all_sure &= value.sure;
            if value.score > best.score {
                (best, best_place) = (value, place);
                if value.score > alpha {
                    alpha = value.score;
                    if wide {
                        self.keep_line(ply, action);
                    }
                }
                if value.score >= beta {
                    self.refuted(ply, seat, depth, place);
                    break;
                }
            }
            self.plies[ply].vain.push(place);
        }
        // One action proves a lower bound or a win; anything else depends on all actions.
        best.sure = if best.score >= beta || best.score >= WON { best.sure } else { all_sure };
        let bound = match best.score {
            score if score >= beta => Bound::AtLeast,
            score if score <= start => Bound::AtMost,
            _ => Bound::Exactly,
        };
        let entry =
            Entry { score: best.score, depth: depth.min(255) as u8, bound, sure: best.sure, place: best_place, past };
        self.table.put(key, ply, entry);
        Some(best)
    }

    /// The game's estimate of a position for the seat to act.
    fn estimate(&self, ply: usize, seat: Seat) -> Score {
        if self.proving {
            return 0;
        }
        let state = &self.plies[ply].state;
        let logits = self.game.logits(state);
        of_odds(logits[usize::from(seat)] - logits[usize::from(1 - seat)])
    }

    /// Lists the actions of a position and ranks them.
    fn list(&mut self, ply: usize, seat: Seat, known: Option<u16>) {
        self.make_room_after(ply);
        let Ply { state, actions, open, vain, killers, .. } = &mut self.plies[ply];
        actions.clear();
        open.clear();
        vain.clear();
        self.game.legal_actions(state, actions);
        open.extend((0..).zip(actions.iter()).map(|(place, action)| {
            let rank = if known == Some(place) {
                i32::MAX
            } else if killers.contains(&Some(*action)) {
                1 << 20
            } else {
                self.history.of(seat, action)
            };
            (rank, place)
        }));
    }

    fn make_room_after(&mut self, ply: usize) {
        if self.plies.len() == ply + 1 {
            let like = self.plies[ply].state.clone();
            self.make_room(&like, ply + 1);
        }
    }

    /// Takes the action of the highest rank; among equals, the first.
    fn next(&mut self, ply: usize) -> Option<u16> {
        let open = &mut self.plies[ply].open;
        let first = (0..open.len()).max_by_key(|&at| (open[at].0, std::cmp::Reverse(open[at].1)))?;
        Some(open.swap_remove(first).1)
    }

    /// Sets the principal variation to this action and the line after it.
    fn keep_line(&mut self, ply: usize, action: G::Action) {
        let (here, after) = self.plies.split_at_mut(ply + 1);
        here[ply].line.clear();
        here[ply].line.push(action);
        here[ply].line.extend_from_slice(&after[0].line);
    }

    /// Updates history and killers after a cutoff.
    fn refuted(&mut self, ply: usize, seat: Seat, depth: i32, place: u16) {
        let Ply { actions, vain, killers, .. } = &mut self.plies[ply];
        let (action, praise) = (actions[usize::from(place)], (16 * depth * depth).min(2_000));
        self.history.learn(seat, &action, praise);
        for &place in vain.iter() {
            self.history.learn(seat, &actions[usize::from(place)], -praise);
        }
        if killers[0] != Some(action) {
            *killers = [Some(action), killers[0]];
        }
    }
}

/// The value of an entry, if it suffices for the window.
///
/// A proof is valid at any depth, but only with the same history. An estimate is valid up to the depth of its search.
fn usable(entry: &Entry, past: u16, depth: i32, alpha: Score, beta: Score, wide: bool) -> Option<SearchedValue> {
    let sure = entry.sure && entry.past == past;
    if !sure && (wide || i32::from(entry.depth) < depth) {
        return None;
    }
    let score = if sure { entry.score } else { unproven(entry.score) };
    let enough = match entry.bound {
        Bound::Exactly => true,
        Bound::AtLeast => score >= beta,
        Bound::AtMost => score <= alpha,
    };
    enough.then_some(SearchedValue { score, sure })
}

/// The depth reduction of a late action (late move reduction).
fn reduction(depth: i32, number: usize) -> i32 {
    match (depth, number) {
        (..3, _) | (_, ..4) => 0,
        (..6, _) | (_, ..12) => 1,
        _ => 2,
    }
}
