/** The players and the result of an archived game, in words. */
import { m } from '../../messages';
import { translateOr } from '../i18n/catalogue.svelte';
import type { GameSummary, Seat } from '../api/types';

/** The name of a player: of an engine its level, or its nodes. */
export function playerName({ kind, name, level, agent, deleted }: Seat, called: string): string {
  if (kind === 'person') return deleted ? m.seat_deleted() : name || called;
  if (agent) return agent;
  if (level) return m.engine_level({ level });
  const nodes = /\bnodes=(\d+)/.exec(name)?.[1];
  return nodes === undefined ? name || m.engine() : m.archive_engine_nodes({ nodes });
}

/** The name of a seat. */
export const seatName =
  (game: GameSummary) =>
  (seat: number): string =>
    translateOr(game, { key: `seat.${seat}` }, String(seat + 1));
