import { expect, test } from 'vitest';
import { highlightDuration, animationSteps } from '../../src/lib/board/motion';
import { framesBetween, PAUSE_BETWEEN, lastTurn, restFrame } from '../../src/lib/board/frame';
import type { Event, Curve } from '../../src/lib/api/view';
import { cell, entry, event, hexes, piece, slant, snapshot, view } from '../fixtures';

const where = (id: string) => ({ x: id.charCodeAt(0), y: 0 });

test('the changes in order result in the pieces afterwards', () => {
  const before = [piece('a/0', 'a'), piece('a/1', 'a', 1), piece('pawn', 'b')];
  const made = animationSteps(
    before,
    [
      event(1, { type: 'moved', id: 'a/1', piece: piece('c/0', 'c') }, ['a', 'c']),
      event(0, { type: 'moved', id: 'pawn', piece: piece('pawn', 'b', 1) }, ['b']),
      event(0, { type: 'placed', piece: piece('b/0', 'b') }, ['b']),
      event(2, { type: 'changed', id: 'a/0', piece: piece('a/0', 'a', 0, { symbol: 'red' }) }, ['a']),
      event(3, { type: 'removed', id: 'c/0' }, ['c']),
    ],
    where,
  );
  expect(made).toHaveLength(4);
  expect(made.at(-1)?.pieces.map(({ id }) => id)).toEqual(['b/0', 'a/0', 'pawn']);
  expect(made.at(-1)?.leaving.map(({ id }) => id)).toEqual(['c/0']);
  expect(made[1]?.motions.get('c/0')).toEqual({
    kind: 'travel',
    path: [
      { x: 97, y: 0 },
      { x: 99, y: 0 },
    ],
    levels: [1, 0],
    slides: false,
    turn: 0,
  });
  expect(made[2]?.motions.get('a/0')?.kind).toBe('turn');
});

test('simultaneous events are one step of 150 to 250 ms', () => {
  const far = ['a', 'b', 'c', 'd', 'e', 'f'];
  const made = animationSteps(
    [piece('p', 'a')],
    [
      event(0, { type: 'moved', id: 'p', piece: piece('p', 'f') }, far),
      event(0, { type: 'placed', piece: piece('q', 'a') }, ['a']),
      event(1, { type: 'laid', cell: 'g' }, ['g']),
      event(2, { type: 'announced' }),
    ],
    where,
  );
  expect(made.map(({ duration }) => duration)).toEqual([250, 170, 0]);
  expect(made[1]?.laid).toEqual(['g']);
});

test('a reused id names the new piece', () => {
  const made = animationSteps(
    [piece('x', 'a'), piece('y', 'b')],
    [
      event(0, { type: 'removed', id: 'y' }),
      event(1, { type: 'moved', id: 'x', piece: piece('y', 'b') }, ['a', 'b']),
    ],
    where,
  );
  expect(made.at(-1)?.pieces).toEqual([piece('y', 'b')]);
});

test('cells appear in the step that places them', () => {
  const before = snapshot(1, {
    view: view({ areas: [hexes([cell(0, 0), cell(1, 0, { symbol: 'blank' })])] }),
  });
  const after = snapshot(2, {
    view: view({ areas: [hexes([cell(0, 0), cell(1, 0), cell(2, 0, { symbol: 'blank' })])] }),
  });
  const pictures = framesBetween(
    before,
    after,
    [
      entry(2, 1, 0, [
        event(0, { type: 'laid', cell: '1,0' }),
        event(1, { type: 'placed', piece: piece('p', '1,0') }, ['1,0']),
      ]),
    ],
    slant,
  );
  expect(pictures.map(({ areas }) => areas[0]?.cells.map(({ id, symbol }) => `${id} ${symbol}`))).toEqual([
    ['0,0 tile', '1,0 tile'],
    ['0,0 tile', '1,0 tile'],
  ]);
  expect(restFrame(after).areas[0]?.cells).toHaveLength(3);
});

test('without events the pieces go the shortest way', () => {
  const before = snapshot(1, { view: view({ pieces: [piece('p', '0,0'), piece('gone', '1,0')] }) });
  const after = snapshot(2, { view: view({ pieces: [piece('p', '0,1'), piece('new', '1,0')] }) });
  const [only] = framesBetween(before, after, [], slant);
  expect([...(only?.motions ?? [])].map(([id, { kind }]) => `${id} ${kind}`)).toEqual([
    'gone leave',
    'p travel',
    'new arrive',
  ]);
});

test('a random draw is shown after the action before it, from the pieces it left', () => {
  const before = snapshot(1, { view: view({ pieces: [piece('p', '0,0')] }) });
  const after = snapshot(3, { view: view({ pieces: [piece('p', '0,1'), piece('q', '1,0')] }) });
  const done = [event(0, { type: 'moved', id: 'p', piece: piece('p', '0,1') }, ['0,0', '0,1'])];
  const answer = [event(0, { type: 'placed', piece: piece('q', '1,0') }, ['1,0'])];
  const pictures = framesBetween(before, after, [entry(2, 1, 0, done), entry(3, 1, -1, answer)], slant);
  expect(
    pictures.map(({ pieces, motions, reading }) => [pieces.length, [...motions.keys()], reading]),
  ).toEqual([
    [1, ['p'], PAUSE_BETWEEN],
    [2, ['q'], 0],
  ]);
});

