/** Joining a match. */
import { account } from '../account/account.svelte';
import { fetchSnapshot, takeSeat } from '../api/matches';
import { newToken } from './links';
import { settings } from '../platform/settings.svelte';
import { isText } from '../platform/checks';
import { remove, save, load } from '../platform/storage';
import { savedMatch, saveMatch } from './matchStore';

/**
 * Takes a seat by invitation or from the lobby, and stores its token.
 *
 * The token is stored before the request: after a lost response the same request succeeds again.
 */
export async function joinMatch(match: string, game: string, invitation: string | null): Promise<void> {
  const key = `tavola.taking.${match}.${invitation ?? ''}`;
  const token = load(key, '', isText) || newToken();
  save(key, token);
  await takeSeat(match, { token, invitation, name: settings.name }, settings.language);
  await storeSeats(match, game, [token], account.me?.name);
  remove(key);
}

/**
 * Stores tokens of seats in this browser.
 *
 * `owner`: the account that owns the seats, if known.
 */
export async function storeSeats(
  match: string,
  game: string,
  tokens: string[],
  owner?: string,
): Promise<void> {
  const saved = savedMatch(match);
  const all = [...new Set([...(saved?.tokens ?? []).filter((token) => token !== null), ...tokens])];
  // Invalid tokens are rejected here, and nothing is stored.
  const { status } = await fetchSnapshot(match, all, settings.language);
  const over = status === 'over';
  saveMatch({ match, game, over, ...saved, tokens: all, account: owner, at: Date.now() });
}
