//! Actions that win at once, found without playing them on the whole state.

use tavola_core::Seat;

use crate::actions::ActionKind;
use crate::board::{Cell, Cells, LINES, REACH, each};
use crate::pieces::{BLUE, Goal, Trade, YELLOW, tile};
use crate::rules::Proteus;
use crate::state::{Board, THREE};

impl Proteus {
    /// Plays an action of the movement phase on the board alone, flips included.
    #[inline]
    pub(crate) fn board_after(board: &Board, kind: ActionKind) -> Board {
        let mut after = *board;
        let pairs = match kind {
            ActionKind::Move(from, to) => Self::walk(&mut after, from, to),
            ActionKind::Trade(one, other) => Self::exchange(&mut after, one, other),
            ActionKind::Tile(..) | ActionKind::Counter(..) | ActionKind::Pass => return after,
        };
        after.turn_up(pairs & !board.ups());
        after
    }

    /// An action of the movement phase by which the seat wins at once.
    ///
    /// Only those are tried that bring the third counter where the goal asks for it, or turn the goal itself.
    #[inline]
    pub(crate) fn find_win(&self, board: &Board, seat: Seat) -> Option<ActionKind> {
        self.find_other_win(board, seat, None)
    }

    /// The same, but another than this one.
    #[inline]
    pub(crate) fn find_other_win(&self, board: &Board, seat: Seat, known: Option<ActionKind>) -> Option<ActionKind> {
        if self.lacks_colour(board) {
            return self.first_win(board, seat, known, self.actions_while_missing(board, seat).into_iter());
        }
        let own = board.counters_of(seat);
        if self.goals.satisfied(board, own) {
            // The rival satisfies it too, or has brought this about by an action: all are tried.
            return self.first_win(board, seat, known, self.kinds(board, seat));
        }
        let completing = |group: Cells| {
            // One counter is outside the group, and one cell of the group lacks an own counter.
            ((group & own).count_ones() == 2).then_some((own & !group, group & !own))
        };
        let yellow = board.up(YELLOW).map(|shape| self.faces.goals[shape as usize])?;
        let walks = |(from, to): (Cells, Cells)| Self::walk_between(board, from, to);
        let trades = |(one, other): (Cells, Cells)| self.trade_between(board, one, other);
        let groups =
            [0, 1, 2].map(|group| if yellow == Goal::Color { board.coloured(group) } else { board.shaped(group) });
        let found = if yellow == Goal::Line {
            self.first_win(board, seat, known, LINES.into_iter().filter_map(completing).filter_map(walks))
        } else {
            let pairs = groups.into_iter().filter_map(completing);
            self.first_win(board, seat, known, pairs.flat_map(|pair| [walks(pair), trades(pair)]).flatten())
        };
        found.or_else(|| {
            let turned = [0, 1, 2].into_iter().filter(|&shape| !board.is_up(tile(YELLOW, shape)));
            let turning = turned.flat_map(|shape| {
                let to = board.coloured(YELLOW) & board.shaped(shape);
                let [mine, other] = [seat, 1 - seat].map(|seat| board.under(3 * seat + shape));
                [walks((mine, to)), trades((mine, to)), trades((other, to))]
            });
            self.first_win(board, seat, known, turning.flatten())
        })
    }

    #[inline]
    fn first_win(
        &self,
        board: &Board,
        seat: Seat,
        known: Option<ActionKind>,
        mut kinds: impl Iterator<Item = ActionKind>,
    ) -> Option<ActionKind> {
        kinds.find(|&kind| Some(kind) != known && self.goals.winner(&Self::board_after(board, kind)) == Some(seat))
    }

    /// The move from one cell to another, each as a set, if it is legal for its owner.
    #[inline]
    fn walk_between(board: &Board, from: Cells, to: Cells) -> Option<ActionKind> {
        let from = from.trailing_zeros() as Cell;
        let reach = REACH[usize::from(board.ups() & 7)][usize::from(from & 15)] & !board.occupied();
        (reach & to != 0).then(|| ActionKind::Move(from, to.trailing_zeros() as Cell))
    }

