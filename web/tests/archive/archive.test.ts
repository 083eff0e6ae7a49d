import { expect, test, vi } from 'vitest';
import { ApiError } from '../../src/lib/api/http';
import { optionText } from '../../src/lib/api/archive';
import { ArchiveList } from '../../src/lib/archive/archiveList.svelte';
import { archiveQuery, isOpen, parseArchiveQuery } from '../../src/lib/archive/search';
import { parseQuery } from '../../src/lib/analysis/links';
import { bar } from '../../src/lib/analysis/explorer.svelte';
import { embedCode, filesOf } from '../../src/lib/match/share';
import type { ArchivedGame, ArchivePage } from '../../src/lib/api/archive';

vi.mock('../../src/lib/platform/settings.svelte', () => ({ settings: { language: 'en' } }));

const GAMES = ['one', 'two'];

test('a search is the query of its address', () => {
  const query = archiveQuery({
    game: 'two',
    source: 'engines',
    player: 'a & b',
    winner: 'draw',
    position: 'x y',
  });
  expect(parseArchiveQuery(query, GAMES)).toEqual({
    game: 'two',
    source: 'engines',
    player: 'a & b',
    winner: 'draw',
    shortest: '',
    longest: '',
    options: '',
    position: 'x y',
  });
  expect(archiveQuery({ game: 'one', source: 'server', player: '' })).toBe('?game=one&source=server');
});

test('an address with a game alone leaves open where the games come from', () => {
  expect(['', '?game=one', '?game=one&source=server', '?player=a'].map(isOpen)).toEqual([
    true,
    true,
    false,
    false,
  ]);
});

test('any address is a search', () => {
  for (const query of ['', '?game=none', '?source=x', '?game=', '?%', '?game=two&game=one'])
    expect(GAMES).toContain(parseArchiveQuery(query, GAMES).game);
});

test('links to archived games name the game, the number and the position', () => {
  expect(parseQuery('?archive=one/12&ply=3')).toEqual({
    what: 'archived',
    game: 'one',
    number: '12',
    ply: 3,
  });
  expect(parseQuery('?archive=one/12&ply=-1')).toMatchObject({ ply: null });
  expect(parseQuery('?archive=one')).toEqual({ what: 'list' });
  expect(parseQuery('?match=m&ply=7')).toEqual({ what: 'match', match: 'm', ply: 7, review: false });
});

test('options are written as in a record', () => {
  expect(optionText({ size: '3', mode: 'row' })).toBe('size=3 mode=row');
});

const game = (id: string) => ({ id }) as ArchivedGame;

test('pages follow one another, and a late answer of an older search is dropped', async () => {
  const pages: Record<string, ArchivePage> = {
    '': { games: [game('1'), game('2')], count: 3, next: 'x' },
    x: { games: [game('3')], count: 3, next: null },
  };
  let answer: (() => void) | null = null;
  let fails = false;
  const list = new ArchiveList(async ({ player }, after) => {
    if (player === 'slow') await new Promise<void>((resolve) => (answer = resolve));
    if (fails) throw new ApiError({ code: 'offline', params: {}, message: '' }, 0);
    return pages[after ?? ''] as ArchivePage;
  });
  const search = parseArchiveQuery('', GAMES);
  const slow = list.start({ ...search, player: 'slow' });
  await list.start(search);
  (answer as (() => void) | null)?.();
  await slow;
  expect(list.games.map(({ id }) => id)).toEqual(['1', '2']);
  expect(list.hasMore).toBe(true);
  fails = true;
  await list.more();
  expect(list.problem?.code).toBe('offline');
  fails = false;
  await list.more();
  expect(list.games.map(({ id }) => id)).toEqual(['1', '2', '3']);
  expect([list.hasMore, list.count, list.problem]).toEqual([false, 3, null]);
});

test('the bar of an action has wins and draws with two seats, and shares with more', () => {
  const played = { token: 'a', label: { key: 'a' }, move: null, count: 4, drawn: 1 };
  expect(bar({ ...played, won: [2, 1], shares: [0.625, 0.375] })).toEqual([
    { seat: 0, share: 0.5 },
    { seat: -1, share: 0.25 },
    { seat: 1, share: 0.25 },
  ]);
  expect(bar({ ...played, won: [2, 1, 0], shares: [0.5, 0.25, 0.25] }).map(({ seat }) => seat)).toEqual([
    0, 1, 2,
  ]);
});

test('the files and the widget of a game', () => {
  expect(filesOf('a b', 'one', 3, 'ja').map(({ href }) => href)).toContain(
    '/api/matches/a%20b/picture.png?ply=3&language=ja',
  );
  const code = embedCode('https://example.org', 'm', 'A "B" & <C>');
  expect(code).toContain('src="https://example.org/embed/m"');
  expect(code).toContain('title="A &quot;B&quot; &amp; &lt;C>"');
});
