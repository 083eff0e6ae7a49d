import { beforeEach, expect, it } from 'vitest';
import { stubStorage } from '../fixtures';
import {
  forgetMatch,
  isIrreplaceable,
  saveNextMatch,
  forgetAccount,
  type SavedMatch,
  savedMatch,
  saveMatch,
} from '../../src/lib/lobby/matchStore';

const SAVED: SavedMatch = { match: 'one', game: 'potlatch', tokens: ['mine', null], at: 0, over: true };

beforeEach(() => {
  stubStorage();
});

it('keeps the seats and the links of a match that follows, a seat further on', () => {
  saveMatch({ ...SAVED, invitations: [null, 'open'] });
  saveNextMatch('one', 'two');
  expect(savedMatch('two')).toMatchObject({
    tokens: [null, 'mine'],
    invitations: ['open', null],
    over: false,
  });
});

it('keeps no links where there were none', () => {
  saveMatch(SAVED);
  saveNextMatch('one', 'two');
  expect(savedMatch('two')).not.toHaveProperty('invitations');
  saveNextMatch('nowhere', 'three');
  expect(savedMatch('three')).toBeUndefined();
});

it('keeps the seats of an account that is no more, and nothing of its name', () => {
  const called = { key: 'seat.0' };
  const who = [
    { kind: 'person', name: 'Ada', yours: true, called },
    { kind: 'person', name: 'Bo', yours: false, called },
  ] as SavedMatch['who'] & object;
  saveMatch({ ...SAVED, match: 'other', account: 'Bo', who });
  saveMatch({ ...SAVED, account: 'Ada', who });
  forgetAccount('Ada');
  expect(savedMatch('one')).not.toHaveProperty('account');
  expect(savedMatch('one')?.tokens).toEqual(['mine', null]);
  expect(savedMatch('one')?.who?.map(({ name }) => name)).toEqual(['', 'Bo']);
  expect(savedMatch('other')?.account).toBe('Bo');
});

it('knows the matches that only this browser can continue', () => {
  const running = { ...SAVED, over: false };
  expect(isIrreplaceable(running)).toBe(true);
  expect(isIrreplaceable({ ...running, match: 'device-1', tokens: [] })).toBe(true);
  expect(isIrreplaceable(SAVED)).toBe(false);
  expect(isIrreplaceable({ ...running, account: 'Ada' })).toBe(false);
  expect(isIrreplaceable({ ...running, tokens: [null, null] })).toBe(false);
});

it('restores a removed match with its tokens', () => {
  saveMatch(SAVED);
  const restore = forgetMatch('one');
  expect(savedMatch('one')).toBeUndefined();
  restore();
  expect(savedMatch('one')).toEqual(SAVED);
});
