/** The cross table of a tournament. */
import type { TournamentView } from '../api/server';

/**
 * The boards of a player by round: opponents by place, and points. A bye is a dash, and a round
 * in which the player was not paired is empty. An arena has no rounds, but its boards in order.
 */
export function crossRow(
  view: Pick<TournamentView, 'rounds' | 'settings'>,
  place: ReadonlyMap<number, number>,
  player: number,
  format: (points: number) => string,
): string[] {
  return view.rounds.flatMap(({ boards, byes }) => {
    if (byes.includes(player)) return ['–'];
    const cells = boards
      .filter(({ players }) => players.includes(player))
      .map(({ players, points }) => {
        const others = players.filter((other) => other !== player).map((other) => place.get(other));
        const own = points?.[players.indexOf(player)];
        return `${others.join('·')}${own === undefined ? ' …' : ` (${format(own)})`}`;
      });
    return cells.length > 0 || view.settings.format === 'arena' ? cells : [''];
  });
}
