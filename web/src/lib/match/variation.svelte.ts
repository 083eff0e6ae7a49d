/** Actions that are tried out and not played: what came after a position of the match, as the server has it. */
import { Submission } from '../api/submit.svelte';
import type { MatchQueries } from './matchQueries';
import type { LogEntry, PositionRef, Snapshot } from '../api/types';

export class Variation {
  readonly submission = new Submission();
  /** The position where it began, and those after what was tried since. */
  private steps: Snapshot[] = $state.raw([]);
  /** After how many actions of the match it began. */
  private place = 0;

  constructor(
    private readonly queries: Pick<MatchQueries, 'position'>,
    /** Draws a position; `since`: with what the actions after so many did, null: at once. */
    private readonly show: (snapshot: Snapshot, since: number | null) => void,
  ) {}

  readonly on = $derived(this.steps.length > 0);

  /** What is there now. */
  readonly now = $derived(this.steps.at(-1) ?? null);

  /** What was tried, chance's answers included. */
  readonly entries: LogEntry[] = $derived(this.now?.log.slice(this.place) ?? []);

  readonly line = $derived(this.entries.map(({ token }) => token));

  /** Where that is; null where nothing is tried out. */
  readonly at: PositionRef | null = $derived(this.on ? { place: this.place, line: this.line } : null);

  /** From the position after so many actions of the match on. */
  async begin(place: number): Promise<void> {
    const { steps } = this;
    await this.submission.run(async () => {
      const start = await this.queries.position(place, []);
      // It was given up meanwhile.
      if (steps !== this.steps) return;
      this.place = place;
      this.steps = [start];
      this.show(start, null);
    });
  }

  async play(token: string): Promise<void> {
    const { steps, place, line } = this;
    await this.submission.run(async () => {
      const next = await this.queries.position(place, [...line, token]);
      // It was given up meanwhile.
      if (steps !== this.steps) return;
      this.steps = [...steps, next];
      this.show(next, place + line.length);
    });
  }

  /** Takes back the last action, or all of them. */
  back(whole = false): void {
    if (this.steps.length < 2) return;
    this.steps = this.steps.slice(0, whole ? 1 : -1);
    if (this.now) this.show(this.now, null);
  }

  /** Nothing is tried any more; whoever ends it shows what holds. */
  end(): void {
    this.steps = [];
    this.submission.problem = null;
  }
}
