/** The names of players on the Live page. */
import { m } from '../messages';
import type { Seat } from '../lib/api/types';

/** The name of the player at a seat, or a word for a player without a name. */
export const playerName = ({ name, kind }: Pick<Seat, 'name' | 'kind'>): string =>
  name || (kind === 'engine' ? m.engine() : m.anonymous());
