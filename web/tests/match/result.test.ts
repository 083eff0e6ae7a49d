import { expect, test, vi } from 'vitest';
import { resultHeading } from '../../src/lib/match/result';

vi.mock('../../src/lib/platform/settings.svelte', () => ({ settings: { language: 'en' } }));

const name = (seat: number) => ['Red', 'Blue', 'Green'][seat] ?? '';

test('a heading names all winners, and calls an aborted match no draw', () => {
  const heading = (winners: number[], reason = '', own: number | null = null) =>
    resultHeading({ winners, reason }, name, own);
  expect(heading([], 'aborted')).toBe('Aborted');
  expect(heading([], 'agreed')).toBe('Draw');
  expect(heading([1])).toBe('Blue wins');
  expect(heading([1], '', 1)).toBe('You win');
  expect(heading([0, 2], '', 2)).toBe('Red and Green share the win');
});
