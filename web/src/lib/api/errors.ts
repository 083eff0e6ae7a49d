/** Error messages in the language of the page. */
import { m } from '../../messages';
import type { Problem, Snapshot } from './types';

const OURS: Record<string, () => string> = {
  offline: m.error_offline,
  stale: m.error_stale,
  'unknown-match': m.error_game_not_found,
  over: m.error_over,
  'not-your-turn': m.error_not_your_turn,
  'not-your-seat': m.error_not_your_turn,
  'nothing-to-undo': m.error_nothing_to_undo,
  'confirm-first': m.error_confirm_first,
  paused: m.error_paused,
  'cannot-ask': m.error_cannot_ask,
  'answer-first': m.error_answer_first,
  'declined-before': m.error_declined_before,
  'chat-limit': m.error_chat_limit,
  'too-fast': m.error_too_fast,
  'analysis-limit': m.error_analysis_limit,
  storage: m.error_storage,
  'no-core': m.error_no_core,
  'no-webassembly': m.error_no_webassembly,
  'core-crashed': m.error_core_crashed,
  'unknown-game': m.error_unknown_game,
  'no-game': m.error_no_game,
  'unknown-analysis': m.analysis_unknown,
  'bad-analysis-link': m.analysis_bad_link,
  'illegal-line': m.error_illegal_line,
  stopping: m.error_stopping,
  internal: m.error_internal,
};

/** Known codes follow the page's language; other messages come from the server. */
export const errorMessage = ({ code, message }: Problem) => OURS[code]?.() ?? (message || m.error_internal());

/** Why nothing can be selected; `mine`: whether it is the turn of a player here. */
export function noActionReason(now: Snapshot | null, mine: boolean): string {
  if (!now || now.status === 'over') return m.error_over();
  if (now.paused) return m.paused();
  if (!mine) return m.error_not_your_turn();
  if (now.status === 'confirming') return m.error_confirm_first();
  return m.rejection_nothing();
}
