import { expect, test } from 'vitest';
import { organizerSecret } from '../src/lib/tournament/secrets';

test("the organizer's secret comes from the fragment of a link", () => {
  expect(organizerSecret(`#organizer=${'x'.repeat(43)}`)).toBe('x'.repeat(43));
  expect(organizerSecret('#organizer=short')).toBeUndefined();
});
