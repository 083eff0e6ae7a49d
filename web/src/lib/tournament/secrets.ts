/** The secrets of tournaments in this browser: of an organizer, and of a guest. */
import { newToken } from '../lobby/links';
import { isText } from '../platform/checks';
import { load, save } from '../platform/storage';

type Role = 'organizer' | 'player';

const key = (tournament: string, role: Role) => `tavola.tournament.${tournament}.${role}`;

export const secretOf = (tournament: string, role: Role): string => load(key(tournament, role), '', isText);

export function saveSecret(tournament: string, role: Role, secret: string): void {
  save(key(tournament, role), secret);
}

/** The secret of a guest; stored before the request, so that a lost answer costs no seat. */
export function guestSecret(tournament: string): string {
  const known = secretOf(tournament, 'player');
  if (known) return known;
  const secret = newToken();
  saveSecret(tournament, 'player', secret);
  return secret;
}

export const secretsOf = (tournament: string): string[] =>
  [secretOf(tournament, 'organizer'), secretOf(tournament, 'player')].filter((secret) => secret !== '');

/** The organizer's secret in the fragment of a link. */
export const organizerSecret = (fragment: string): string | undefined =>
  /^#organizer=([\w-]{43})$/.exec(fragment)?.[1];
