/** A search of the archive as the query of its address. */
import type { ArchiveSearch, Source } from '../api/archive';

const FIELDS = ['source', 'player', 'winner', 'shortest', 'longest', 'options', 'position'] as const;

/** Parses the query of the address; `games`: the known games, of which the first is the default. */
export function parseArchiveQuery(query: string, games: readonly string[]): ArchiveSearch {
  const given = new URLSearchParams(query);
  const named = given.get('game') ?? '';
  const source: Source = given.get('source') === 'engines' ? 'engines' : 'server';
  const text = (name: (typeof FIELDS)[number]): string => given.get(name) ?? '';
  return {
    game: games.includes(named) ? named : (games[0] ?? ''),
    source,
    player: text('player'),
    winner: text('winner'),
    shortest: text('shortest'),
    longest: text('longest'),
    options: text('options'),
    position: text('position'),
  };
}

/** Whether an address names a game at most: it leaves open where the games come from. */
export const isOpen = (query: string): boolean =>
  [...new URLSearchParams(query).keys()].every((name) => name === 'game');

/** The query of a search; empty fields are left out. */
export function archiveQuery(search: Partial<ArchiveSearch> & { game: string }): string {
  const given = FIELDS.flatMap((name) => {
    const value = search[name] ?? '';
    return value === '' ? [] : [[name, value]];
  });
  return `?${new URLSearchParams([['game', search.game], ...given])}`;
}
