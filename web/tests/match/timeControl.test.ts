import { expect, test } from 'vitest';
import { called, shown, TIMES } from '../../src/lib/match/timeControl';

test('what is left is told in days, hours, minutes and begun seconds', () => {
  expect(shown(0)).toBe('0:00');
  expect(shown(-3)).toBe('0:00');
  expect(shown(9.01)).toBe('0:10');
  expect(shown(61)).toBe('1:01');
  expect(shown(3599.5)).toBe('1:00:00');
  expect(shown(3 * 3600 + 62)).toBe('3:01:02');
  expect(shown(86_399.5)).toBe('1 d 0 h');
  expect(shown(2 * 86_400 + 5 * 3600 + 59)).toBe('2 d 5 h');
});

test('every time that is offered has a name of its own', () => {
  const names = TIMES.map(called);
  expect(new Set(names).size).toBe(names.length);
  expect(called({ kind: 'main', seconds: 300, increment: 5 })).toBe('5 min + 5 s a turn');
});
