/** The matches of this browser and of the account, with their state on the server. */
import { account, setAccount } from '../account/account.svelte';
import { fetchOwnMatches } from '../api/accounts';
import { ApiError } from '../api/http';
import { fetchSummary } from '../api/matches';
import { isOnDevice } from '../device/deviceStore';
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

/** The number of parallel requests. */
const AT_ONCE = 4;

export class SavedMatches {
  private stored: SavedMatch[] = $state.raw(savedMatches());
  /** Matches of the account that are not stored here. */
  private remote: SavedMatch[] = $state.raw([]);
  /** Cursor of the account's older matches; null: none. */
  more: string | null = $state(null);
  /** By match: its state on the server, as far as fetched. */
  summaries: ReadonlyMap<string, MatchSummary> = $state.raw(new Map());
  /** By match: why it is unavailable. */
  problems: ReadonlyMap<string, Problem> = $state.raw(new Map());
  /** Whether the server is unreachable. */
  offline = $state(false);

  private refreshing = false;

  /** All matches, the latest first. */
  readonly matches: SavedMatch[] = $derived([...this.stored, ...this.remote].sort((a, b) => b.at - a.at));

  /** Whether it is stored here and can be removed from the list. */
  isHere(match: string): boolean {
    return this.stored.some((saved) => saved.match === match);
  }

  /** Fetches the state of unfinished matches. */
  async refresh(): Promise<void> {
    if (this.refreshing) return;
    this.refreshing = true;
    const left = this.stored
      .filter(({ over, match }) => !over && !isOnDevice(match))
      .map(({ match }) => match);
    const worker = async () => {
      for (let match = left.shift(); match !== undefined; match = left.shift()) await this.loadSummary(match);
    };
    await Promise.all([...Array.from({ length: AT_ONCE }, worker), this.loadAccountMatches(null)]);
    this.refreshing = false;
  }

  /** Removes a match from the list. Returns a function that restores it. */
  forget(match: string): () => void {
    const restore = forgetMatch(match);
    this.stored = savedMatches();
    return () => {
      restore();
      this.stored = savedMatches();
    };
  }

  /** Fetches the account's matches: the latest, or those after a cursor. */
  async loadAccountMatches(after: string | null): Promise<void> {
    if (!account.me) {
      this.remote = [];
      this.more = null;
      return;
    }
    try {
      const found = await fetchOwnMatches(after, settings.language);
      const listed = found.matches.filter(({ match }) => !this.isHere(match)).map(saved);
      const fresh = new Set(listed.map(({ match }) => match));
      this.remote = [...this.remote.filter(({ match }) => !fresh.has(match)), ...listed];
      if (after !== null || this.more === null) this.more = found.more;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.problem.code === 'offline') this.offline = true;
      else if (error.problem.code === 'signed-out') setAccount(null);
    }
  }

  private async loadSummary(match: string): Promise<void> {
    try {
      const found = await fetchSummary(match, tokensOf(match), settings.language);
      this.offline = false;
      this.summaries = new Map(this.summaries).set(match, found);
      this.storeSummary(match, found);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (error.problem.code === 'offline') this.offline = true;
      else this.problems = new Map(this.problems).set(match, error.problem);
    }
  }

  /** Stores the state for when the server is unreachable. */
  private storeSummary(match: string, summary: MatchSummary): void {
    const saved = this.stored.find((one) => one.match === match);
    if (!saved) return;
    saveMatch({ ...saved, ...summarized(summary, saved.who) });
    this.stored = savedMatches();
  }
}

/** The players, with the seat names of the last visit if there was one. */
const savedSeats = (seats: MatchSummary['seats'], known: SavedSeat[] = []): SavedSeat[] =>
  seats.map(({ seat, kind, name, yours }) => ({
    kind,
    name,
    yours,
    called: known[seat]?.called ?? { key: `seat.${seat}` },
  }));

/** The state of a match, from its summary. */
const summarized = (
  { status, acting, winners, reason, seats, since }: MatchSummary,
  known?: SavedSeat[],
): Pick<SavedMatch, 'at' | 'over' | 'who' | 'winners' | 'aborted' | 'acting'> => ({
  at: Date.parse(since),
  over: status === 'over',
  who: savedSeats(seats, known),
  winners,
  aborted: reason === 'aborted',
  acting,
});

/** A match of the account in the form of a stored one. It is not stored, as others may use this browser. */
const saved = (summary: MatchSummary): SavedMatch => ({
  match: summary.match,
  game: summary.game,
  tokens: [],
  ...summarized(summary),
});
