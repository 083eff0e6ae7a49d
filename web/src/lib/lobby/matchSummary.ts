/** Texts about a stored match. */
import { m } from '../../messages';
import type { Translate } from '../board/describe';
import { resultHeading } from '../match/result';
import type { SavedMatch } from './matchStore';

/** Names of the other players. */
export function opponents({ who = [] }: SavedMatch, t: Translate): string {
  const others = who.filter(({ yours }) => !yours);
  if (who.length === 0) return '';
  if (others.length === 0) return who.length === 2 ? m.play_two() : m.play_people({ count: who.length });
  const names = others.map(({ kind, name, called }) => name || (kind === 'engine' ? m.engine() : t(called)));
  return m.versus({ who: [...new Set(names)].join(m.list_comma()) });
}

/** The result, or that the match continues. */
export function summaryStatus({ over, who = [], winners, aborted }: SavedMatch, t: Translate): string {
  if (!over) return m.status_in_progress();
  if (!winners || winners.some((seat) => !who[seat])) return m.status_finished();
  const alone = who.filter(({ yours }) => yours).length === 1;
  const own = alone ? who.findIndex(({ yours }) => yours) : null;
  const name = (seat: number) => t(who[seat]?.called ?? { key: `seat.${seat}` });
  return resultHeading({ winners, reason: aborted ? 'aborted' : '' }, name, own);
}
