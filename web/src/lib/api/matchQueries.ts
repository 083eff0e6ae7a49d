/** What is asked about a match besides playing it: by whoever holds these seats, in the page's language. */
import * as api from './matches';
import { settings } from '../platform/settings.svelte';
import type { Prospect, Refusal } from './view';
import type { Place, Planned, Snapshot } from './types';

export class Enquiries {
  constructor(
    private readonly match: string,
    private readonly tokens: string[],
  ) {}

  now(): Promise<Snapshot> {
    return api.snapshot(this.match, this.tokens, settings.language);
  }

  /** The match after so many actions, and a line that was not played. */
  along(place: number, line: readonly string[]): Promise<Snapshot> {
    return api.along(this.match, { place, line }, this.tokens, settings.language);
  }

  /** `at`: where it is tried out; null: in play. */
  explain(tried: string[], turn: number | null, at: Place | null): Promise<{ refusal: Refusal | null }> {
    return api.explain(this.match, tried, turn, at, this.tokens, settings.language);
  }

  /** What an action would bring; null if it cannot be had: then there is just nothing more to see. */
  async prospect(seq: number, token: string, at: Place | null): Promise<Prospect | null> {
    try {
      return await api.prospect(this.match, seq, token, at, this.tokens, settings.language);
    } catch (error) {
      if (!(error instanceof api.Refused)) throw error;
      return null;
    }
  }

  plan(seat: number): Promise<Planned> {
    return api.plan(this.match, seat, this.tokens, settings.language);
  }

  /** `version`: of the plan that it takes the place of. */
  makePlan(seat: number, seq: number, version: string, lines: string[][]): Promise<Planned> {
    return api.makePlan(this.match, { seat, seq, version, lines }, this.tokens, settings.language);
  }
}
