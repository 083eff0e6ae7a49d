/** Opening of an analysis: a game, a position, a record, a match, or one that this browser stores. */
import { ApiError } from '../api/http';
import { fetchArchivedRecord } from '../api/archive';
import { fetchRecord } from '../api/matches';
import { isOnDevice, loadDeviceGame } from '../device/deviceStore';
import { writeRecord } from '../device/record';
import { unpack } from '../platform/compress';
import { uuid } from '../platform/uuid';
import { settings } from '../platform/settings.svelte';
import { newTree, pathOf, recordOf, setMainLine, treeOf, type AnalysisTree } from './tree.svelte';
import { saveAnalysis, savedAnalyses, type SavedAnalysis } from './savedAnalyses';
import type { CoreClient } from '../core/client';
import type { RecordTags, TextFault } from '../core/types';
import type { GameSummary } from '../api/types';

/** A text with its faults, and what could be read of it. */
export interface Reading {
  tree: AnalysisTree | null;
  faults: TextFault[];
  /** The tags of the records in the text. */
  records: RecordTags[];
}

/** Whether the text is a record, not a position: it begins with a tag. */
const isRecord = (text: string): boolean => text.trimStart().startsWith('[');

/**
 * Reads a record, or the text of a position of this game; an empty text: the start of the game. `number`: the index of
 * the record in the text.
 */
export async function readText(
  core: CoreClient,
  text: string,
  game: GameSummary,
  options: Record<string, string>,
  number = 0,
): Promise<Reading> {
  if (isRecord(text)) return readRecord(core, text, number);
  // It becomes a tag of a record, which has no line breaks.
  const position = text.trim().replace(/\s+/g, ' ') || null;
  const tree = newTree(game, options, position);
  const place = { game: game.name, options: tree.options, position, line: [] };
  const { faults } = await core.ask('read-position', { ...place, language: settings.language });
  return {
    tree: faults.length > 0 ? null : tree,
    faults: faults.map((fault) => ({ line: 1, text: fault })),
    records: [],
  };
}

export async function readRecord(core: CoreClient, text: string, number = 0): Promise<Reading> {
  const read = await core.ask('read-record', { text, number, language: settings.language });
  return { tree: treeOf(read), faults: read.faults, records: read.records ?? [] };
}

/** Stores an analysis, which is a new one without `id`, and returns its id. */
export function storeTree(
  tree: AnalysisTree,
  game: GameSummary,
  match: string | null = null,
  ply: number | null = null,
  id: string = uuid(),
): string {
  // A match opens at its end.
  const last = ply === null ? tree.root.rest.at(-1) : tree.root.rest[ply - 1];
  const opens = match === null && ply === null ? tree.root : (last ?? tree.root);
  saveAnalysis({
    id,
    game: game.name,
    match,
    record: recordOf(tree, String(game.rules_version)),
    path: pathOf(opens),
    length: tree.root.rest.length,
    at: Date.now(),
  });
  return id;
}

/** The tree of a stored analysis. */
export async function readSaved(core: CoreClient, saved: SavedAnalysis): Promise<Reading> {
  return readRecord(core, await core.ask('write-record', { record: saved.record }));
}

/** The record of a match of the server or of this device. */
async function recordText(core: CoreClient, match: string): Promise<string> {
  if (!isOnDevice(match)) return fetchRecord(match);
  const game = loadDeviceGame(match);
  if (!game) throw new ApiError({ code: 'unknown-match', params: {}, message: '' }, 0);
  return writeRecord(core, game);
}

/**
 * The analysis of a match: the stored one, or a new one from its record. Returns its id. Its main
 * line becomes the line of the match, which may have continued, or taken another course after an undo.
 */
export async function openMatch(
  core: CoreClient,
  games: readonly GameSummary[],
  match: string,
  ply: number | null = null,
): Promise<string> {
  const { tree } = await readRecord(core, await recordText(core, match));
  const game = games.find(({ name }) => name === tree?.game);
  if (!tree || !game) throw new ApiError({ code: 'unknown-game', params: {}, message: '' }, 0);
  const saved = savedAnalyses().find((one) => one.match === match);
  if (!saved || ply !== null) return storeTree(tree, game, match, ply);
  const kept = (await readSaved(core, saved)).tree;
  if (!kept) return storeTree(tree, game, match);
  if (setMainLine(kept, tree)) storeTree(kept, game, match, null, saved.id);
  return saved.id;
}

/** A new analysis from the record that a link contains. Returns its id. */
export async function openShared(
  core: CoreClient,
  games: readonly GameSummary[],
  packed: string,
): Promise<string> {
  const text = await unpack(packed);
  const { tree, faults } = text === null ? { tree: null, faults: [] } : await readRecord(core, text);
  const game = games.find(({ name }) => name === tree?.game);
  if (!tree || !game || faults.length > 0)
    throw new ApiError({ code: 'bad-analysis-link', params: {}, message: '' }, 0);
  return storeTree(tree, game);
}

/** A new analysis of an engine game of the archive. Returns its id. */
export async function openArchived(
  core: CoreClient,
  game: GameSummary | undefined,
  number: string,
  ply: number | null,
): Promise<string> {
  const unknown = new ApiError({ code: 'unknown-game', params: {}, message: '' }, 0);
  if (!game) throw unknown;
  const { tree } = await readRecord(core, await fetchArchivedRecord(game.name, number));
  if (!tree) throw unknown;
  return storeTree(tree, game, null, ply ?? 0);
}
