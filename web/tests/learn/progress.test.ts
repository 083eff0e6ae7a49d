/** Progress with puzzles: merging, days in a row, and the exchange with the account. */
import { beforeEach, expect, test, vi } from 'vitest';
import { stubStorage } from '../fixtures';
import { lacking, merged, NOTHING, type Progress, streakOf } from '../../src/lib/learn/progress';
import type { AccountInfo } from '../../src/lib/api/accounts';

vi.mock('../../src/lib/platform/settings.svelte', () => ({ settings: { language: 'en' } }));

const HERE: Progress = { results: { 'a/1': 1, 'a/2': 0 }, days: ['2026-11-24', '2026-11-25'] };
const THERE: Progress = { results: { 'a/2': 1, 'b/1': 0 }, days: ['2026-11-23', '2026-11-25'] };
const BOTH: Progress = {
  results: { 'a/1': 1, 'a/2': 1, 'b/1': 0 },
  days: ['2026-11-23', '2026-11-24', '2026-11-25'],
};

test('progress of two places is merged without loss, in any order', () => {
  expect(merged(HERE, THERE)).toEqual(BOTH);
  expect(merged(THERE, HERE)).toEqual(BOTH);
  expect(merged(BOTH, HERE)).toEqual(BOTH);
  expect(merged(NOTHING, HERE)).toEqual(HERE);
});

test('only what the other place lacks is sent, in parts', () => {
  expect(lacking(HERE, THERE, 9)).toEqual({ results: { 'a/1': 1 }, days: ['2026-11-24'] });
  expect(lacking(THERE, BOTH, 9)).toBeNull();
  const first = lacking(BOTH, NOTHING, 2);
  expect(Object.keys(first?.results ?? {})).toHaveLength(2);
  expect(merged(first ?? NOTHING, lacking(BOTH, first ?? NOTHING, 2) ?? NOTHING)).toEqual(BOTH);
});

test.each([
  [[], '2026-03-01', { days: 0, longest: 0, today: false }],
  [['2026-02-27', '2026-02-28'], '2026-03-01', { days: 2, longest: 2, today: false }],
  [['2026-02-28', '2026-03-01'], '2026-03-01', { days: 2, longest: 2, today: true }],
  [['2026-02-25', '2026-02-26', '2026-02-27'], '2026-03-01', { days: 0, longest: 3, today: false }],
  [['2026-01-01', '2026-01-02', '2026-03-01'], '2026-03-01', { days: 1, longest: 2, today: true }],
  // It is tomorrow already on another device.
  [['2026-03-01', '2026-03-02'], '2026-03-01', { days: 2, longest: 2, today: true }],
  [['2026-03-02'], '2026-03-01', { days: 1, longest: 1, today: false }],
  // A wrong clock solved a puzzle of the future.
  [['2026-02-28', '2026-03-01', '2027-01-01'], '2026-03-01', { days: 2, longest: 2, today: true }],
])('days in a row: %j on %s', (days, today, streak) => {
  expect(streakOf({ results: {}, days }, today)).toEqual(streak);
});

const ADA = { name: 'Ada', created: '2026-11-25', ratings: [], bot: false } satisfies AccountInfo;
const BOB = { name: 'Bob', created: '2026-11-25', ratings: [], bot: false } satisfies AccountInfo;

let kept: Map<string, string>;
/** By account: what the server has. */
let server: Record<string, Progress> = {};
let session: AccountInfo | null = null;
let answers: 'all' | 'none' = 'all';
/** The requests with progress. */
let sent: Progress[] = [];

const response = (body: unknown, status = 200) => new Response(JSON.stringify(body), { status });

/** Answers as the server, which knows the games a and b, and days of this year. */
function serve(path: string, { body }: RequestInit = {}): Promise<Response> {
  if (answers === 'none') return Promise.reject(new TypeError('no network'));
  if (path === '/api/account') return Promise.resolve(response({ account: session }));
  if (!session) return Promise.resolve(response({ code: 'signed-out', params: {}, message: '' }, 401));
  if (typeof body === 'string') {
    const { results, days } = JSON.parse(body) as Progress;
    sent.push({ results, days });
    const day = days.find((one) => !one.startsWith('2026'));
    if (day !== undefined)
      return Promise.resolve(response({ code: 'unknown-day', params: { day }, message: '' }, 422));
    const known = Object.entries(results).filter(([puzzle]) => /^[ab]/.test(puzzle));
    const added = { results: Object.fromEntries(known), days };
    server[session.name] = merged(server[session.name] ?? NOTHING, added);
  }
  return Promise.resolve(response(server[session.name] ?? NOTHING));
}

