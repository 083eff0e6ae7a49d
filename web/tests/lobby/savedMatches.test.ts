import { expect, test, vi } from 'vitest';
import { stubStorage } from '../fixtures';

vi.mock('../../src/lib/platform/settings.svelte', () => ({ settings: { language: 'en' } }));
vi.mock('../../src/lib/api/matches', () => ({
  fetchSummary: () =>
    Promise.resolve({
      match: 'one',
      game: 'potlatch',
      seq: 9,
      seats: [],
      status: 'over',
      acting: null,
      since: '2026-01-01T00:00:00Z',
      winners: [],
      rated: false,
      reason: 'aborted',
    }),
}));

test('a match that the server reports as aborted is stored as such, not as a draw', async () => {
  stubStorage();
  const { saveMatch, savedMatch } = await import('../../src/lib/lobby/matchStore');
  const { SavedMatches } = await import('../../src/lib/lobby/savedMatches.svelte');
  saveMatch({ match: 'one', game: 'potlatch', tokens: ['mine'], at: 0, over: false });
  await new SavedMatches().refresh();
  expect(savedMatch('one')).toMatchObject({ over: true, aborted: true });
});
