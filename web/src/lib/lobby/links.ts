/**
 * Links to seats. The secrets are in the fragment, which browsers do not send.
 *
 * `#take=SEAT.INVITATION`: the first to open it takes the seat; without INVITATION the account that is invited; `#seat=TOKEN.TOKEN`: seats with their tokens.
 */
import { base64url } from '../platform/base64url';

export interface Invitation {
  seat: number;
  /** Empty: an account is invited by its name. */
  secret: string;
}

export interface Fragment {
  take: Invitation | null;
  tokens: string[];
}

/** Parses a fragment and ignores trailing text; empty for other fragments. */
export function parseFragment(fragment: string): Fragment {
  const take = /^#take=(\d{1,2})\.([\w-]{0,100})/.exec(fragment);
  const tokens = /^#seat=([\w-]{1,100}(?:\.[\w-]{1,100}){0,15})/.exec(fragment)?.[1];
  return {
    take: take ? { seat: Number(take[1]), secret: take[2] ?? '' } : null,
    tokens: tokens?.split('.') ?? [],
  };
}

/** The link for spectators; the other links extend it. */
export const spectatorLink = (origin: string, match: string) =>
  `${origin}/match/${encodeURIComponent(match)}`;

export const invitationLink = (origin: string, match: string, { seat, secret }: Invitation) =>
  `${spectatorLink(origin, match)}#take=${seat}.${secret}`;

export const seatLink = (origin: string, match: string, tokens: readonly string[]) =>
  `${spectatorLink(origin, match)}#seat=${tokens.join('.')}`;

/** Whether an address works only on this machine. */
export const isLocal = (hostname: string) =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(\.\d+){3}$/.test(hostname);

/** Creates a token of 32 random bytes. */
export const newToken = (): string => base64url(crypto.getRandomValues(new Uint8Array(32)));
