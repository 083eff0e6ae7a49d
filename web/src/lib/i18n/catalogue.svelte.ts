/** The games that the server knows, and how they speak. */
import * as m from '../../paraglide/messages';
import { games } from '../api/matches';
import type { Grammar, Say } from '../board/describe';
import { settings } from '../platform/settings.svelte';
import type { Text } from '../api/view';
import { has, say } from './translate';
import type { GameInfo } from '../api/types';

export const catalogue: { games: GameInfo[] | null } = $state({ games: null });

let asked: Promise<GameInfo[]> | null = null;

/** Asks once; again after a failure. */
export function loadCatalogue(): Promise<GameInfo[]> {
  asked ??= games(settings.language).then(
    (known) => (catalogue.games = known),
    (error: unknown) => {
      asked = null;
      throw error;
    },
  );
  return asked;
}

/** A game's way of saying texts in the language of the page. */
export function speaker(game: GameInfo): Say {
  return (text) => say(game.words[settings.language], settings.language, text);
}

/** The text if the game has a word for it, else what stands in. */
export function sayOr(game: GameInfo, text: Text, otherwise: string): string {
  return has(game.words[settings.language], text.key) ? speaker(game)(text) : otherwise;
}

/** "Red, Blue and Green" */
export const together = (names: string[]): string => new Intl.ListFormat(settings.language).format(names);

export const grammar: Grammar = {
  list: (parts) => parts.filter((part) => part !== '').join(m.list_comma()),
  apart: (parts) => parts.join(m.list_apart()),
  times: (count, what) => m.times({ count, what }),
  labelled: (label, what) => m.labelled({ label, what }),
};
