/** What went wrong, in the reader's language. */
import * as m from '../../paraglide/messages';
import type { Problem, Snapshot } from './types';

const OURS: Record<string, () => string> = {
  offline: m.error_offline,
  stale: m.error_stale,
  'unknown-match': m.error_unknown_match,
  over: m.error_over,
  'not-your-turn': m.error_not_your_turn,
  'not-your-seat': m.error_not_your_turn,
  'nothing-to-undo': m.error_nothing_to_undo,
  'confirm-first': m.error_confirm_first,
  paused: m.error_paused,
  'cannot-ask': m.error_cannot_ask,
  'answer-first': m.error_answer_first,
  'declined-before': m.error_declined_before,
  'said-enough': m.error_said_enough,
  'too-fast': m.error_too_fast,
  'thought-enough': m.error_thought_enough,
  storage: m.error_storage,
  stopping: m.error_stopping,
  internal: m.error_internal,
};

/** Ours follow the page's language at once; the rest are said by the server in the language of the request. */
export const errorMessage = ({ code, message }: Problem) => OURS[code]?.() ?? (message || m.error_internal());

/** Why there is nothing to touch at all; `mine`: whether somebody here is to act. */
export function noActionReason(now: Snapshot | null, mine: boolean): string {
  if (!now || now.status === 'over') return m.remark_over();
  if (now.paused) return m.paused();
  if (!mine) return m.remark_not_your_turn();
  if (now.status === 'confirming') return m.remark_confirm_first();
  return m.remark_nothing();
}