beforeEach(() => {
  kept = stubStorage();
  [server, session, answers, sent] = [{}, null, 'all', []];
  vi.stubGlobal('fetch', vi.fn(serve));
});

/** Opens a page: the modules begin with what the browser has stored. */
async function open() {
  vi.resetModules();
  const { setAccount, account } = await import('../../src/lib/account/account.svelte');
  const page = await import('../../src/lib/learn/puzzleProgress.svelte');
  const enter = async (me: AccountInfo) => {
    session = me;
    setAccount(me);
    await page.enterAccount(me);
  };
  const leave = () => {
    session = null;
    setAccount(null);
    page.leaveProgress();
  };
  return { ...page, account, enter, leave };
}

test('at sign-in the progress of the browser and of the account become one', async () => {
  server = { Ada: THERE };
  const page = await open();
  page.addProgress(HERE);
  expect(page.storedIn()).toBe('browser');
  await page.enter(ADA);
  expect(page.progress()).toEqual(BOTH);
  expect(server['Ada']).toEqual(BOTH);
  expect(sent).toEqual([{ results: { 'a/1': 1 }, days: ['2026-11-24'] }]);
  expect(page.storedIn()).toBe('account');
  // Another page of the browser begins with it.
  const again = await open();
  expect(again.progress()).toEqual(BOTH);
});

test('each solved puzzle is sent alone, and the answer brings what other devices solved', async () => {
  const page = await open();
  await page.enter(ADA);
  server['Ada'] = THERE;
  page.addProgress({ results: { 'a/3': 1 }, days: [] });
  await vi.waitFor(() => expect(page.progress().results).toEqual({ ...THERE.results, 'a/3': 1 }));
  expect(sent).toEqual([{ results: { 'a/3': 1 }, days: [] }]);
});

test('what is solved without the network is sent later', async () => {
  const page = await open();
  await page.enter(ADA);
  answers = 'none';
  page.addProgress(HERE);
  await vi.waitFor(() => expect(page.storedIn()).toBe('waiting'));
  // Also after the page was closed, and signed out of.
  const later = await open();
  expect(later.progress()).toEqual(HERE);
  answers = 'all';
  later.leave();
  expect(later.progress()).toEqual(NOTHING);
  await later.enter(ADA);
  expect(server['Ada']).toEqual(HERE);
  expect(later.storedIn()).toBe('account');
});

test('the progress of one account never becomes that of another', async () => {
  const page = await open();
  await page.enter(ADA);
  page.addProgress(HERE);
  page.leave();
  expect(page.progress()).toEqual(NOTHING);
  await page.enter(BOB);
  expect(page.progress()).toEqual(NOTHING);
  expect(server['Bob'] ?? NOTHING).toEqual(NOTHING);
  page.leave();
  page.addProgress(THERE);
  await page.enter(ADA);
  expect(page.progress()).toEqual(BOTH);
  expect(server['Ada']).toEqual(BOTH);
});

test('a session that has ended shows no progress of its account', async () => {
  const page = await open();
  await page.enter(ADA);
  session = null;
  page.addProgress(HERE);
  await vi.waitFor(() => expect(page.account.me).toBeNull());
  expect(page.account.known).toBe(true);
  expect(page.storedIn()).toBe('waiting');
});

test('a deleted account leaves nothing in the browser', async () => {
  const page = await open();
  await page.enter(ADA);
  page.addProgress(HERE);
  await vi.waitFor(() => expect(sent).toHaveLength(1));
  page.forgetProgress();
  expect(page.progress()).toEqual(NOTHING);
  expect(JSON.stringify([...kept])).not.toMatch(/Ada|a\/1/);
});

test('much progress is sent in several requests, and unknown puzzles and days stay here', async () => {
  const page = await open();
  const results = Object.fromEntries(Array.from({ length: 700 }, (_, place) => [`a/${place}`, 1 as const]));
  page.addProgress({ results: { ...results, 'old/1': 1 }, days: ['2031-01-01', '2026-11-25'] });
  await page.enter(ADA);
  expect(server['Ada']).toEqual({ results, days: ['2026-11-25'] });
  expect(Math.max(...sent.map((one) => Object.keys(one.results).length))).toBe(500);
  expect(page.storedIn()).toBe('account');
  expect(page.progress().results['old/1']).toBe(1);
});

test('progress in the form of earlier versions is read', async () => {
  kept.set('tavola.puzzles', JSON.stringify(HERE.results));
  kept.set('tavola.puzzles.streak', JSON.stringify({ last: '2026-03-01', days: 3, longest: 9 }));
  const page = await open();
  expect(page.progress()).toEqual({
    results: HERE.results,
    days: ['2026-02-27', '2026-02-28', '2026-03-01'],
  });
});
