/** The tips that this user has seen, by game; stored in the browser. */
import { isListOf, isMapOf, isText } from '../platform/checks';
import { save, load } from '../platform/storage';

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
