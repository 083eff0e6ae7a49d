import { beforeEach, expect, test } from 'vitest';
import { ApiError } from '../../src/lib/api/http';
import { ConditionalMoves } from '../../src/lib/match/conditionalMoves.svelte';
import { Variation } from '../../src/lib/match/variation.svelte';
import type { PlannedLines, Snapshot } from '../../src/lib/api/types';
import { entry, snapshot } from '../fixtures';

/** Seat 1 is ours: it answers `r...` with `b...`. */
const position = (line: readonly string[]): Snapshot =>
  snapshot(0, {
    acting: line.length % 2,
    seats: [
      { seat: 0, kind: 'person', name: '', yours: false },
      { seat: 1, kind: 'person', name: '', yours: true },
    ] as Snapshot['seats'],
    clock: { time: { kind: 'days', days: 3 } } as Snapshot['clock'],
    log: line.map((token, at) => ({ ...entry(at + 1, at, at % 2), token })),
  });

/** The server's lines; it refuses to save over an unknown version. */
let kept: PlannedLines;
let saves: number;
let said: string[];
let premoves: boolean;
/** The action of another device before the next save. */
let before: (() => void) | null;

function keep(lines: string[][]): PlannedLines {
  kept = { ...kept, lines, version: lines.length > 0 ? JSON.stringify(lines) : '' };
  return kept;
}

async function opened(): Promise<{
  plan: ConditionalMoves;
  variation: Variation;
  tryOut: (...line: string[]) => Promise<void>;
}> {
  const queries = {
    position: (_: number, line: readonly string[]) => Promise.resolve(position(line)),
    plan: () => Promise.resolve(kept),
    savePlan: (_: number, __: number, version: string, lines: string[][]) => {
      saves++;
      before?.();
      if (version === kept.version) return Promise.resolve(keep(lines));
      const problem = { code: 'conditional-changed', params: { planned: kept }, message: '' };
      return Promise.reject(new ApiError(problem, 409));
    },
  };
  const variation = new Variation(queries, () => undefined);
  const plan = new ConditionalMoves(
    variation,
    queries,
    { say: (text) => said.push(text) },
    true,
    () => premoves,
  );
  plan.onState(position([]));
  await plan.open();
  const tryOut = async (...line: string[]) => {
    for (const token of line) await variation.play(token);
  };
  return { plan, variation, tryOut };
}

beforeEach(() => {
  kept = { seat: 1, seq: 0, version: '', lines: [], cancelled: false };
  [saves, said, before, premoves] = [0, [], null, false];
});

test('lines saved on two devices at the same time are both kept', async () => {
  const [here, there] = [await opened(), await opened()];
  await here.tryOut('r1', 'b1');
  await there.tryOut('r2', 'b2');
  await Promise.all([here.plan.save(), there.plan.save()]);
  expect(kept.lines).toEqual([
    ['r1', 'b1'],
    ['r2', 'b2'],
  ]);
  expect(there.plan.lines).toEqual(kept.lines);
  expect(there.plan.submission.problem).toBe(null);
  expect(said).toHaveLength(2);
});

test('the last save counts where two devices reply to the same move', async () => {
  const [here, there] = [await opened(), await opened()];
  await here.tryOut('r1', 'b1');
  await there.tryOut('r1', 'b2');
  await here.plan.save();
  await there.plan.save();
  expect(kept.lines).toEqual([['r1', 'b2']]);
});

test('a line deleted on another device stays deleted', async () => {
  keep([['r1', 'b1']]);
  const [here, there] = [await opened(), await opened()];
  await here.plan.remove(['r1', 'b1']);
  await there.tryOut('r2', 'b2');
  await there.plan.save();
  expect(kept.lines).toEqual([['r2', 'b2']]);
});

test('a device that is always second gets an error, and sees the saved lines', async () => {
  const { plan, tryOut } = await opened();
  await tryOut('r1', 'b1');
  before = () => keep([[`r${saves + 1}`, 'b1']]);
  await plan.save();
  expect(plan.submission.problem?.code).toBe('conditional-changed');
  expect(plan.lines).toEqual(kept.lines);
  expect(saves).toBe(5);
  expect(said).toEqual([]);
});

test('with a faster clock, or none, the setting decides, and the others are people', async () => {
  const { plan } = await opened();
  const others = (kind: string) => position([]).seats.map((seat) => (seat.yours ? seat : { ...seat, kind }));
  const offered = (clock: object | null, kind = 'person') => {
    plan.onState({ ...position([]), clock, seats: others(kind) } as Snapshot);
    return plan.available;
  };
  const fast = { time: { kind: 'increment', minutes: 5, seconds: 3 } };
  const slow = { time: { kind: 'days', days: 3 } };
  expect([offered(fast), offered(null), offered(slow), offered(slow, 'engine')]).toEqual([
    false,
    false,
    true,
    true,
  ]);
  premoves = true;
  expect([offered(fast), offered(null), offered(slow), offered(slow, 'engine')]).toEqual([
    true,
    true,
    true,
    true,
  ]);
  expect(offered(fast, 'engine')).toBe(false);
});
