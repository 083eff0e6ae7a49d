/** The options of a game in words. */
import { translateOr } from '../i18n/catalogue.svelte';
import type { GameSummary, Options } from '../api/types';
import { PLAYERS } from './options';

export const optionName = (game: GameSummary, name: string): string =>
  translateOr(game, { key: `option.${name}` }, name);

export const valueName = (game: GameSummary, name: string, value: Options[string]): string =>
  translateOr(game, { key: `option.${name}.${value}` }, String(value));

/** The options that are not the default. The number of players is shown in other ways. */
export const unusualOptions = (game: GameSummary, options: Options): string[] =>
  game.options.flatMap(({ name, values: [first] }) => {
    const value = options[name];
    const usual = name === PLAYERS || value === undefined || String(value) === String(first);
    return usual ? [] : [valueName(game, name, value)];
  });
