import { expect, test, vi } from 'vitest';
import { resultHeading, resultReason } from '../../src/lib/match/result';

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

test('an end by another cause than the rules is named by its reason', () => {
  const reason = (reason: string, loser: number | null = null) =>
    resultReason({ winners: [], returns: [], reason, loser, text: null }, ({ key }) => key, name);
  expect(reason('left', 1)).toBe('Blue left the game.');
  expect(reason('agreed')).toBe('Draw by agreement.');
  expect(reason('unheard of')).toBe('⟨result_unheard of⟩');
});
