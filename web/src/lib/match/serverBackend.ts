/** A match on the server: its web socket and its HTTP endpoints. */
import { Connection, type Listener } from '../api/connection';
import { ApiError, callApi } from '../api/http';
import { fetchRecord } from '../api/matches';
import { ofLine, ofSelection, type Query, withQuery } from '../api/query';
import { settings } from '../platform/settings.svelte';
import { tokensOf } from '../lobby/matchStore';
import type { Prospect, Refusal } from '../api/view';
import type { WhyNotAnswer } from '../api/whyNot';
import type { Command, Hint, PlannedLines, PositionRef, ProofResult, Snapshot } from '../api/types';
import type { MatchBackend, ServerFeatures } from './backend';

/** The query parameters of a position in the variation; null: the current one. */
const placed = (at: PositionRef | null): Query => (at ? [['ply', String(at.ply)], ...ofLine(at.line)] : []);

export class ServerBackend implements MatchBackend {
  private connection: Connection | null = null;

  readonly server: ServerFeatures = {
    plans: this,
    analyse: (ply, line) => this.connection?.analyse(ply, line),
    say: (seat, text) => this.connection?.say(seat, text),
    report: (seat, line) => this.connection?.report(seat, line),
  };

  constructor(private readonly id: string) {}

  open(listener: Listener): void {
    const origin = location.origin.replace(/^http/, 'ws');
    const url = `${origin}/api/matches/${encodeURIComponent(this.id)}/socket`;
    this.connection = new Connection(url, tokensOf(this.id), () => settings.language, listener);
  }

  send(command: Command): void {
    this.connection?.send(command);
  }

  wake(): void {
    this.connection?.wake();
  }

  close(): void {
    this.connection?.close();
  }

  retryEngine(): void {
    this.connection?.retryEngine();
  }

  now(): Promise<Snapshot> {
    return this.ask('');
  }

  position(ply: number, line: readonly string[]): Promise<Snapshot> {
    return this.ask(`/positions/${ply}`, ofLine(line));
  }

  explain(
    touched: string[],
    rotation: number | null,
    at: PositionRef | null,
  ): Promise<{ refusal: Refusal | null }> {
    return this.ask('/explain', [...ofSelection(touched, rotation), ...placed(at)]);
  }

  async prospect(seq: number, token: string, at: PositionRef | null): Promise<Prospect | null> {
    try {
      return await this.ask('/prospect', [['seq', String(seq)], ['token', token], ...placed(at)]);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return null;
    }
  }

  hint(): Promise<Hint> {
    return this.ask('/hint');
  }

  whyNot(ply: number, token: string): Promise<WhyNotAnswer> {
    return this.ask('/why-not', [
      ['ply', String(ply)],
      ['token', token],
    ]);
  }

  proof(): Promise<ProofResult> {
    return this.ask('/proof');
  }

  plan(seat: number): Promise<PlannedLines> {
    return this.ask('/conditional-moves', [['seat', String(seat)]]);
  }

  savePlan(seat: number, seq: number, version: string, lines: string[][]): Promise<PlannedLines> {
    return this.ask('/conditional-moves', [], { seat, seq, version, lines });
  }

  record(): Promise<string> {
    return fetchRecord(this.id);
  }

  /** Sends a request about the match, with the tokens of its seats. */
  private ask<Answer>(what: string, asked: Query = [], body?: unknown): Promise<Answer> {
    const path = withQuery(`/matches/${encodeURIComponent(this.id)}${what}`, asked);
    return callApi(path, settings.language, { tokens: tokensOf(this.id), body });
  }
}
