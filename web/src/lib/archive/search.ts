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

/** The query of a search; empty fields and the default source are left out. */
export function archiveQuery(search: Partial<ArchiveSearch> & { game: string }): string {
  const given = FIELDS.flatMap((name) => {
    const value = search[name] ?? '';
    return value === '' || value === 'server' ? [] : [[name, value]];
  });
  return `?${new URLSearchParams([['game', search.game], ...given])}`;
}
