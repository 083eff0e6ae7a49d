/** The progress with puzzles in this browser. That of an account is merged with the server's. */
import { untrack } from 'svelte';
import { account, loadAccount } from '../account/account.svelte';
import { addPuzzleProgress, type AccountInfo, fetchPuzzleProgress } from '../api/accounts';
import { ApiError } from '../api/http';
import { hasFields, isListOf, isMapOf, isNumber, isOneOf, isText } from '../platform/checks';
import { load, save } from '../platform/storage';
import { settings } from '../platform/settings.svelte';
import { dayAfter, isDay } from './daily';
import { lacking, merged, NOTHING, type Progress } from './progress';

const PROGRESS = 'tavola.puzzles.progress';
const OWNER = 'tavola.puzzles.owner';

/** The owner of progress without an account. */
const ANYONE = '';

/** The number of results, and of days, in one request. */
const MOST_SENT = 500;

/** By owner: so that the progress of one account never becomes another's. */
const stored = (): Record<string, Progress> => {
  const all = load<Record<string, unknown>>(
    PROGRESS,
    { [ANYONE]: earlier() },
    isMapOf(() => true),
  );
  return Object.fromEntries(Object.entries(all).filter(([, one]) => isProgress(one))) as Record<
    string,
    Progress
  >;
};

const isProgress = hasFields({ results: isMapOf(isOneOf(0, 1)), days: isListOf(isDay) });

/** The progress as earlier versions stored it: of the days only the last row. */
function earlier(): Progress {
  const { last, days } = load(
    'tavola.puzzles.streak',
    { last: '', days: 0 },
    hasFields({ last: isDay, days: isNumber }),
  );
  const row = Array.from({ length: days }, (_, count) => dayAfter(last, -count));
  return merged({ results: load('tavola.puzzles', {}, isMapOf(isOneOf(0, 1))), days: row }, NOTHING);
}

const before = load(OWNER, ANYONE, isText);
let owner = $state.raw(before);
let own: Progress = $state.raw(stored()[before] ?? NOTHING);
/** The progress that the account has, as far as known; null: the server has not been asked. */
let delivered: Progress | null = null;
let unsent = $state(false);

export const progress = (): Progress => own;

/** Where the progress is stored: in this browser only, in the account, or not yet there. */
export const storedIn = (): 'browser' | 'account' | 'waiting' => {
  if (owner === ANYONE) return 'browser';
  return unsent || account.me === null ? 'waiting' : 'account';
};

/** Stores progress after the known one, or before it: the results of the account come in their order there. */
function keep(change: Progress, before = false): void {
  const all = stored();
  // Another tab may have stored more.
  const here = merged(own, all[owner] ?? NOTHING);
  own = before ? merged(change, here) : merged(here, change);
  save(PROGRESS, { ...all, [owner]: own });
}

/** Adds to the progress, and sends it to the account. */
export function addProgress(change: Progress): void {
  keep(change);
  void sync();
}

function become(next: string): void {
  owner = next;
  save(OWNER, owner);
  own = stored()[owner] ?? NOTHING;
  delivered = null;
  unsent = false;
}

/** Takes the progress without an account over into an account, and merges it with the server's. */
export function enterAccount({ name, created }: AccountInfo): Promise<void> {
  const next = `${name} ${created}`;
  if (owner !== next) {
    const { [ANYONE]: anyone = NOTHING, ...others } = stored();
    save(PROGRESS, { ...others, [next]: merged(others[next] ?? NOTHING, anyone) });
    become(next);
  }
  return sync();
}

/** Shows the progress without an account. Progress that was not sent waits for the next sign-in. */
export function leaveProgress(): void {
  if (owner !== ANYONE) become(ANYONE);
}

/** Removes the progress of a deleted account. */
export function forgetProgress(): void {
  if (owner === ANYONE) return;
  save(PROGRESS, { ...stored(), [owner]: undefined });
  become(ANYONE);
}

/** Merges the progress with the account's again. */
export function refreshProgress(): Promise<void> {
  delivered = null;
  return sync();
}

let last: Promise<void> = Promise.resolve();

/** Exchanges what the browser or the account lacks, after the exchange before. */
const sync = (): Promise<void> => (last = last.then(exchange));

async function exchange(): Promise<void> {
  const ownerBefore = owner;
  if (owner === ANYONE || !account.me) return;
  try {
    let known = delivered ?? (await fetchPuzzleProgress(settings.language));
    for (;;) {
      // The user signed out meanwhile.
      if (owner !== ownerBefore) return;
      delivered = known;
      keep(known, true);
      const rest = lacking(own, known, MOST_SENT);
      if (!rest) break;
      // The server leaves out puzzles that it does not have: they count as sent.
      known = merged(merged(known, rest), await send(rest));
    }
    unsent = false;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    if (owner === ownerBefore) unsent = true;
    if (error.problem.code === 'signed-out') await loadAccount();
  }
}

/** Sends progress, without days that the server refuses: the clock of this device was wrong. */
async function send(rest: Progress): Promise<Progress> {
  try {
    return await addPuzzleProgress(rest, settings.language);
  } catch (error) {
    if (!(error instanceof ApiError) || error.problem.code !== 'unknown-day') throw error;
    const { day } = error.problem.params;
    const days = rest.days.filter((one) => one !== day);
    if (days.length === rest.days.length) throw error;
    return send({ ...rest, days });
  }
}

/** Merges the progress of this browser and of the account that is signed in, from now on. */
export function followAccount(): void {
  $effect(() => {
    const { me, known } = account;
    untrack(() => {
      if (me) void enterAccount(me);
      else if (known) leaveProgress();
    });
  });
  addEventListener('online', () => void (account.known ? sync() : loadAccount()));
}
