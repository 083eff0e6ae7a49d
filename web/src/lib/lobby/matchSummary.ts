/** Texts about a stored match. */
import * as m from '../../paraglide/messages';
import type { Translate } from '../board/describe';
import { resultHeading } from '../match/result';
import { settings } from '../platform/settings.svelte';
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

export const formatDate = (at: number) =>
  new Intl.DateTimeFormat(settings.language, { dateStyle: 'medium', timeStyle: 'short' }).format(at);

const UNITS = [
  ['day', 86_400],
  ['hour', 3600],
  ['minute', 60],
] as const;

/** The age in the largest unit that fits: "3 hours ago". */
export function formatAge(at: number, now: number): string {
  const seconds = Math.max(0, (now - at) / 1000);
  const format = new Intl.RelativeTimeFormat(settings.language, { numeric: 'auto' });
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? (['second', 1] as const);
  return unit === 'second' ? format.format(0, 'second') : format.format(-Math.floor(seconds / length), unit);
}
