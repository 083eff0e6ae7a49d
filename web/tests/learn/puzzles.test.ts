import { expect, test, vi } from 'vitest';
import { easiestFirst } from '../../src/lib/learn/puzzles.svelte';
import type { GamePuzzles } from '../../src/lib/api/types';

vi.mock('../../src/lib/platform/settings.svelte', () => ({ settings: { language: 'en' } }));

test('the list begins with the easiest puzzles: by level, turns and the order of themes', () => {
  const puzzle = (id: string, level: number, turns: number, theme: string) => ({ id, level, turns, theme });
  const known = {
    game: 'one',
    themes: [{ id: 'win' }, { id: 'save' }],
    puzzles: [
      puzzle('hard', 2, 1, 'win'),
      puzzle('long', 1, 3, 'win'),
      puzzle('save', 1, 1, 'save'),
      puzzle('win', 1, 1, 'win'),
      puzzle('other', 1, 1, 'gone'),
    ],
  } as unknown as GamePuzzles;
  expect(easiestFirst(known).map(({ id }) => id)).toEqual(['win', 'save', 'other', 'long', 'hard']);
});
