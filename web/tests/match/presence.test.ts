import { beforeEach, expect, test } from 'vitest';
import { Company } from '../../src/lib/match/presence.svelte';
import type { ChatLine, Problem } from '../../src/lib/api/types';

const enough: Problem = { code: 'said-enough', params: {}, message: '' };
const line = (id: number, seat: number, text: string): ChatLine => ({ id, seat, text, at: '' });

let sent: string[];
let company: Company;

beforeEach(() => {
  sent = [];
  company = new Company('m', { say: (_, text) => sent.push(text), report: () => undefined });
});

function say(text: string): void {
  company.draft = text;
  company.say(0);
}

test('what is said leaves the field; what is refused comes back before what was written since', () => {
  say(' one\n line ');
  expect([sent, company.draft]).toEqual([['one line'], '']);
  company.draft = 'and more';
  expect(company.refuse(enough)).toBe(true);
  expect([company.draft, company.problem]).toEqual(['one line and more', enough]);
  company.say(0);
  expect([company.draft, company.problem]).toEqual(['', null]);
});

test('a refusal is of the oldest line that was not heard', () => {
  say('first');
  say('second');
  company.hear([line(1, 1, 'of another seat'), line(2, 0, 'first')], false);
  expect(company.refuse(enough)).toBe(true);
  expect(company.draft).toBe('second');
  // It was no line of ours.
  expect(company.refuse(enough)).toBe(false);
});

test('what was on its way when the connection was lost comes back, unless it had arrived', () => {
  company.hear([line(1, 0, 'hello')], true);
  say('hello');
  say('again');
  company.cut();
  expect([company.draft, company.problem?.code]).toEqual(['hello again', 'offline']);
  company.hear([line(1, 0, 'hello')], true);
  expect(company.draft).toBe('hello again');
  company.say(0);
  company.cut();
  company.hear([line(1, 0, 'hello'), line(2, 0, 'hello again')], true);
  expect([company.draft, company.problem]).toEqual(['', null]);
  company.cut();
  expect(company.problem).toBe(null);
});

test('nothing is not said', () => {
  say(' \n ');
  expect(sent).toEqual([]);
});
