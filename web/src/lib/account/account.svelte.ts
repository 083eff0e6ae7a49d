/** Who is signed in here. */
import { claimSeats, type AccountInfo, signOut, fetchAccount } from '../api/accounts';
import { ApiError } from '../api/http';
import { settings } from '../platform/settings.svelte';
import { savedMatches, type SavedMatch, saveMatch } from '../lobby/matchStore';

/** `me`: null if nobody is signed in, undefined until it is known. */
export const account: { me: AccountInfo | null | undefined } = $state({ me: undefined });

/** Asks the server; without an answer one plays on as if there were no account. */
export async function loadAccount(): Promise<void> {
  try {
    account.me = (await fetchAccount(settings.language)).account;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    account.me ??= null;
  }
}

export async function leaveAccount(): Promise<void> {
  await signOut(settings.language);
  account.me = null;
}

/** The matches of this browser whose seats are not known to be the account's. */
export function unclaimedMatches(me: AccountInfo): SavedMatch[] {
  return savedMatches().filter((saved) => saved.account !== me.name && tokens(saved).length > 0);
}

/** Makes the seats held in this browser the account's. */
export async function claimAllMatches(me: AccountInfo): Promise<void> {
  for (const saved of unclaimedMatches(me)) {
    try {
      await claimSeats(saved.match, tokens(saved), settings.language);
    } catch (error) {
      // Another account's, or gone from the server: there is nothing to claim.
      if (!(error instanceof ApiError) || error.status === 0 || error.status >= 500) throw error;
    }
    saveMatch({ ...saved, account: me.name });
  }
}

const tokens = (saved: SavedMatch) => saved.tokens.filter((token) => token !== null);
