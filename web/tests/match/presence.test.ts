import { beforeEach, expect, test } from 'vitest';
import { Presence } from '../../src/lib/match/presence.svelte';
import type { ChatLine, Problem } from '../../src/lib/api/types';

const enough: Problem = { code: 'chat-limit', params: {}, message: '' };
const line = (id: number, seat: number, text: string): ChatLine => ({ id, seat, text, at: '' });

let sent: string[];
let presence: Presence;

beforeEach(() => {
  sent = [];
  presence = new Presence('m', { say: (_, text) => sent.push(text), report: () => undefined });
});

function say(text: string): void {
  presence.draft = text;
  presence.say(0);
}

test('a sent message leaves the field, and a rejected one returns before what was typed since', () => {
  say(' one\n line ');
  expect([sent, presence.draft]).toEqual([['one line'], '']);
  presence.draft = 'and more';
  expect(presence.onRejected(enough)).toBe(true);
  expect([presence.draft, presence.problem]).toEqual(['one line and more', enough]);
  presence.say(0);
  expect([presence.draft, presence.problem]).toEqual(['', null]);
});

test('a rejection belongs to the oldest pending message', () => {
  say('first');
  say('second');
  presence.onChat([line(1, 1, 'of another seat'), line(2, 0, 'first')], false);
  expect(presence.onRejected(enough)).toBe(true);
  expect(presence.draft).toBe('second');
  // It was not our message.
  expect(presence.onRejected(enough)).toBe(false);
});

test('pending messages return after a disconnect, unless they had arrived', () => {
  presence.onChat([line(1, 0, 'hello')], true);
  say('hello');
  say('again');
  presence.onDisconnect();
  expect([presence.draft, presence.problem?.code]).toEqual(['hello again', 'offline']);
  presence.onChat([line(1, 0, 'hello')], true);
  expect(presence.draft).toBe('hello again');
  presence.say(0);
  presence.onDisconnect();
  presence.onChat([line(1, 0, 'hello'), line(2, 0, 'hello again')], true);
  expect([presence.draft, presence.problem]).toEqual(['', null]);
  presence.onDisconnect();
  expect(presence.problem).toBe(null);
});

test('an empty message is not sent', () => {
  say(' \n ');
  expect(sent).toEqual([]);
});
