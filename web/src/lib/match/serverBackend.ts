/** A match on the server: its web socket and its HTTP endpoints. */
import { Connection, type Listener } from '../api/connection';
import * as api from '../api/matches';
import { settings } from '../platform/settings.svelte';
import { tokensOf } from '../lobby/matchStore';
import { MatchQueries } from './matchQueries';
import type { Command, Hint, ProofResult } from '../api/types';
import type { MatchBackend, ServerFeatures } from './backend';

export class ServerBackend extends MatchQueries implements MatchBackend {
  private connection: Connection | null = null;

  readonly server: ServerFeatures = {
    plans: this,
    analyse: (ply, line) => this.connection?.analyse(ply, line),
    say: (seat, text) => this.connection?.say(seat, text),
    report: (seat, line) => this.connection?.report(seat, line),
  };

  constructor(private readonly id: string) {
    super(id, tokensOf(id));
  }

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

  hint(): Promise<Hint> {
    return api.fetchHint(this.id, tokensOf(this.id), settings.language);
  }

  proof(): Promise<ProofResult> {
    return api.fetchProof(this.id, settings.language);
  }

  record(): Promise<string> {
    return api.fetchRecord(this.id);
  }
}
