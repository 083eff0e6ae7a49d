/** The terms of a match in words. */
import { m } from '../../messages';
import { translateOr } from '../i18n/catalogue.svelte';
import { timeControlLabel } from '../match/timeControl';
import type { GameSummary, Options, TimeControl } from '../api/types';
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

/** The options that are not the default, the time control, and whether it is rated. */
export const matchTerms = (
  game: GameSummary,
  { options, time, rated }: { options: Options; time: TimeControl | null | undefined; rated: boolean },
): string[] => [
  ...unusualOptions(game, options),
  ...(time ? [timeControlLabel(time)] : []),
  ...(rated ? [m.rated()] : []),
];
