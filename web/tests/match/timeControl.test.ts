import { expect, test } from 'vitest';
import { timeControlLabel, formatTime, TIME_CONTROLS } from '../../src/lib/match/timeControl';

test('the remaining time is shown in days, hours, minutes and started seconds', () => {
  expect(formatTime(0)).toBe('0:00');
  expect(formatTime(-3)).toBe('0:00');
  expect(formatTime(9.01)).toBe('0:10');
  expect(formatTime(61)).toBe('1:01');
  expect(formatTime(3599.5)).toBe('1:00:00');
  expect(formatTime(3 * 3600 + 62)).toBe('3:01:02');
  expect(formatTime(86_399.5)).toBe('1 d 0 h');
  expect(formatTime(2 * 86_400 + 5 * 3600 + 59)).toBe('2 d 5 h');
});

test('every time control has its own label', () => {
  const names = TIME_CONTROLS.map(timeControlLabel);
  expect(new Set(names).size).toBe(names.length);
  expect(timeControlLabel({ kind: 'main', seconds: 300, increment: 5 })).toBe('5 min + 5 s');
});
