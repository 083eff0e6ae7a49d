/** Requests about a match, with the tokens of its seats and the language of the page. */
import { ApiError } from '../api/http';
import * as api from '../api/matches';
import { settings } from '../platform/settings.svelte';
import type { Prospect, Refusal } from '../api/view';
import type { WhyNotAnswer } from '../api/whyNot';
import type { PositionRef, PlannedLines, Snapshot } from '../api/types';

export class MatchQueries {
  constructor(
    private readonly match: string,
    private readonly tokens: string[],
  ) {}

  now(): Promise<Snapshot> {
    return api.fetchSnapshot(this.match, this.tokens, settings.language);
  }

  /** Fetches the match after a number of actions, followed by a variation. */
  position(ply: number, line: readonly string[]): Promise<Snapshot> {
    return api.fetchPosition(this.match, { ply, line }, this.tokens, settings.language);
  }

  /** `at`: the position in the variation; null: the current one. */
  explain(
    tried: string[],
    turn: number | null,
    at: PositionRef | null,
  ): Promise<{ refusal: Refusal | null }> {
    return api.explainRejection(this.match, tried, turn, at, this.tokens, settings.language);
  }

  /** Fetches the prospect of an action; null if it is unavailable. */
  async prospect(seq: number, token: string, at: PositionRef | null): Promise<Prospect | null> {
    try {
      return await api.fetchProspect(this.match, seq, token, at, this.tokens, settings.language);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return null;
    }
  }

  whyNot(ply: number, token: string): Promise<WhyNotAnswer> {
    return api.fetchWhyNot(this.match, ply, token, this.tokens, settings.language);
  }

  plan(seat: number): Promise<PlannedLines> {
    return api.fetchPlan(this.match, seat, this.tokens, settings.language);
  }

  /** `version`: of the lines that are replaced. */
  savePlan(seat: number, seq: number, version: string, lines: string[][]): Promise<PlannedLines> {
    return api.savePlan(this.match, { seat, seq, version, lines }, this.tokens, settings.language);
  }
}
