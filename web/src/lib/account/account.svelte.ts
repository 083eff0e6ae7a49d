/** The account that is signed in. */
import { claimSeats, type AccountInfo, signOut, fetchAccount } from '../api/accounts';
import { ApiError } from '../api/http';
import { settings } from '../platform/settings.svelte';
import { savedMatches, type SavedMatch, saveMatch } from '../lobby/matchStore';

/**
 * `me`: null if signed out or offline, undefined until known. `known`: whether the server has said who it is.
 * `announcement`: the line of the host, by language.
 */
export const account: {
  me: AccountInfo | null | undefined;
  known: boolean;
  announcement?: Record<string, string> | undefined;
} = $state({
  me: undefined,
  known: false,
});

/** Stores who the server says is signed in. */
export function setAccount(me: AccountInfo | null): void {
  account.me = me;
  account.known = true;
}

/** Fetches the account; without an answer the user plays on as signed out. */
export async function loadAccount(): Promise<void> {
  try {
    const found = await fetchAccount(settings.language);
    setAccount(found.account);
    account.announcement = found.announcement;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    account.me ??= null;
  }
}

export async function leaveAccount(): Promise<void> {
  await signOut(settings.language);
  setAccount(null);
}

/** Matches of this browser whose seats are not known to belong to the account. */
export function unclaimedMatches(me: AccountInfo): SavedMatch[] {
  return savedMatches().filter((saved) => saved.account !== me.name && tokens(saved).length > 0);
}

/** Adds the seats of this browser to the account. */
export async function claimAllMatches(me: AccountInfo): Promise<void> {
  for (const saved of unclaimedMatches(me)) {
    try {
      await claimSeats(saved.match, tokens(saved), settings.language);
    } catch (error) {
      // Another account owns it, or the server has deleted it: nothing to claim.
      if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) throw error;
    }
    saveMatch({ ...saved, account: me.name });
  }
}

const tokens = (saved: SavedMatch) => saved.tokens.filter((token) => token !== null);
