/** A tournament on screen: fetched again while the page is visible. */
import { ApiError } from '../api/http';
import { Submission } from '../api/submit.svelte';
import { actInTournament, fetchTournament, type TournamentAction } from '../api/tournaments';
import type { TournamentState, TournamentView } from '../api/server';
import type { Problem } from '../api/types';
import { settings } from '../platform/settings.svelte';
import { secretsOf } from './secrets';

const POLL_MILLISECONDS = 3000;

export class LiveTournament {
  view: TournamentView | null = $state.raw(null);
  problem: Problem | null = $state.raw(null);
  readonly submission = new Submission();
  private version = 0;
  private timer: ReturnType<typeof setTimeout> | undefined;
  private closed = false;

  constructor(readonly id: string) {
    void this.poll();
  }

  close(): void {
    this.closed = true;
    clearTimeout(this.timer);
  }

  /** Fetches it now, and then again and again. */
  async poll(): Promise<void> {
    clearTimeout(this.timer);
    if (document.visibilityState === 'visible') {
      try {
        this.take(await fetchTournament(this.id, this.version, secretsOf(this.id), settings.language));
        this.problem = null;
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
        this.problem = error.problem;
      }
    }
    if (!this.closed) this.timer = setTimeout(() => void this.poll(), POLL_MILLISECONDS);
  }

  async act(action: TournamentAction): Promise<void> {
    await this.submission.run(async () => {
      this.take(await actInTournament(this.id, action, secretsOf(this.id), settings.language));
    });
  }

  private take(state: TournamentState): void {
    if (state.view === null || state.version < this.version) return;
    this.version = state.version;
    this.view = state.view;
  }
}
