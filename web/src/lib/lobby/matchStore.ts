/** The matches that this browser stores, with the tokens of their seats. */
import type { Snapshot } from '../api/types';
import type { Text } from '../api/view';
import { isOnDevice, removeDeviceGame } from '../device/deviceStore';
import {
  hasFields,
  isFlag,
  isListOf,
  isNumber,
  isOneOf,
  isOrNull,
  isText,
  withoutMalformed,
} from '../platform/checks';
import { loadList, save } from '../platform/storage';

export interface SavedSeat {
  kind: 'person' | 'engine';
  name: string;
  yours: boolean;
  called: Text;
}

export interface SavedMatch {
  match: string;
  game: string;
  /** The tokens of the seats held here; null: another player's seat. */
  tokens: (string | null)[];
  /** By seat: its invitation, if created here. */
  invitations?: (string | null)[];
  /** The account that is challenged to the first seat by link. */
  to?: string;
  /** Whether that account has declined. */
  declined?: boolean;
  /** The account that owns the seats, if known. */
  account?: string | undefined;
  /** Whether it is listed in the lobby. */
  lobby?: boolean;
  /** The time of the last event or visit, in milliseconds since 1970. */
  at: number;
  over: boolean;
  /** By seat: the player, as of the last visit. */
  who?: SavedSeat[];
  /** The winners; null: none yet. */
  winners?: number[] | null;
  /** Whether it ended without a result. */
  aborted?: boolean;
  /** The seat to act, if known. */
  acting?: number | null;
}

const MATCHES = 'tavola.matches';

const isTokens = isListOf(isOrNull(isText));
const isSaved = hasFields({ match: isText, game: isText, tokens: isTokens, at: isNumber, over: isFlag });
/** The fields without which a match can still be played. */
const OPTIONAL = {
  invitations: isTokens,
  to: isText,
  declined: isFlag,
  account: isText,
  who: isListOf(
    hasFields({
      kind: isOneOf('person', 'engine'),
      name: isText,
      yours: isFlag,
      called: hasFields({ key: isText }),
    }),
  ),
  winners: isOrNull(isListOf(isNumber)),
  aborted: isFlag,
  acting: isOrNull(isNumber),
};

/** The stored matches, the latest first. */
export const savedMatches = (): SavedMatch[] =>
  loadList<SavedMatch>(MATCHES, isSaved)
    .map((saved) => withoutMalformed(saved, OPTIONAL))
    .sort((a, b) => b.at - a.at);

export function saveMatch(saved: SavedMatch): void {
  save(MATCHES, [saved, ...savedMatches().filter(({ match }) => match !== saved.match)]);
}

/** Whether only this browser can continue it: the game itself or the token of a seat is stored nowhere else. */
export const isIrreplaceable = ({ match, over, tokens, account }: SavedMatch): boolean =>
  !over && (isOnDevice(match) || (account === undefined && tokens.some((token) => token !== null)));

/** Removes a match with its tokens and, if it is on this device, its game. Returns a function that restores it. */
export function forgetMatch(match: string): () => void {
  const saved = savedMatch(match);
  const restoreGame = removeDeviceGame(match);
  save(
    MATCHES,
    savedMatches().filter((saved) => saved.match !== match),
  );
  return () => {
    restoreGame();
    if (saved) saveMatch(saved);
  };
}

/** Removes the name of a deleted account from all stored matches. */
export function forgetAccount(name: string): void {
  const without = ({ account, who, ...saved }: SavedMatch): SavedMatch => ({
    ...saved,
    ...(account !== name && { account }),
    ...(who && { who: who.map((one) => (one.yours && one.name === name ? { ...one, name: '' } : one)) }),
  });
  save(MATCHES, savedMatches().map(without));
}

export const savedMatch = (match: string) => savedMatches().find((saved) => saved.match === match);

/** The stored tokens of a match. */
export function tokensOf(match: string): string[] {
  return (savedMatch(match)?.tokens ?? []).filter((token) => typeof token === 'string');
}

/** Stores the state of a match after a visit. */
export function markViewed(match: string, snapshot: Snapshot): void {
  const saved = savedMatch(match);
  if (!saved) return;
  const who = snapshot.seats.flatMap(({ seat, kind, name, yours }) => {
    const known = snapshot.view.seats[seat];
    return known ? [{ kind, name, yours, called: known.name }] : [];
  });
  const winners = snapshot.result?.winners ?? null;
  const over = snapshot.status === 'over';
  const aborted = snapshot.result?.reason === 'aborted';
  saveMatch({ ...saved, at: Date.now(), over, who, winners, aborted, acting: snapshot.acting });
}

/** Stores the rematch of a stored match: all seats move on by one, with the same tokens and links. */
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
