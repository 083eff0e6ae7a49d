/** The games of the server and their texts. */
import * as m from '../../messages';
import { listGames } from '../api/matches';
import type { Grammar, Translate } from '../board/describe';
import { settings } from '../platform/settings.svelte';
import type { Text } from '../api/view';
import { completed, inLanguage } from './languages';
import { hasText, translate, withoutCoordinates } from './translate';
import type { GameInfo } from '../api/types';

/** Games without a weight are of the medium one. */
export const weightOf = ({ theme }: GameInfo): number => theme.weight ?? 2;

/** The lightest game first. */
export const catalogue: { games: GameInfo[] | null } = $state({ games: null });

let asked: Promise<GameInfo[]> | null = null;

/** Fetches the games once; again after a failure. */
export function loadCatalogue(): Promise<GameInfo[]> {
  asked ??= listGames().then(
    (known) => {
      const games = known
        .map((game) => ({ ...game, words: completed(game.words) }))
        .sort((a, b) => weightOf(a) - weightOf(b));
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

/** Returns a function that translates a game's texts into the language of the page. */
export function translator(game: GameInfo): Translate {
  return (text) => translate(inLanguage(game.words), settings.language, text);
}

/** The same for texts on screen: without coordinates, unless they are shown on the board. */
export function screenTranslator(game: GameInfo): Translate {
  const t = translator(game);
  return (text) => t(settings.values ? text : withoutCoordinates(inLanguage(game.words), text));
}

/** The game's text, or `otherwise` if it has none. */
export function translateOr(game: GameInfo, text: Text, otherwise: string): string {
  return hasText(inLanguage(game.words), text.key) ? translator(game)(text) : otherwise;
}

export const grammar: Grammar = {
  list: (parts) => parts.filter((part) => part !== '').join(m.list_comma()),
  apart: (parts) => parts.join(m.list_apart()),
  times: (count, what) => m.count_of({ count, what }),
  labelled: (label, what) => m.labelled({ label, what }),
};
