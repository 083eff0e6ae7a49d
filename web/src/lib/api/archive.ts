/** HTTP endpoints of the explorer and the archive. */
import { ApiError, callApi } from './http';
import type { ArchivePage, Explored } from './server';
import type { Language } from './types';

export type { ArchivedGame, ArchivePage, Explored, PlayedAction } from './server';

/** Where the games of the archive come from. */
export type Source = 'server' | 'engines';

/** A position by its text; null: the start of the game. */
interface PositionOf {
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
