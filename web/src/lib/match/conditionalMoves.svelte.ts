/** What a seat answers before it is asked: lines that are tried out on the board, and kept by the server. */
import * as m from '../../paraglide/messages';
import { ApiError } from '../api/http';
import { Submission } from '../api/submit.svelte';
import type { MatchQueries } from './matchQueries';
import type { Variation } from './variation.svelte';
import type { Announcer } from './announcer.svelte';
import type { LogEntry, PlannedLines, Snapshot } from '../api/types';

/** The server keeps no more. */
const LINES = 32;

/** So often in a row another device may be first. */
const TRIES = 5;

export class ConditionalMoves {
  readonly submission = new Submission();
  /** Whether it is being made. */
  editing = $state(false);
  /** What is left of it. */
  lines: string[][] = $state.raw([]);
  /** Whether the others did what it did not foresee. */
  lapsed = $state(false);
  /** Whether the match went on while it was being made. */
  interrupted = $state(false);
  private truth: Snapshot | null = $state.raw(null);
  /** After how many actions of the match the lines begin. */
  private base = 0;
  /** What was planned when the lines were read. */
  private version = '';
  /** What is called how, by line. */
  private known: ReadonlyMap<string, LogEntry[]> = $state.raw(new Map());

  constructor(
    private readonly variation: Variation,
    private readonly queries: Pick<MatchQueries, 'position' | 'plan' | 'savePlan'>,
    private readonly announcer: Pick<Announcer, 'say'>,
    /** Whether chance plays no part in the game. */
    private readonly possible: boolean,
  ) {}

  /** The seat that may plan; null: none may, as nobody here has days for a turn. */
  readonly seat = $derived.by((): number | null => {
    const { truth } = this;
    if (!this.possible || !truth || truth.status === 'over' || truth.clock?.time.kind !== 'days') return null;
    const mine = truth.seats.filter(({ yours }) => yours);
    return mine.length === 1 && mine.length < truth.seats.length ? (mine[0]?.seat ?? null) : null;
  });

  /** Whether one may plan now: while others act. */
  readonly available = $derived(this.seat !== null && this.truth?.acting !== this.seat);

  /** Whether what is tried out ends with a whole turn of ours, and can be kept. */
  readonly complete = $derived.by(() => {
    const { seat, variation } = this;
    if (!this.editing || !variation.now || variation.entries.at(-1)?.seat !== seat) return false;
    return variation.now.acting !== seat && !this.has(variation.line);
  });

  readonly full = $derived(this.lines.length >= LINES);

  /** The lines as they are read. */
  readonly branches = $derived(
    this.lines.map((line) => ({ line, entries: this.known.get(line.join('\n')) ?? null })),
  );

  /** The last own answer, if it had been planned and nothing was answered since. */
  readonly played = $derived.by((): LogEntry[] => {
    const { truth, seat } = this;
    if (seat === null || !truth) return [];
    const last = truth.log.findLastIndex((entry) => entry.seat === seat);
    const turn = truth.log[last]?.turn;
    const entries = truth.log.slice(0, last + 1).filter((one) => one.turn === turn && one.seat === seat);
    return entries.every(({ planned }) => planned) ? entries : [];
  });

  /** The match stands like this now. */
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

  /** Whether the server is about to answer for us. */
  willAnswer({ log }: Snapshot): boolean {
    const since = log.slice(this.base).map(({ token }) => token);
    return this.lines.some(
      (line) => line.length > since.length && since.every((token, at) => line[at] === token),
    );
  }

  /** The match has gone on, and what was being tried out is put away. */
  interrupt(): void {
    this.interrupted = true;
    this.announcer.say(m.plan_gone_on());
  }

  async open(): Promise<void> {
    const { seat } = this;
    if (!this.available || !this.truth || seat === null) return;
    this.editing = true;
    this.interrupted = false;
    this.submission.problem = null;
    await this.variation.begin(this.truth.log.length);
    // It was refused, and why is said.
    if (!this.variation.on) this.editing = false;
    // It may have been changed on another device.
    else await this.read(seat, false);
  }

  /** Keeps what was tried out; what was to be answered otherwise in the same position gives way. */
  async save(): Promise<void> {
    const { seat } = this;
    if (!this.complete || seat === null) return;
    const { entries, line } = this.variation;
    const beside = (other: string[]) => {
      const apart = other.findIndex((token, at) => token !== line[at]);
      if (apart < 0) return false; // It goes on with the new one.
      return entries[apart]?.seat !== seat;
    };
    this.known = new Map(this.known).set(line.join('\n'), entries);
    await this.change(seat, (lines) => [...lines.filter(beside), line], m.plan_saved());
    if (this.submission.problem === null) this.variation.back(true);
  }

  async remove(line: readonly string[]): Promise<void> {
    const { seat } = this;
    const apart = (other: string[]) => other.join('\n') !== line.join('\n');
    if (seat !== null) await this.change(seat, (lines) => lines.filter(apart), m.plan_removed());
  }

  private has(line: readonly string[]): boolean {
    return this.lines.some((other) => line.every((token, at) => other[at] === token));
  }

  private async read(seat: number, tell: boolean): Promise<void> {
    await this.submission.run(async () => {
      const fell = this.lapsed;
      await this.take(this.queries.plan(seat));
      if (tell && this.lapsed && !fell) this.announcer.say(m.plan_fallen());
      if (this.editing) await this.name();
    });
  }

  /** Changes what is planned; if another device has changed it meanwhile, what is planned by that. */
  private async change(seat: number, how: (lines: string[][]) => string[][], said: string): Promise<void> {
    const { truth } = this;
    if (!truth) return;
    await this.submission.run(async () => {
      for (let tries = 1; ; tries++) {
        try {
          await this.take(this.queries.savePlan(seat, truth.seq, this.version, how(this.lines)));
          break;
        } catch (error) {
          if (!(error instanceof ApiError) || error.problem.code !== 'plan-changed') throw error;
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
    const { version, lines, fallen } = await asked;
    // More has been played: what is left then is being asked for.
    if (this.truth && this.truth.log.length !== length) return;
    this.version = version;
    this.lines = lines;
    this.base = length;
    this.lapsed = fallen;
  }

  /** Finds out what the actions of the lines are called. */
  private async name(): Promise<void> {
    const { truth } = this;
    if (!truth) return;
    for (const line of this.lines) {
      const key = line.join('\n');
      if (this.known.has(key)) continue;
      const there = await this.queries.position(truth.log.length, line);
      this.known = new Map(this.known).set(key, there.log.slice(truth.log.length));
    }
  }
}
