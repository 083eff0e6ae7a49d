import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { stubStorage } from '../fixtures';
import type { SavedMatch } from '../../src/lib/lobby/matchStore';

const SAVED: SavedMatch = { match: 'one', game: 'potlatch', tokens: ['secret'], at: 1, over: false };

// The module remembers what could not be stored.
beforeEach(() => vi.resetModules());
afterEach(() => vi.unstubAllGlobals());

const isText = (value: unknown) => typeof value === 'string';

async function open() {
  const storage = await import('../../src/lib/platform/storage');
  const faults: unknown[] = [];
  storage.onStorageFault((fault) => faults.push(fault));
  return { ...storage, faults };
}

test('what does not fit is kept in memory, reported, and stored once there is room', async () => {
  const kept = stubStorage(20);
  const { load, save, remove, faults } = await open();
  save('old', 'old');
  save('game', 'first');
  save('game', 'with the newest action');
  expect(load('game', '', isText)).toBe('with the newest action');
  expect(kept.get('game')).toBe('"first"');
  expect(faults).toEqual(['full']);
  remove('old');
  save('game', 'shorter now');
  expect(kept.get('game')).toBe('"shorter now"');
  expect(faults).toEqual(['full', null]);
});

test('where storage is forbidden, values are kept in memory and this is reported', async () => {
  vi.stubGlobal('localStorage', undefined);
  const { load, save, remove, faults } = await open();
  save('game', 'one');
  expect(load('game', '', isText)).toBe('one');
  remove('game');
  expect(load('game', 'none', isText)).toBe('none');
  expect(faults).toEqual(['forbidden', null]);
});

test('a malformed entry of a list is skipped, and a malformed detail does not cost the seat', async () => {
  const kept = stubStorage();
  const entries = [null, 7, { match: 'two' }, { ...SAVED, match: 'three', at: 'x' }, { ...SAVED, who: [5] }];
  kept.set('tavola.matches', JSON.stringify(entries));
  kept.set('tavola.analyses', JSON.stringify([null, { id: 'a', record: { line: [] } }]));
  const { savedMatches } = await import('../../src/lib/lobby/matchStore');
  const { savedAnalyses } = await import('../../src/lib/analysis/savedAnalyses');
  expect(savedMatches()).toEqual([SAVED]);
  expect(savedAnalyses()).toEqual([]);
});

test('no number of analyses or matches deletes the oldest', async () => {
  stubStorage();
  const { saveMatch, savedMatch } = await import('../../src/lib/lobby/matchStore');
  const { saveAnalysis, savedAnalysis } = await import('../../src/lib/analysis/savedAnalyses');
  const analysis = { game: 'test', match: null, record: { tags: [], comments: [], line: [] }, path: [] };
  for (let at = 0; at <= 300; at += 1) {
    saveMatch({ ...SAVED, match: `m${at}`, at });
    saveAnalysis({ ...analysis, id: `a${at}`, length: 0, at });
  }
  expect(savedMatch('m0')).toBeDefined();
  expect(savedAnalysis('a0')).toBeDefined();
});
