/** Beginning a match: the seats and options that a person chooses, or the sensible ones. */
import { make } from './api';
import { go } from './route.svelte';
import { settings } from './settings.svelte';
import { keep, load, saveMatch } from './storage';
import type { GameInfo, MatchRequest, Options, SeatRequest } from './wire';

/** The engines of every game, the weakest first. */
export const LEVELS = [1, 2, 3, 4, 5, 6, 7, 8] as const;
/** For who has not chosen: somebody who has just read the rules should have a chance. */
export const USUAL_LEVEL = 3;

export const person: SeatRequest = { kind: 'person', name: '' };
export const engine = (level: number): SeatRequest => ({ kind: 'engine', level });

/** The first value of every option. */
export const usual = (game: GameInfo): Options =>
  Object.fromEntries(
    game.options.flatMap(({ name, values: [first] }) => (first === undefined ? [] : [[name, first]])),
  );

/** One person against the computer, or people only. */
export const seatsFor = (count: number, people: boolean): SeatRequest[] =>
  Array.from({ length: count }, (_, seat) => (people || seat === 0 ? person : engine(USUAL_LEVEL)));

/** What was asked for last, so that "play again" asks for the same. */
const lastKey = (match: string) => `tavola.request.${match}`;

export const requestOf = (match: string) => load<MatchRequest | null>(lastKey(match), null);

export async function begin(request: MatchRequest): Promise<void> {
  const { match, tokens } = await make(request, settings.language);
  saveMatch({ match, game: request.game, tokens, at: Date.now(), over: false });
  keep(lastKey(match), request);
  go({ page: 'match', match });
}
