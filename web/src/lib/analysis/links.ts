/** Links to the analysis board: `/analysis?game=GAME&OPTION=VALUE&position=TEXT`, `?match=ID` or `?id=ID`. */
import type { AnalysisTree } from './tree.svelte';

export type Asked =
  | { what: 'list' }
  | { what: 'saved'; id: string }
  | { what: 'match'; match: string }
  | { what: 'position'; game: string; options: Record<string, string>; position: string };

/** Parses the query of the address. */
export function parseQuery(query: string): Asked {
  const { id, match, game, position = '', ...options } = Object.fromEntries(new URLSearchParams(query));
  if (id !== undefined) return { what: 'saved', id };
  if (match !== undefined) return { what: 'match', match };
  if (game !== undefined) return { what: 'position', game, options, position };
  return { what: 'list' };
}

/** The link to a position; null: the start of the game. */
export function linkTo({ game, options }: AnalysisTree, position: string | null): string {
  const query = new URLSearchParams({ game, ...options, ...(position !== null && { position }) });
  return `${location.origin}/analysis?${query}`;
}
