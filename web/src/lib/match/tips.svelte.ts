/** Which kinds of decision have been explained to this person, game by game: each once, remembered in the browser. */
import { keep, load } from '../platform/storage';

const KEY = 'tavola.explained';

let explained: Record<string, string[]> = $state.raw(load(KEY, {}));

/** Whether a prompt of a game has been explained. */
export const wasExplained = (game: string, prompt: string): boolean =>
  explained[game]?.includes(prompt) ?? false;

export function setExplained(game: string, prompt: string): void {
  if (wasExplained(game, prompt)) return;
  explained = { ...explained, [game]: [...(explained[game] ?? []), prompt] };
  keep(KEY, explained);
}

/** From the beginning again. */
export function forgetExplained(): void {
  explained = {};
  keep(KEY, explained);
}
