import { expect, test } from 'vitest';
import { chatText, phraseMessages } from '../src/lib/match/phrases';

test('a phrase is sent as a code, and every other text stays as it is', () => {
  expect(phraseMessages).toContain(':thanks:');
  for (const message of phraseMessages) expect(chatText(message)).not.toBe(message);
  for (const text of ['thanks', ':thanks: a lot', ':unknown:', ':constructor:', ''])
    expect(chatText(text)).toBe(text);
});
