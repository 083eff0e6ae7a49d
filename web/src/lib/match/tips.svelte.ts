/** Which kinds of decision have been explained to this person, game by game: each once, remembered in the browser. */
import { save, load } from '../platform/storage';

const KEY = 'tavola.explained';

let explained: Record<string, string[]> = $state.raw(load(KEY, {}));

/** Whether a prompt of a game has been explained. */
export const wasTipShown = (game: string, prompt: string): boolean =>
  explained[game]?.includes(prompt) ?? false;

export function markTipShown(game: string, prompt: string): void {
  if (wasTipShown(game, prompt)) return;
  explained = { ...explained, [game]: [...(explained[game] ?? []), prompt] };
  save(KEY, explained);
}

/** From the beginning again. */
export function resetTips(): void {
  explained = {};
  save(KEY, explained);
}