    /// The trade of the tiles of two different cells, each as a set, if it is legal.
    #[inline]
    fn trade_between(&self, board: &Board, one: Cells, other: Cells) -> Option<ActionKind> {
        let cells = [one, other].map(|cells| cells.trailing_zeros() as Cell);
        let common = board.bits_at(cells[0]) & board.bits_at(cells[1]);
        let legal = match self.trade_rule(board) {
            Trade::Polarity => {
                let [black, white] = [0, 1].map(|seat| board.counters_of(seat));
                black & one != 0 && white & other != 0 || black & other != 0 && white & one != 0
            }
            Trade::Color => common & THREE != 0,
            Trade::Shape => common & !THREE != 0,
        };
        // As `kinds` has it: the lower cell first.
        (legal && one != other).then(|| ActionKind::Trade(cells[0].min(cells[1]), cells[0].max(cells[1])))
    }

    /// All moves and trades of a seat under the active rules.
    pub(crate) fn kinds(&self, board: &Board, seat: Seat) -> impl Iterator<Item = ActionKind> {
        let (board, free) = (*board, !board.occupied());
        let rule = board.up(BLUE).map(|_| self.trade_rule(&board));
        let walks = (0..3).flat_map(move |shape| {
            let from = board.counter_cell(3 * seat + shape);
            each(REACH[usize::from(board.ups() & 7)][from as usize] & free).map(move |to| ActionKind::Move(from, to))
        });
        let trades = rule.into_iter().flat_map(move |rule| (0..9).map(move |place| Self::trade(&board, rule, place)));
        walks.chain(trades.map(|(one, other)| ActionKind::Trade(one, other)))
    }
}

#[cfg(test)]
mod tests {
    use tavola_core::{Compiled, Game, Options, Playout, Random};

    use super::*;

    #[test]
    fn a_win_at_once_is_found_exactly_where_trying_all_finds_one() {
        let mut random = Random::new(5);
        for options in ["", "rules=kadon faces=30", "faces=12", "rules=kadon faces=55", "rules=literal faces=41"] {
            let game = Proteus::new(&Options::parse(Proteus::INFO, options).expect("valid options"));
            let (mut wins, mut none) = (0, 0);
            for _ in 0..400 {
                let mut state = game.start();
                while state.end.is_none() {
                    if state.count.is_some() {
                        for seat in [0, 1] {
                            let found = game.find_win(&state.board, seat);
                            let all: Vec<_> = if game.lacks_colour(&state.board) {
                                game.actions_while_missing(&state.board, seat)
                            } else {
                                game.kinds(&state.board, seat).collect()
                            };
                            let kinds = || all.iter().copied();
                            let tried = game.first_win(&state.board, seat, None, kinds());
                            assert_eq!(found.is_some(), tried.is_some(), "{state:?}: {found:?}, {tried:?}");
                            if let Some(first) = found {
                                let second = game.find_other_win(&state.board, seat, found);
                                let tried = game.first_win(&state.board, seat, found, kinds());
                                assert_eq!(second.is_some(), tried.is_some(), "{state:?}: beside {first:?}");
                            }
                            *(if found.is_some() { &mut wins } else { &mut none }) += 1;
                        }
                    }
                    game.play_random_action(&mut state, &mut random);
                }
            }
            assert!(wins > 2_000 && none > 2_000, "{wins} {none}");
        }
    }

    #[test]
    fn sensible_play_ends_games_sooner_and_takes_every_win() {
        let game = Proteus::new(&Options::new(Proteus::INFO, []).expect("the defaults"));
        let mut random = Random::new(6);
        for _ in 0..300 {
            let mut state = game.start();
            while state.end.is_none() {
                let (seat, wins) = (state.seat, game.winning_action(&state).is_some());
                let action = game.rollout_action(&state, &mut random);
                game.play_unchecked(&mut state, action);
                let won = state.end.and_then(|end| end.winner) == Some(seat);
                assert!(won || !wins, "{state:?}");
            }
        }
    }
}
