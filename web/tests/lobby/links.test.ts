import { describe, expect, test } from 'vitest';
import {
  seatLink,
  invitationLink,
  isLocal,
  newToken,
  parseFragment,
  spectatorLink,
} from '../../src/lib/lobby/links';

const origin = 'https://club.example';

describe('links to seats', () => {
  test('an invitation is parsed as it was written', () => {
    const invitation = { seat: 2, secret: 'a-_9Zz' };
    const url = new URL(invitationLink(origin, 'm_1', invitation));
    expect(url.pathname).toBe('/match/m_1');
    expect(parseFragment(url.hash)).toEqual({ take: invitation, tokens: [] });
  });

  test('seats are parsed as they were written', () => {
    const url = new URL(seatLink(origin, 'm1', ['a-_', 'b']));
    expect(parseFragment(url.hash)).toEqual({ take: null, tokens: ['a-_', 'b'] });
  });

  test('secrets are only in the fragment, and spectators need none', () => {
    for (const link of [
      invitationLink(origin, 'm', { seat: 0, secret: 'secret' }),
      seatLink(origin, 'm', ['secret']),
    ]) {
      expect(link.split('#')[0]).toBe(spectatorLink(origin, 'm'));
    }
  });

  test.each(['', '#', '#take=', '#take=1', '#take=x.y', '#seat=', '#seat=.a', '#clause-7'])(
    'other fragments are ignored: %j',
    (fragment) => expect(parseFragment(fragment)).toEqual({ take: null, tokens: [] }),
  );

  test.each([
    ['#take=1.a-_.', { take: { seat: 1, secret: 'a-_' }, tokens: [] }],
    ['#take=1.a%20and', { take: { seat: 1, secret: 'a' }, tokens: [] }],
    ['#seat=a.b)', { take: null, tokens: ['a', 'b'] }],
  ])('text after a copied link is ignored: %j', (fragment, brought) =>
    expect(parseFragment(fragment)).toEqual(brought),
  );

  test("a token has the server's format, and each is different", () => {
    const made = Array.from({ length: 50 }, newToken);
    for (const token of made) expect(token).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(new Set(made).size).toBe(50);
  });

  test.each([
    ['localhost', true],
    ['127.0.0.1', true],
    ['[::1]', true],
    ['192.168.1.7', false],
    ['club.example', false],
    ['127.club.example', false],
  ])('whether %s can be reached from other machines', (host, local) => {
    expect(isLocal(host)).toBe(local);
  });
});
