/** How a match ended, in words. */
import * as m from '../../paraglide/messages';
import type { Translate } from '../board/describe';
import type { Result } from '../api/types';

export function resultReason(result: Result, t: Translate, seatName: (seat: number) => string): string {
  if (result.text) return t(result.text);
  const seat = seatName(result.loser ?? 0);
  switch (result.reason) {
    case 'resigned':
      return m.result_resigned({ seat });
    case 'time':
      return m.result_time({ seat });
    case 'agreed':
      return m.result_agreed();
    default:
      return m.result_aborted();
  }
}
