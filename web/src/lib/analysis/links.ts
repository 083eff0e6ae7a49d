/**
 * Links to the analysis board: `/analysis?game=GAME&OPTION=VALUE&position=TEXT`, `?match=ID`, `?archive=GAME/NUMBER`,
 * `?id=ID` or `#record=PACKED`. With `edit=1`, a position opens in the editor. With `review`, the review of the main line begins.
 */
import { isOnDevice } from '../device/deviceStore';
import { pack } from '../platform/compress';
import type { Route } from '../platform/route.svelte';
import type { AnalysisTree } from './tree.svelte';
import type { Place } from '../core/types';

export type Asked =
  | { what: 'list' }
  | { what: 'saved'; id: string; review: boolean }
  | { what: 'match'; match: string; ply: number | null; review: boolean }
  | { what: 'archived'; game: string; number: string; ply: number | null }
  | { what: 'record'; packed: string }
  | { what: 'edit'; game: string; options: Record<string, string>; position: string }
  | { what: 'position'; game: string; options: Record<string, string>; position: string };

/** Parses the query of the address, or its fragment, which browsers do not send. */
export function parseQuery(query: string): Asked {
  const packed = /^#record=([\w-]+)$/.exec(query)?.[1];
  if (packed !== undefined) return { what: 'record', packed };
  const {
    id,
    match,
    archive,
    ply,
    game,
    position = '',
    review: reviewed,
    edit,
    ...options
  } = Object.fromEntries(new URLSearchParams(query));
  const at = ply !== undefined && /^\d{1,6}$/.test(ply) ? Number(ply) : null;
  const review = reviewed !== undefined;
  if (id !== undefined) return { what: 'saved', id, review };
  if (match !== undefined) return { what: 'match', match, ply: at, review };
  const [, of, number] = /^([a-z0-9-]+)\/(\d{1,9})$/.exec(archive ?? '') ?? [];
  if (of !== undefined && number !== undefined) return { what: 'archived', game: of, number, ply: at };
  if (game !== undefined) return { what: edit === undefined ? 'position' : 'edit', game, options, position };
  return { what: 'list' };
}

/**
 * The analysis of a match, at its end or after `ply` actions; the review of one on this device begins there, others
 * have one on the server.
 */
export const analysisOf = (match: string, ply: number | null = null): Route & { page: 'analysis' } => ({
  page: 'analysis',
  query: `?match=${encodeURIComponent(match)}${ply === null ? '' : `&ply=${String(ply)}`}${isOnDevice(match) ? '&review=1' : ''}`,
});

/** The analysis board with a position. */
export const analysisAt = ({
  game,
  options,
  position,
}: Omit<Place, 'line'>): Route & { page: 'analysis' } => ({
  page: 'analysis',
  query: `?${new URLSearchParams({ game, ...options, ...(position !== null && { position }) })}`,
});

/** The editor with a position. */
export const editorAt = ({ game, options, position }: Omit<Place, 'line'>): Route & { page: 'analysis' } => {
  const { query } = analysisAt({ game, options, position });
  return { page: 'analysis', query: `${query}&edit=1` };
};

/** The link to a position; null: the start of the game. */
export function linkTo({ game, options }: AnalysisTree, position: string | null): string {
  return `${location.origin}/analysis${analysisAt({ game, options, position }).query}`;
}

/** The link to a whole analysis, which is in the link itself. */
export const linkToRecord = async (record: string): Promise<string> =>
  `${location.origin}/analysis#record=${await pack(record)}`;
