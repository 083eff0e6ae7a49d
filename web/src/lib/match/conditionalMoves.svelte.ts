/** Conditional moves of a seat: lines that are built on the board and stored by the server. */
import { m } from '../../messages';
import { ApiError } from '../api/http';
import { Submission } from '../api/submit.svelte';
import type { PlanStore } from './backend';
import type { Variation } from './variation.svelte';
import type { Announcer } from './announcer.svelte';
import type { LogEntry, PlannedLines, Snapshot } from '../api/types';

/** The server's limit. */
const LINES = 32;

/** How often another device may save first before this one gives up. */
const TRIES = 5;

export class ConditionalMoves {
  readonly submission = new Submission();
  /** Whether the player is editing. */
  editing = $state(false);
  /** The saved lines that are still possible. */
  lines: string[][] = $state.raw([]);
  /** Whether the lines lapsed because the others moved differently. */
  lapsed = $state(false);
  /** Whether the match moved on during editing. */
  interrupted = $state(false);
  private truth: Snapshot | null = $state.raw(null);
  /** The number of actions of the match before the lines. */
  private base = 0;
  /** The version of the lines. */
  private version = '';
  /** The actions of each line, with their labels. */
  private known: ReadonlyMap<string, LogEntry[]> = $state.raw(new Map());

  constructor(
    private readonly variation: Variation,
    /** Null: the match stores none. */
    private readonly queries: PlanStore | null,
    private readonly announcer: Pick<Announcer, 'say'>,
    /** Whether the game has no random events. */
    private readonly possible: boolean,
    /** Whether the user wants them without days per turn, too. */
    private readonly premoves: () => boolean,
  ) {}

  /** The seat that may set conditional moves; null: none. */
  readonly seat = $derived.by((): number | null => {
    const { truth } = this;
    if (!this.possible || !this.queries || !truth || truth.status === 'over') return null;
    const slow = truth.clock?.time.kind === 'days';
    const people = truth.seats.some(({ yours, kind }) => !yours && kind === 'person');
    if (!slow && !(this.premoves() && people)) return null;
    const mine = truth.seats.filter(({ yours }) => yours);
    return mine.length === 1 && mine.length < truth.seats.length ? (mine[0]?.seat ?? null) : null;
  });

  /** Whether editing is possible now: while the others act. */
  readonly available = $derived(this.seat !== null && this.truth?.acting !== this.seat);

  /** Whether the variation ends with a complete own turn that can be saved. */
  readonly complete = $derived.by(() => {
    const { seat, variation } = this;
    if (!this.editing || !variation.now || variation.entries.at(-1)?.seat !== seat) return false;
    return variation.now.acting !== seat && !this.has(variation.line);
  });

  readonly full = $derived(this.lines.length >= LINES);

  /** The lines with their actions. */
  readonly branches = $derived(
    this.lines.map((line) => ({ line, entries: this.known.get(line.join('\n')) ?? null })),
  );

  /** The last own turn, if conditional moves played it. */
  readonly played = $derived.by((): LogEntry[] => {
    const { truth, seat } = this;
    if (seat === null || !truth) return [];
    const last = truth.log.findLastIndex((entry) => entry.seat === seat);
    const turn = truth.log[last]?.turn;
    const entries = truth.log.slice(0, last + 1).filter((one) => one.turn === turn && one.seat === seat);
    return entries.every(({ planned }) => planned) ? entries : [];
  });

  /** Updates the lines after a change of the match. */
  onState(truth: Snapshot): void {
    const before = this.truth;
    this.truth = truth;
    const { seat } = this;
    if (seat === null) {
      this.lines = [];
      this.lapsed = false;
    } else if (!before || before.log.length !== truth.log.length || before.seq > truth.seq) {
      this.interrupted = false;
      void this.read(seat, before !== null);
    }
  }

  /** Whether the server is about to reply for this seat. */
  willAnswer({ log }: Snapshot): boolean {
    const since = log.slice(this.base).map(({ token }) => token);
    return this.lines.some(
      (line) => line.length > since.length && since.every((token, at) => line[at] === token),
    );
  }

  /** The match moved on: the edited line is dropped. */
  interrupt(): void {
    this.interrupted = true;
    this.announcer.say(m.conditional_interrupted());
  }

  async open(): Promise<void> {
    const { seat } = this;
    if (!this.available || !this.truth || seat === null) return;
    this.editing = true;
    this.interrupted = false;
    this.submission.problem = null;
    await this.variation.begin(this.truth.log.length);
    // The request failed, and the error is shown.
    if (!this.variation.on) this.editing = false;
    // Another device may have changed it.
    else await this.read(seat, false);
  }

  /** Saves the line; it replaces another reply in the same position. */
  async save(): Promise<void> {
    const { seat } = this;
    if (!this.complete || seat === null) return;
    const { entries, line } = this.variation;
    const beside = (other: string[]) => {
      const apart = other.findIndex((token, at) => token !== line[at]);
      if (apart < 0) return false; // The new line extends it.
      return entries[apart]?.seat !== seat;
    };
    this.known = new Map(this.known).set(line.join('\n'), entries);
    await this.change(seat, (lines) => [...lines.filter(beside), line], m.conditional_saved());
    if (this.submission.problem === null) this.variation.back(true);
  }

  async remove(line: readonly string[]): Promise<void> {
    const { seat } = this;
    const apart = (other: string[]) => other.join('\n') !== line.join('\n');
    if (seat !== null) await this.change(seat, (lines) => lines.filter(apart), m.conditional_removed());
  }

  private has(line: readonly string[]): boolean {
    return this.lines.some((other) => line.every((token, at) => other[at] === token));
  }

  private async read(seat: number, tell: boolean): Promise<void> {
    const { queries } = this;
    if (!queries) return;
    await this.submission.run(async () => {
      const fell = this.lapsed;
      await this.take(queries.plan(seat));
      if (tell && this.lapsed && !fell) this.announcer.say(m.conditional_lapsed());
      if (this.editing) await this.name();
    });
  }

  /** Changes the lines; if another device saved first, applies the change to those. */
  private async change(seat: number, how: (lines: string[][]) => string[][], said: string): Promise<void> {
    const { truth, queries } = this;
    if (!truth || !queries) return;
    await this.submission.run(async () => {
      for (let tries = 1; ; tries++) {
        try {
          await this.take(queries.savePlan(seat, truth.seq, this.version, how(this.lines)));
          break;
        } catch (error) {
          if (!(error instanceof ApiError) || error.problem.code !== 'conditional-changed') throw error;
          await this.take(error.problem.params['planned'] as PlannedLines);
          if (tries === TRIES) throw error;
        }
      }
      this.announcer.say(said);
      await this.name();
    });
  }

  private async take(asked: Promise<PlannedLines> | PlannedLines): Promise<void> {
    const length = this.truth?.log.length ?? 0;
    const { version, lines, cancelled } = await asked;
    // More was played since: a newer request is under way.
    if (this.truth && this.truth.log.length !== length) return;
    this.version = version;
    this.lines = lines;
    this.base = length;
    this.lapsed = cancelled;
  }

  /** Fetches the labels of the actions in the lines. */
  private async name(): Promise<void> {
    const { truth, queries } = this;
    if (!truth || !queries) return;
    for (const line of this.lines) {
      const key = line.join('\n');
      if (this.known.has(key)) continue;
      const there = await queries.position(truth.log.length, line);
      this.known = new Map(this.known).set(key, there.log.slice(truth.log.length));
    }
  }
}
