/** The matches kept in this browser, and how they stand on the server. */
import { Refused, standing } from './api';
import { settings } from './settings.svelte';
import { forgetMatch, matches, type SavedMatch, saveMatch, tokensOf } from './storage';
import type { Problem, Standing } from './wire';

/** How many are asked about at the same time. */
const AT_ONCE = 4;

export class Kept {
  matches: SavedMatch[] = $state.raw(matches());
  /** By match: how it stands, as far as it has been asked. */
  standings: ReadonlyMap<string, Standing> = $state.raw(new Map());
  /** By match: why it cannot be had. */
  problems: ReadonlyMap<string, Problem> = $state.raw(new Map());
  /** Whether the server does not answer. */
  offline = $state(false);

  private asking = false;

  /** Asks how those stand that go on. */
  async refresh(): Promise<void> {
    if (this.asking) return;
    this.asking = true;
    const left = this.matches.filter(({ over }) => !over).map(({ match }) => match);
    const ask = async () => {
      for (let match = left.shift(); match !== undefined; match = left.shift()) await this.ask(match);
    };
    await Promise.all(Array.from({ length: AT_ONCE }, ask));
    this.asking = false;
  }

  forget(match: string): void {
    forgetMatch(match);
    this.matches = matches();
  }

  private async ask(match: string): Promise<void> {
    try {
      const found = await standing(match, tokensOf(match), settings.language);
      this.offline = false;
      this.standings = new Map(this.standings).set(match, found);
      this.keep(match, found);
    } catch (error) {
      if (!(error instanceof Refused)) throw error;
      if (error.problem.code === 'offline') this.offline = true;
      else this.problems = new Map(this.problems).set(match, error.problem);
    }
  }

  /** For when the server does not answer. */
  private keep(match: string, { status, acting, winners, seats, since }: Standing): void {
    const saved = this.matches.find((one) => one.match === match);
    if (!saved) return;
    const who = saved.who?.map((one, seat) => ({ ...one, name: seats[seat]?.name ?? one.name }));
    saveMatch({
      ...saved,
      ...(who && { who }),
      over: status === 'over',
      at: Date.parse(since),
      acting,
      winners,
    });
    this.matches = matches();
  }
}
