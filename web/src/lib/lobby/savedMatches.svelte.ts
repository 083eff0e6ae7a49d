/** The matches kept in this browser, and how they stand on the server. */
import { account } from '../account/account.svelte';
import { fetchOwnMatches } from '../api/accounts';
import { ApiError } from '../api/http';
import { fetchSummary } from '../api/matches';
import { settings } from '../platform/settings.svelte';
import {
  forgetMatch,
  savedMatches,
  type SavedMatch,
  type SavedSeat,
  saveMatch,
  tokensOf,
} from './matchStore';
import type { Problem, MatchSummary } from '../api/types';

/** How many are asked about at the same time. */
const AT_ONCE = 4;

export class SavedMatches {
  private here: SavedMatch[] = $state.raw(savedMatches());
  /** Those of the account that are not kept here. */
  private elsewhere: SavedMatch[] = $state.raw([]);
  /** Where the account's older ones go on; null: there are none. */
  more: string | null = $state(null);
  /** By match: how it stands, as far as it has been asked. */
  standings: ReadonlyMap<string, MatchSummary> = $state.raw(new Map());
  /** By match: why it cannot be had. */
  problems: ReadonlyMap<string, Problem> = $state.raw(new Map());
  /** Whether the server does not answer. */
  offline = $state(false);

  private asking = false;

  /** Those kept here and the account's, the latest first. */
  readonly matches: SavedMatch[] = $derived([...this.here, ...this.elsewhere].sort((a, b) => b.at - a.at));

  /** Whether it is kept here, and can be removed from the list. */
  isHere(match: string): boolean {
    return this.here.some((saved) => saved.match === match);
  }

  /** Asks how those stand that go on. */
  async refresh(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    const left = this.here.filter(({ over }) => !over).map(({ match }) => match);
    const ask = async () => {
      for (let match = left.shift(); match !== undefined; match = left.shift()) await this.ask(match);
    };
    await Promise.all([...Array.from({ length: AT_ONCE }, ask), this.askAccount(null)]);
    this.asking = false;
  }

  forget(match: string): void {
    forgetMatch(match);
    this.here = savedMatches();
  }

  /** Asks for the account's matches: the latest, or those after what is known. */
  async askAccount(after: string | null): Promise<void> {
    if (!account.me) {
      this.elsewhere = [];
      this.more = null;
      return;
    }
    try {
      const found = await fetchOwnMatches(after, settings.language);
      const listed = found.matches.filter(({ match }) => !this.isHere(match)).map(saved);
      const fresh = new Set(listed.map(({ match }) => match));
      this.elsewhere = [...this.elsewhere.filter(({ match }) => !fresh.has(match)), ...listed];
      if (after !== null || this.more === null) this.more = found.more;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.problem.code === 'offline') this.offline = true;
      else if (error.problem.code === 'signed-out') account.me = null;
    }
  }

  private async ask(match: string): Promise<void> {
    try {
      const found = await fetchSummary(match, tokensOf(match), settings.language);
      this.offline = false;
      this.standings = new Map(this.standings).set(match, found);
      this.keep(match, found);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.problem.code === 'offline') this.offline = true;
      else this.problems = new Map(this.problems).set(match, error.problem);
    }
  }

  /** For when the server does not answer. */
  private keep(match: string, { status, acting, winners, seats, since }: MatchSummary): void {
    const saved = this.here.find((one) => one.match === match);
    if (!saved) return;
    saveMatch({
      ...saved,
      who: sitting(seats, saved.who),
      over: status === 'over',
      at: Date.parse(since),
      acting,
      winners,
    });
    this.here = savedMatches();
  }
}

/** Who sits there, each called as in the picture of the match that was looked at last, if it ever was. */
const sitting = (seats: MatchSummary['seats'], known: SavedSeat[] = []): SavedSeat[] =>
  seats.map(({ seat, kind, name, yours }) => ({
    kind,
    name,
    yours,
    called: known[seat]?.called ?? { key: `seat.${seat}` },
  }));

/** A match of the account's, as if it were kept here; it is not, as others may use this browser. */
const saved = ({ match, game, seats, status, acting, since, winners }: MatchSummary): SavedMatch => ({
  match,
  game,
  tokens: [],
  at: Date.parse(since),
  over: status === 'over',
  who: sitting(seats),
  winners,
  acting,
});
