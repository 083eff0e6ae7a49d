import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Replay, type Update } from '../../src/lib/match/replay';
import { restFrame, type Frame } from '../../src/lib/board/frame';
import { snapshot } from '../fixtures';

let shown: string[];
let replay: Replay;

beforeEach(() => {
  vi.useFakeTimers();
  shown = [];
  replay = new Replay({
    begin: ({ snapshot: { seq } }, skipped) => {
      shown.push(`${skipped ? 'over' : 'begin'} ${seq}`);
      const frame: Frame = { ...restFrame(snapshot(seq)), duration: 200 };
      return skipped ? [] : [frame, frame];
    },
    show: ({ snapshot: { seq }, duration }) => shown.push(duration > 0 ? `frame of ${seq}` : `rest ${seq}`),
    pauseBefore: ({ snapshot: { acting } }) => (acting === 1 ? 100 : 0),
  });
});

afterEach(() => vi.useRealTimers());

const update = (seq: number, acting = 0): Update => ({ snapshot: snapshot(seq, { acting }), played: [] });

test('updates are shown one after another', () => {
  replay.add(update(1));
  replay.add(update(2, 1));
  expect(shown).toEqual(['begin 1', 'frame of 1']);
  vi.advanceTimersByTime(400);
  expect(shown).toEqual(['begin 1', 'frame of 1', 'frame of 1', 'rest 1']);
  vi.advanceTimersByTime(99);
  expect(shown).toHaveLength(4);
  vi.advanceTimersByTime(1);
  expect(shown.slice(4)).toEqual(['begin 2', 'frame of 2']);
  vi.advanceTimersByTime(400);
  expect(shown.slice(6)).toEqual(['frame of 2', 'rest 2']);
  expect(replay.running).toBe(false);
});

test('skipping shows the end at once and begins every update', () => {
  replay.add(update(1));
  replay.add(update(2));
  replay.add(update(3));
  replay.skip();
  expect(shown).toEqual(['begin 1', 'frame of 1', 'over 2', 'over 3', 'rest 3']);
  expect(replay.running).toBe(false);
  vi.advanceTimersByTime(1000);
  expect(shown).toHaveLength(5);
});

test('skipping during the pause before an update shows that update', () => {
  replay.add(update(1));
  replay.add(update(2, 1));
  vi.advanceTimersByTime(450);
  replay.skip();
  expect(shown.slice(4)).toEqual(['over 2', 'rest 2']);
});

test('a jump drops the frames on the way', () => {
  replay.add(update(1));
  replay.add(update(2));
  replay.jump(snapshot(9));
  vi.advanceTimersByTime(1000);
  expect(shown).toEqual(['begin 1', 'frame of 1', 'rest 9']);
});
