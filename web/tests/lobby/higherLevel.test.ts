import { expect, test } from 'vitest';
import { higherLevel } from '../../src/lib/lobby/higherLevel';

test('the next level is one more than that of all seats of the computer, up to the highest', () => {
  expect(higherLevel([null, 3], 8)).toBe(4);
  expect(higherLevel([2, null, 2], 8)).toBe(3);
  expect(higherLevel([null, 8], 8)).toBeNull();
  expect(higherLevel([null, 2, 3], 8)).toBeNull();
  expect(higherLevel([null, null], 8)).toBeNull();
});
