/** Links to the analysis board: `/analysis?game=GAME&OPTION=VALUE&position=TEXT`, `?match=ID`, `?archive=GAME/NUMBER` or `?id=ID`. */
import type { AnalysisTree } from './tree.svelte';

export type Asked =
  | { what: 'list' }
  | { what: 'saved'; id: string }
  | { what: 'match'; match: string; ply: number | null }
  | { what: 'archived'; game: string; number: string; ply: number | null }
  | { what: 'position'; game: string; options: Record<string, string>; position: string };

/** Parses the query of the address. */
export function parseQuery(query: string): Asked {
  const {
    id,
    match,
    archive,
    ply,
    game,
    position = '',
    ...options
  } = Object.fromEntries(new URLSearchParams(query));
  const at = ply !== undefined && /^\d{1,6}$/.test(ply) ? Number(ply) : null;
  if (id !== undefined) return { what: 'saved', id };
  if (match !== undefined) return { what: 'match', match, ply: at };
  const [, of, number] = /^([a-z0-9-]+)\/(\d{1,9})$/.exec(archive ?? '') ?? [];
  if (of !== undefined && number !== undefined) return { what: 'archived', game: of, number, ply: at };
  if (game !== undefined) return { what: 'position', game, options, position };
  return { what: 'list' };
}

/** The link to a position; null: the start of the game. */
export function linkTo({ game, options }: AnalysisTree, position: string | null): string {
  const query = new URLSearchParams({ game, ...options, ...(position !== null && { position }) });
  return `${location.origin}/analysis?${query}`;
}
