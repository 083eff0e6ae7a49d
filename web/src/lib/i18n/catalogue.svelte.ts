/** The games of the server and their texts. */
import { m } from '../../messages';
import { fetchGame, listGames } from '../api/matches';
import type { Grammar, Translate } from '../board/describe';
import { settings } from '../platform/settings.svelte';
import type { Text } from '../api/view';
import { completed, inLanguage } from './languages';
import { hasText, translate, withoutCoordinates } from './translate';
import type { GameInfo, GameSummary } from '../api/types';

/** The lightest game first. */
export const catalogue: { games: GameSummary[] | null } = $state({ games: null });

let asked: Promise<GameSummary[]> | null = null;

/** Fetches the games once; again after a failure. */
export function loadCatalogue(): Promise<GameSummary[]> {
  asked ??= listGames().then(
    (known) => {
      const games = known
        .map((game) => ({ ...game, words: completed(game.words) }))
        .sort((a, b) => a.weight - b.weight);
      catalogue.games = games;
      return games;
    },
    (error: unknown) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}

const whole = new Map<string, Promise<GameInfo>>();

/** Fetches what the board of a game needs, once; again after a failure. */
export function loadGame(name: string): Promise<GameInfo> {
  const known =
    whole.get(name) ?? fetchGame(name).then((game) => ({ ...game, words: completed(game.words) }));
  whole.set(name, known);
  known.catch(() => whole.delete(name));
  return known;
}

/** Returns a function that translates a game's texts into the language of the page. */
export function translator(game: Pick<GameSummary, 'words'>): Translate {
  return (text) => translate(inLanguage(game.words), settings.language, text);
}

/** The title of the game with this name; of an unknown one, its name. */
export function titleOf(games: readonly Pick<GameSummary, 'name' | 'words'>[], name: string): string {
  const game = games.find((one) => one.name === name);
  return game ? translator(game)({ key: 'game.title' }) : name;
}

/** The same as `translator` for texts on screen: without coordinates, unless they are shown on the board. */
export function screenTranslator(game: GameInfo): Translate {
  const t = translator(game);
  return (text) => t(settings.values ? text : withoutCoordinates(inLanguage(game.words), text));
}

/** The game's text, or `otherwise` if it has none. */
export function translateOr(game: GameSummary, text: Text, otherwise: string): string {
  return hasText(inLanguage(game.words), text.key) ? translator(game)(text) : otherwise;
}

export const grammar: Grammar = {
  list: (parts) => parts.filter((part) => part !== '').join(m.list_comma()),
  apart: (parts) => parts.join(m.list_apart()),
  times: (count, what) => m.count_of({ count, what }),
  labelled: (label, what) => m.labelled({ label, what }),
};
