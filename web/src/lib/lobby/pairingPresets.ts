/** The presets of quick pairing: two clocks for each game and number of seats. */
import { TIME_CONTROLS } from '../match/timeControl';
import { PLAYERS } from './options';
import type { GameSummary, Options, TimeControl } from '../api/types';

export interface Preset {
  /** Equal for equal presets. */
  key: string;
  game: string;
  seats: number;
  options: Options;
  time: TimeControl;
}

const COUNT = 2;
/** The minutes of a game for each step of its weight, if its designer names none. */
const MINUTES_BY_WEIGHT = 10;

const clocks = TIME_CONTROLS.filter((time) => time.kind === 'main');

/** The options for a number of seats; null: the game has no such number. */
function optionsFor({ seats: [least, most], options }: GameSummary, seats: number): Options | null {
  const players = options.find(({ name }) => name === PLAYERS);
  if (players?.values.includes(String(seats))) return { [PLAYERS]: seats };
  return least === seats && most === seats ? {} : null;
}

/** The numbers of seats of all games. */
export const seatCounts = (games: readonly GameSummary[]): number[] =>
  [...new Set(games.flatMap(({ seats: [least, most] }) => range(least, most)))].sort((a, b) => a - b);

const range = (least: number, most: number) =>
  Array.from({ length: most - least + 1 }, (_, index) => least + index);

/** The slowest clock with which the game takes no longer than usual, and the faster one before it. */
export function presetsOf(game: GameSummary, seats: number): Preset[] {
  const options = optionsFor(game, seats);
  if (options === null) return [];
  const minutes = game.minutes?.[0] ?? game.weight * MINUTES_BY_WEIGHT;
  const usual = clocks.findLastIndex(({ seconds }) => seconds * seats <= minutes * 60);
  const first = Math.max(usual - COUNT + 1, 0);
  return clocks.slice(first, first + COUNT).map((time) => {
    const key = [game.name, seats, JSON.stringify(time)].join(' ');
    return { key, game: game.name, seats, options, time };
  });
}
