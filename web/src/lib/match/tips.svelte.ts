/** The tips that this user has seen, by game; stored in the browser. */
import { isListOf, isMapOf, isText } from '../platform/checks';
import { save, load } from '../platform/storage';

/** A tip for a kind of decision: the word `explain.PROMPT`. */
export interface Tip {
  prompt: string;
  /** The clause of the rule book. */
  clause: string;
}

const KEY = 'tavola.explained';

let explained: Record<string, string[]> = $state.raw(load(KEY, {}, isMapOf(isListOf(isText))));

/** Whether the tip of a prompt was shown. */
export const wasTipShown = (game: string, prompt: string): boolean =>
  explained[game]?.includes(prompt) ?? false;

export function markTipShown(game: string, prompt: string): void {
  if (wasTipShown(game, prompt)) return;
  explained = { ...explained, [game]: [...(explained[game] ?? []), prompt] };
  save(KEY, explained);
}

/** Shows all tips again. */
export function resetTips(): void {
  explained = {};
  save(KEY, explained);
}