test('the last turn is the last complete one', () => {
  const log = [entry(1, 1, 0), entry(2, 1, 0), entry(3, 2, 1), entry(4, 2, 1), entry(5, 3, 0)];
  expect(lastTurn({ log, view: view({ turn: 3 }) }).map(({ seq }) => seq)).toEqual([3, 4]);
  expect(lastTurn({ log: [], view: view() })).toEqual([]);
});

test('sentences about changed cards stay long enough to be read', () => {
  const card = { id: 'c', title: { key: 't' }, text: { key: 't' }, cells: [], links: [] };
  const pieces = [piece('p', '0,0'), piece('q', '1,0')];
  const turned = (step: number, id: string, key: string) => ({
    ...event(step, { type: 'changed' as const, id, piece: piece(id, '0,0', 0, { symbol: key }) }),
    text: { key },
  });
  const before = snapshot(1, { view: view({ pieces, cards: [{ ...card, symbol: 'a' }] }) });
  const events = [turned(0, 'p', 'off'), event(1, { type: 'laid', cell: '0,1' }), turned(2, 'q', 'on')];
  const after = (symbol: string) =>
    snapshot(2, { view: view({ cards: [{ ...card, symbol }] }), log: [entry(2, 1, 0, events)] });
  const told = (symbol: string) =>
    framesBetween(before, after(symbol), after(symbol).log, slant).map((frame) => [
      frame.texts.map(({ key }) => key).join(),
      frame.reading > 0,
    ]);
  expect(told('b')).toEqual([
    ['off', true],
    ['off', false],
    ['on', false],
  ]);
  expect(told('a').map(([, read]) => read)).toEqual([false, false, false]);
  expect(restFrame(after('b')).texts.map(({ key }) => key)).toEqual(['off', 'on']);
});

const line = (id: string, ...counts: number[]): Curve => ({
  id,
  owner: 0,
  label: { key: 'line' },
  path: [
    [0, 0],
    [0, 0.5],
    [0, 1],
  ],
  counts: counts.map((n) => ({ at: [0, n / 10], n })),
});

test('a line lights up as long as its numbers take, and stays readable before the next', () => {
  const lit = (step: number, key: string, over: Curve): Event => ({
    ...event(step, { type: 'announced' }),
    line: over,
    text: { key },
  });
  const events = [lit(0, 'first', line('x', 1, 3)), lit(1, 'second', line('y', 2))];
  const now = snapshot(2, { log: [entry(1, 1, 0, events), entry(2, 1, -1, [])] });
  const [first, second] = framesBetween(snapshot(1), now, now.log, slant);
  expect(first?.lit.map(({ id }) => id)).toEqual(['x']);
  expect(first?.duration).toBe(highlightDuration(line('x', 1, 3)));
  expect(first?.reading).toBeGreaterThan(0);
  expect(second?.lit.map(({ id }) => id)).toEqual(['y']);
  // Lines stay lit until the next action; draws in between change nothing.
  expect(restFrame(now).lit.map(({ id }) => id)).toEqual(['x', 'y']);
  expect(restFrame(snapshot(3, { log: [...now.log, entry(3, 2, 1)] })).lit).toEqual([]);
});

test('pieces that travel far on the ground slide, others are lifted', () => {
  const way = (level: number, ...cells: string[]) => {
    const to = piece('p', cells.at(-1) ?? '', level);
    const moved = event(0, { type: 'moved', id: 'p', piece: to }, cells);
    const [made] = animationSteps([piece('p', 'a', level)], [moved], where);
    const motion = made?.motions.get('p');
    return motion?.kind === 'travel' && motion.slides;
  };
  expect(way(0, 'a', 'b', 'c')).toBe(true);
  expect(way(1, 'a', 'b', 'c')).toBe(false);
  expect(way(0, 'a', 'b')).toBe(false);
});

test('the last turn belongs to a seat, whatever was drawn in it', () => {
  const log = [entry(1, 1, 0), entry(2, 1, -1), entry(3, 2, 1)];
  expect(lastTurn({ log, view: view({ turn: 2 }) }).map(({ seq }) => seq)).toEqual([1]);
});

test('rotations go clockwise, spins go around first, and undo takes the shorter way', () => {
  const turned = (turn: number) => piece('hand', 'a', 0, { turn });
  const change = { type: 'changed', id: 'hand', piece: turned(45) } as const;
  const motion = (happened: Event) => {
    const [step] = animationSteps([turned(90)], [happened], where);
    return { ...step?.motions.get('hand'), duration: step?.duration };
  };
  expect(motion(event(0, change, ['a']))).toEqual({ kind: 'rotate', by: 315, spins: false, duration: 500 });
  expect(motion(event(0, change))).toEqual({ kind: 'rotate', by: -45, spins: false, duration: 317.5 });
  expect(motion({ ...event(0, change, ['a']), sound: 'spin' })).toEqual({
    kind: 'rotate',
    by: 315 + 3 * 360,
    spins: true,
    duration: 1300,
  });
});

test('a piece with another rotation turns while it travels', () => {
  const [step] = animationSteps(
    [piece('tile', 'a')],
    [event(0, { type: 'moved', id: 'tile', piece: piece('tile', 'b', 0, { turn: 270 }) }, ['a', 'b'])],
    where,
  );
  expect(step?.motions.get('tile')).toMatchObject({ kind: 'travel', turn: -90 });
});

test('an undone rotation is animated too', () => {
  const lying = (turn: number) =>
    snapshot(1, { view: view({ pieces: [piece('hand', '0,0', 0, { turn })] }) });
  const [frame] = framesBetween(lying(90), lying(0), [], slant);
  expect(frame?.motions.get('hand')).toEqual({ kind: 'rotate', by: -90, spins: false });
});
