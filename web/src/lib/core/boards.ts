/** The positions of small boards, from one core that all lists share. */
import { ApiError } from '../api/http';
import { fetchArchivedRecord, type Source } from '../api/archive';
import { fetchRecord } from '../api/matches';
import { readRecord } from '../analysis/openAnalysis';
import { puzzleData, puzzlePlace } from '../learn/lessonData';
import { CoreClient } from './client';
import type { View } from '../api/view';
import type { Place } from './types';

let core: CoreClient | null = null;

/** The core of small boards, and of puzzles that follow each other. */
export const sharedCore = (): CoreClient => (core ??= new CoreClient());

/** Without the core or the position a list has no picture. */
async function viewOf(find: () => Promise<Place | null>): Promise<View | null> {
  try {
    const place = await find();
    return place && (await sharedCore().ask('position', place)).view;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return null;
  }
}

/** The position of a puzzle. */
export const puzzleView = (game: string, id: string): Promise<View | null> =>
  viewOf(async () => {
    const data = await puzzleData(game, id);
    return data && puzzlePlace(game, data);
  });

/** The last position of a game of the archive. */
export const finalView = (game: string, id: string, source: Source): Promise<View | null> =>
  viewOf(async () => {
    const record = await (source === 'server' ? fetchRecord(id) : fetchArchivedRecord(game, id));
    const { tree } = await readRecord(sharedCore(), record);
    const last = tree?.root.rest.at(-1) ?? tree?.root;
    return tree && last ? { game, options: tree.options, position: tree.position, line: last.line } : null;
  });
