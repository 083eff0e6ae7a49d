/** Taking a seat of somebody else's match. */
import { account } from '../account/account.svelte';
import { fetchSnapshot, takeSeat } from '../api/matches';
import { newToken } from './links';
import { settings } from '../platform/settings.svelte';
import { remove, save, load } from '../platform/storage';
import { savedMatch, saveMatch } from './matchStore';

/**
 * Takes a seat, the link's or one that is offered in the lobby, and keeps it in this browser.
 *
 * The secret is kept before it is sent: whose answer gets lost asks again with the same one, and has the seat.
 */
export async function joinMatch(match: string, game: string, invitation: string | null): Promise<void> {
  const key = `tavola.taking.${match}.${invitation ?? ''}`;
  const token = load<string>(key, '') || newToken();
  save(key, token);
  await takeSeat(match, { token, invitation, name: settings.name }, settings.language);
  await storeSeats(match, game, [token], account.me?.name);
  remove(key);
}

/**
 * Keeps seats that were carried here, or taken: they are this browser's from now on.
 *
 * `owner`: the name of the account that they are known to belong to.
 */
export async function storeSeats(
  match: string,
  game: string,
  tokens: string[],
  owner?: string,
): Promise<void> {
  const saved = savedMatch(match);
  const all = [...new Set([...(saved?.tokens ?? []).filter((token) => token !== null), ...tokens])];
  // What is no seat of the match is refused here, and nothing is kept.
  const { status } = await fetchSnapshot(match, all, settings.language);
  const over = status === 'over';
  saveMatch({ match, game, over, ...saved, tokens: all, account: owner, at: Date.now() });
}
