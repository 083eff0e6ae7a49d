/** The matches that this browser stores, with the tokens of their seats. */
import type { Snapshot } from '../api/types';
import type { Text } from '../api/view';
import { load, save } from '../platform/storage';

export interface SavedSeat {
  kind: 'person' | 'engine';
  name: string;
  yours: boolean;
  called: Text;
}

export interface SavedMatch {
  match: string;
  game: string;
  /** The secrets that act for the seats held here; null: somebody else sits there. */
  tokens: (string | null)[];
  /** By seat: the secret of its link, if it was made here. */
  invitations?: (string | null)[];
  /** The name of the account that its seats are known to belong to. */
  account?: string | undefined;
  /** Whether it was offered in the lobby from here. */
  lobby?: boolean;
  /** When something last happened in it, or it was looked at, in milliseconds since 1970. */
  at: number;
  over: boolean;
  /** By seat, as far as it has been looked at since: who sits there. */
  who?: SavedSeat[];
  /** Who has won; null: nobody has yet. */
  winners?: number[] | null;
  /** The seat that is to act, as far as it is known. */
  acting?: number | null;
}

const MATCHES = 'tavola.matches';
const MOST = 200;

/** The matches kept here, the latest first. */
export function savedMatches(): SavedMatch[] {
  const kept = load<unknown>(MATCHES, []);
  if (!Array.isArray(kept)) return [];
  return (kept as SavedMatch[])
    .filter((saved) => typeof saved?.match === 'string' && Array.isArray(saved.tokens))
    .sort((a, b) => b.at - a.at);
}

export function saveMatch(saved: SavedMatch): void {
  save(MATCHES, [saved, ...savedMatches().filter(({ match }) => match !== saved.match)].slice(0, MOST));
}

export function forgetMatch(match: string): void {
  save(
    MATCHES,
    savedMatches().filter((saved) => saved.match !== match),
  );
}

/** An account is no more: nothing that is kept here bears its name. */
export function forgetAccount(name: string): void {
  const without = ({ account, who, ...saved }: SavedMatch): SavedMatch => ({
    ...saved,
    ...(account !== name && { account }),
    ...(who && { who: who.map((one) => (one.yours && one.name === name ? { ...one, name: '' } : one)) }),
  });
  save(MATCHES, savedMatches().map(without));
}

export const savedMatch = (match: string) => savedMatches().find((saved) => saved.match === match);

/** The tokens kept for a match. */
export function tokensOf(match: string): string[] {
  return (savedMatch(match)?.tokens ?? []).filter((token) => typeof token === 'string');
}

/** A match that is kept here has been looked at. */
export function markViewed(match: string, snapshot: Snapshot): void {
  const saved = savedMatch(match);
  if (!saved) return;
  const who = snapshot.seats.flatMap(({ seat, kind, name, yours }) => {
    const known = snapshot.view.seats[seat];
    return known ? [{ kind, name, yours, called: known.name }] : [];
  });
  const winners = snapshot.result?.winners ?? null;
  const over = snapshot.status === 'over';
  saveMatch({ ...saved, at: Date.now(), over, who, winners, acting: snapshot.acting });
}

/** A match follows one that is kept here: everybody a seat further on, with the same tokens and links. */
export function saveNextMatch(match: string, next: string): void {
  const saved = savedMatch(match);
  if (!saved || savedMatch(next)) return;
  const { game, tokens, invitations } = saved;
  saveMatch({
    match: next,
    game,
    tokens: further(tokens),
    ...(invitations && { invitations: further(invitations) }),
    at: Date.now(),
    over: false,
  });
}

const further = ([first = null, ...rest]: (string | null)[]) => [...rest, first];
