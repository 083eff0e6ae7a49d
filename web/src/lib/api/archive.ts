/** HTTP endpoints of the explorer and the archive. */
import { ApiError, callApi } from './http';
import type { Language, Seat } from './types';
import type { MoveLabel, Text } from './view';

/** An action of a position with the results of its games. */
export interface PlayedAction {
  token: string;
  label: Text;
  move: MoveLabel | null;
  count: number;
  /** The number of games that each seat won. */
  won: number[];
  drawn: number;
  /** The mean share of each seat, 1 in sum. */
  shares: number[];
}

/** A position with the actions that were played in it. */
export interface Explored {
  /** The seat to act; -1: chance; null: the game is over. */
  seat: number | null;
  /** The number of this server's games with the position. */
  server: number;
  /** The number of engine games with the position. */
  engines: number;
  /** Whether there are engine games with these options. */
  has_engines: boolean;
  actions: PlayedAction[];
}

/** A finished game in the archive. */
export interface ArchivedGame {
  /** The match, or the number of the engine game. */
  id: string;
  options: string;
  seats: Seat[];
  winners: number[];
  /** A code of the game or the server; empty: an engine game. */
  reason: string;
  length: number;
  /** The end in ISO format; null: an engine game. */
  ended: string | null;
  /** The number of actions before the position of the search; null: none was given. */
  ply: number | null;
}

export interface ArchivePage {
  games: ArchivedGame[];
  /** The number of all games found. */
  count: number;
  /** The place of the next page; null: this is the last one. */
  next: string | null;
}

/** Where the games of the archive come from. */
export type Source = 'server' | 'engines';

/** A position by its text; null: the start of the game. */
export interface PositionOf {
  game: string;
  options: Record<string, string>;
  position: string | null;
}

/** A search of the archive; empty fields do not matter. */
export interface ArchiveSearch {
  game: string;
  source: Source;
  player: string;
  /** A seat, `draw`, or empty. */
  winner: string;
  shortest: string;
  longest: string;
  /** Options as in a record; empty: any, or the defaults of a position. */
  options: string;
  position: string;
}

const part = encodeURIComponent;

/** Options as in a record. */
export const optionText = (options: Record<string, string>): string =>
  Object.entries(options)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');

export const fetchExplored = ({ game, options, position }: PositionOf, language: Language) => {
  const query = new URLSearchParams({ options: optionText(options), ...(position !== null && { position }) });
  return callApi<Explored>(`/games/${part(game)}/explorer?${query}`, language);
};

export const searchArchive = (
  { game, ...search }: ArchiveSearch,
  after: string | null,
  language: Language,
) => {
  const given = Object.entries({ ...search, after: after ?? '' }).filter(([, value]) => value !== '');
  return callApi<ArchivePage>(`/games/${part(game)}/archive?${new URLSearchParams(given)}`, language);
};

/** Fetches an engine game as a record. */
export async function fetchArchivedRecord(game: string, number: string): Promise<string> {
  const response = await fetch(`/api/games/${part(game)}/archive/${part(number)}/record`);
  if (!response.ok)
    throw new ApiError({ code: 'unknown-archived', params: {}, message: '' }, response.status);
  return response.text();
}
