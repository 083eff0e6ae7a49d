/** How a match ended, in words. */
import { m } from '../../messages';
import { formatList } from '../i18n/formats';
import { format } from '../i18n/languages';
import type { Translate } from '../board/describe';
import type { Result } from '../api/types';

/** The winners, or how it ended without one; `own`: the only seat that is played here, if there is one. */
export function resultHeading(
  { winners, reason }: Pick<Result, 'winners' | 'reason'>,
  seatName: (seat: number) => string,
  own: number | null = null,
): string {
  if (winners.length === 0) return reason === 'aborted' ? m.result_none() : m.result_draw();
  if (winners.length > 1) return m.result_shared({ seats: formatList(winners.map(seatName)) });
  const [winner = 0] = winners;
  return winner === own ? m.result_you_win() : m.result_win({ seat: seatName(winner) });
}

export function resultReason(result: Result, t: Translate, seatName: (seat: number) => string): string {
  if (result.text) return t(result.text);
  return format(`result_${result.reason}`, { seat: seatName(result.loser ?? 0) });
}
