/** The options of a game. */
import type { GameSummary, Options } from '../api/types';

/** The option that sets the number of seats, in every game that has one. */
export const PLAYERS = 'players';

/** The default value of every option. */
export const defaultOptions = (game: GameSummary): Options =>
  Object.fromEntries(
    game.options.flatMap(({ name, values: [first] }) => (first === undefined ? [] : [[name, first]])),
  );
