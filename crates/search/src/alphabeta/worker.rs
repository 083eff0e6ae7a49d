//! One thread's search: principal variations, and everything else only refuted.

use tavola_core::{Actor, Evaluate, Game, Playout, Seat, SeatSet};

use super::order::History;
use super::score::{INFINITE, Score, Value, WIN, WON, of_odds, unproven};
use super::table::{Bound, Entry, Table};
use crate::budget::SharedBudget;

/// More actions ahead than this nobody looks.
pub(crate) const DEEPEST: usize = 250;

/// So many positions are taken off the budget at a time: a fraction of a millisecond's work.
const BATCH: u64 = 128;

/// What a position has on the way from the root: its room is kept from one to the next.
struct Ply<G: Game> {
    state: G::State,
    actions: Vec<G::Action>,
    /// The places of the actions that are still to be looked at, each with its rank.
    open: Vec<(i32, u16)>,
    /// The actions tried in vain before the one that is tried.
    vain: Vec<u16>,
    /// Actions that refuted other positions at this distance from the root.
    killers: [Option<G::Action>; 2],
    /// The best actions from here on, as far as they are known.
    line: Vec<G::Action>,
}

/// One thread at work.
pub(crate) struct Worker<'a, G: Playout + Evaluate> {
    game: &'a G,
    table: &'a Table,
    budget: &'a SharedBudget<'a>,
    /// What a draw is worth to each seat.
    draws: [Score; 2],
    /// Whether only what is certain is of interest: no estimates then, and every action is looked at equally deep.
    proving: bool,
    /// How many positions may be looked at before the budget must be asked again.
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

    /// One that looks for wins and losses alone.
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

    /// Before each deepening.
    pub(crate) fn begin(&mut self) {
        self.history.fade();
    }

    /// What was taken off the budget and not used goes back.
    pub(crate) fn finish(self) {
        self.budget.give_back(self.left);
    }

    /// What an action of the root is worth to the root's seat; the actions that would follow are in [`Self::line`].
    pub(crate) fn try_root(
        &mut self,
        seat: Seat,
        action: G::Action,
        depth: i32,
        window: (Score, Score),
    ) -> Option<Value> {
        self.play(0, action);
        self.look(0, seat, depth - 1, window.0, window.1)
    }

    /// What would follow the action of the root that was tried last.
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

    /// What the position after the action just played is worth to the seat that played it.
    fn look(&mut self, ply: usize, seat: Seat, depth: i32, alpha: Score, beta: Score) -> Option<Value> {
        let after = &mut self.plies[ply + 1];
        match self.game.to_act(&after.state) {
            Actor::Terminal => {
                after.line.clear();
                let winners = self.game.outcome(&after.state).expect("nobody acts: it is over").winners;
                self.count()?;
                let score = match winners {
                    all if all.len() != 1 => self.draws[usize::from(seat)],
                    one if one == SeatSet::one(seat) => WIN - (ply + 1) as Score,
                    _ => (ply + 1) as Score - WIN,
                };
                Some(Value { score, sure: true })
            }
            Actor::Seat(next) if next == seat => self.value(ply + 1, next, depth, alpha, beta),
            Actor::Seat(next) => Some(-self.value(ply + 1, next, depth, -beta, -alpha)?),
            Actor::Chance => unreachable!("the game has no chance"),
        }
    }

    /// What a position is worth to the seat that acts there: exactly if it lies between `alpha` and `beta`, else at most
    /// or at least so much. `None` when the search is over.
    fn value(&mut self, ply: usize, seat: Seat, depth: i32, mut alpha: Score, mut beta: Score) -> Option<Value> {
        self.count()?;
        let (game, wide) = (self.game, beta - alpha > 1);
        self.plies[ply].line.clear();
        let state = &self.plies[ply].state;
        // 1. What is certain at once.
        let soonest = WIN - (ply + 1) as Score;
        if let Some(action) = game.winning_action(state) {
            self.plies[ply].line.push(action);
            return Some(Value { score: soonest, sure: true });
        }
        // No win comes sooner than with the next action, no loss sooner than with the one after it.
        (alpha, beta) = (alpha.max((ply + 2) as Score - WIN), beta.min(soonest));
        if alpha >= beta {
            return Some(Value { score: alpha, sure: true });
        }
        // 2. The end of foresight.
        if depth <= 0 || ply + 1 >= DEEPEST {
            return Some(Value { score: self.estimate(ply, seat), sure: false });
        }
        // 3. What is known of the position.
        let (key, past) = (game.evaluation_key(state), (game.key(state) >> 40) as u16);
        let known = self.table.get(key, ply);
        if let Some(entry) = &known
            && let Some(value) = usable(entry, past, depth, alpha, beta, wide)
        {
            return Some(value);
        }
        // 4. Every action, the best ones first.
        self.list(ply, seat, known.map(|entry| entry.place));
        let (start, mut best, mut best_place) = (alpha, Value { score: -INFINITE, sure: true }, 0);
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
        // One action is enough for a lower bound and for a win; anything else hangs on all.
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

    /// What the game's folder expects of a position for the seat that acts there.
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

    /// The best line goes on with this action and what was found after it.
    fn keep_line(&mut self, ply: usize, action: G::Action) {
        let (here, after) = self.plies.split_at_mut(ply + 1);
        here[ply].line.clear();
        here[ply].line.push(action);
        here[ply].line.extend_from_slice(&after[0].line);
    }

    /// Learns from an action that was too good, and from those tried in vain before it.
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

/// What an entry says of a position, if that is enough.
///
/// What is certain holds at any depth, but only with the same past; estimates hold at the depth they were made with.
fn usable(entry: &Entry, past: u16, depth: i32, alpha: Score, beta: Score, wide: bool) -> Option<Value> {
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
    enough.then_some(Value { score, sure })
}

/// By how many actions less deep an action is looked at first that comes late in the order.
fn reduction(depth: i32, number: usize) -> i32 {
    match (depth, number) {
        (..3, _) | (_, ..4) => 0,
        (..6, _) | (_, ..12) => 1,
        _ => 2,
    }
}
