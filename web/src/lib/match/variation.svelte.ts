/** A variation: actions that are tried out on the server's copy of a position and not played. */
import { Submission } from '../api/submit.svelte';
import type { MatchBackend } from './backend';
import type { LogEntry, PositionRef, Snapshot } from '../api/types';

export class Variation {
  readonly submission = new Submission();
  /** The first position and those after each action. */
  private steps: Snapshot[] = $state.raw([]);
  /** The number of actions of the match before it. */
  private ply = 0;

  constructor(
    private readonly queries: Pick<MatchBackend, 'position'>,
    /** Draws a position; `since`: animates the actions from this index on, null: no animation. */
    private readonly show: (snapshot: Snapshot, since: number | null) => void,
  ) {}

  readonly on = $derived(this.steps.length > 0);

  /** The current position. */
  readonly now = $derived(this.steps.at(-1) ?? null);

  /** Its actions, including random draws. */
  readonly entries: LogEntry[] = $derived(this.now?.log.slice(this.ply) ?? []);

  readonly line = $derived(this.entries.map(({ token }) => token));

  /** Its position; null outside a variation. */
  readonly at: PositionRef | null = $derived(this.on ? { ply: this.ply, line: this.line } : null);

  /** Starts at the position after `ply` actions of the match. */
  async begin(ply: number): Promise<void> {
    const { steps } = this;
    await this.submission.run(async () => {
      const start = await this.queries.position(ply, []);
      // It was closed meanwhile.
      if (steps !== this.steps) return;
      this.ply = ply;
      this.steps = [start];
      this.show(start, null);
    });
  }

  async play(token: string): Promise<void> {
    const { steps, ply, line } = this;
    await this.submission.run(async () => {
      const next = await this.queries.position(ply, [...line, token]);
      // It was closed meanwhile.
      if (steps !== this.steps) return;
      this.steps = [...steps, next];
      this.show(next, ply + line.length);
    });
  }

  /** Undoes the last action, or all of them. */
  back(whole = false): void {
    if (this.steps.length < 2) return;
    this.steps = this.steps.slice(0, whole ? 1 : -1);
    if (this.now) this.show(this.now, null);
  }

  /** Ends the variation; the caller shows the current position. */
  end(): void {
    this.steps = [];
    this.submission.problem = null;
  }
}
