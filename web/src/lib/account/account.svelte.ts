/** Who is signed in here. */
import { claim, type Me, signOut, whoAmI } from '../api/accounts';
import { Refused } from '../api/matches';
import { settings } from '../platform/settings.svelte';
import { matches, type SavedMatch, saveMatch } from '../platform/storage';

/** `me`: null if nobody is signed in, undefined until it is known. */
export const account: { me: Me | null | undefined } = $state({ me: undefined });

/** Asks the server; without an answer one plays on as if there were no account. */
export async function recall(): Promise<void> {
  try {
    account.me = (await whoAmI(settings.language)).account;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    account.me ??= null;
  }
}

export async function leave(): Promise<void> {
  await signOut(settings.language);
  account.me = null;
}

/** The matches of this browser whose seats are not known to be the account's. */
export function unclaimed(me: Me): SavedMatch[] {
  return matches().filter((saved) => saved.account !== me.name && tokens(saved).length > 0);
}

/** Makes the seats held in this browser the account's. */
export async function claimAll(me: Me): Promise<void> {
  for (const saved of unclaimed(me)) {
    try {
      await claim(saved.match, tokens(saved), settings.language);
    } catch (error) {
      // Another account's, or gone from the server: there is nothing to claim.
      if (!(error instanceof Refused) || error.status === 0 || error.status >= 500) throw error;
    }
    saveMatch({ ...saved, account: me.name });
  }
}

const tokens = (saved: SavedMatch) => saved.tokens.filter((token) => token !== null);
