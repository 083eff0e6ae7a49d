/** A finished match looked at again: where one is in it, and what is thought of it. */
import type { ActionView } from '../api/view';
import type { Analysis, BestLine, Problem, Snapshot, ReviewPart } from '../api/types';

/** Who steps on and on does not want a thought about every position on the way. */
const PAUSE = 150;

/** How long a position is thought about before it is told of, in seconds. */
const SETTLED = 0.7;

/** How many of the best actions are shown on the board at most, and how much worse than the best they are. */
const MARKED = 3;
const WORSE = 0.15;

/** How many positions are kept. */
const KEPT = 64;

export interface ReviewHost {
  /** The match after so many actions; null if it cannot be had. */
  fetchPosition(place: number): Promise<Snapshot | null>;
  /** Asks what is thought of a position, after what was tried out from it; null: of none. */
  analyse(place: number | null, line: readonly string[]): void;
  /** Gives up what is tried out. */
  leaveVariation(): void;
  /** Shows the match as it stands. */
  showCurrent(): void;
  /** To be drawn; `step`: with what its last action did. */
  show(snapshot: Snapshot, step: boolean): void;
  /** To be said, once for each position. */
  announce(position: Analysis['position']): void;
}

/** One of the best actions, as the position's view has it. */
export interface Suggestion {
  rank: number;
  line: BestLine;
  action: ActionView;
}

export const percent = (share: number): number => Math.round(share * 100);

export class Review {
  /** Whether the match is being looked at again. */
  on = $state(false);
  /** After how many of its actions. */
  ply = $state(0);
  /** How many it has. */
  length = $state(0);
  /** Whether it is analysed. */
  analysing = $state(false);
  /** Of the position that is looked at. */
  analysis: Analysis | null = $state.raw(null);
  study: ReviewPart | null = $state.raw(null);
  problem: Problem | null = $state.raw(null);
  /** The action that is looked at among the best; null: all of them. */
  selectedAction: string | null = $state(null);
  private snapshot: Snapshot | null = $state.raw(null);
  /** What was tried out from here. */
  private line: readonly string[] = $state.raw([]);

  private readonly known = new Map<number, Snapshot>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The position that was told of last. */
  private announced = '';

  constructor(private readonly host: ReviewHost) {}

  /** What the best actions are, as far as is known. */
  readonly best = $derived.by((): Suggestion[] => {
    const actions = this.snapshot?.view.actions ?? [];
    if (!this.on || !this.analysing || this.analysis === null) return [];
    // What nobody has looked at, since another wins for certain, is not worth half of a game.
    const seen = this.analysis.position.lines.filter(({ visits, proven }) => proven || visits > 0);
    return seen.flatMap((line, place) => {
      const action = actions.find(({ token }) => token === line.action);
      return action ? [{ rank: place + 1, line, action }] : [];
    });
  });

  /** Those of them that are shown on the board. */
  readonly suggested = $derived.by((): Suggestion[] => {
    if (this.selectedAction !== null)
      return this.best.filter(({ line }) => line.action === this.selectedAction);
    const seat = this.analysis?.position.to_act ?? 0;
    const share = ({ line }: Suggestion) => line.shares[seat] ?? 0;
    const [best] = this.best;
    return this.best.filter((one) => one.rank <= MARKED && best && share(one) > share(best) - WORSE);
  });

  /** What each seat can expect: of the thought, else of the study; null if nothing is known. */
  readonly evaluation = $derived(
    this.analysis?.position ??
      (this.analysing && this.line.length === 0 ? (this.study?.positions[this.ply] ?? null) : null),
  );

  /** Begins to look at the finished match, at its end. */
  open(end: Snapshot): void {
    this.length = end.log.length;
    this.known.clear();
    this.snapshot = end;
    this.ply = this.length;
    this.on = true;
    // Whatever ended the match, its last position is one like the others: with what could be done there.
    void this.fetch(this.ply, false);
    if (this.analysing) this.ask();
  }

  /** Back to how the match stands. */
  close(): void {
    this.host.leaveVariation();
    this.on = false;
    this.requestAnalysis(null);
    this.analysis = null;
    this.host.showCurrent();
  }

  /** Switches the analysis on or off. */
  setAnalysing(yes: boolean): void {
    this.analysing = yes;
    this.analysis = null;
    this.problem = null;
    this.announced = '';
    if (yes) this.ask();
    else this.requestAnalysis(null);
  }

  /** To another position; beyond the ends nothing happens. */
  go(wanted: number): void {
    const place = Math.min(Math.max(wanted, 0), this.length);
    if (!this.on || place === this.ply) return;
    this.host.leaveVariation();
    const step = place === this.ply + 1;
    this.ply = place;
    this.analysis = null;
    this.selectedAction = null;
    void this.fetch(place, step);
    if (this.analysing) this.ask();
  }

  /** Something was tried out from here: what came of it, and after which actions; without any it is as it was. */
  onVariation(snapshot: Snapshot | null, line: readonly string[]): void {
    if (!this.on) return;
    const before = this.line.join();
    this.line = line;
    if (snapshot) this.snapshot = snapshot;
    else void this.fetch(this.ply, false);
    if (before === line.join()) return;
    this.analysis = null;
    this.selectedAction = null;
    if (this.analysing) this.ask();
  }

  // What the server says

  onAnalysis(analysis: Analysis): void {
    if (!this.on || !this.analysing || analysis.place !== this.ply) return;
    if (analysis.line.join() !== this.line.join()) return;
    this.analysis = analysis;
    const there = [this.ply, ...this.line].join();
    if (this.announced === there || (analysis.seconds < SETTLED && !analysis.final)) return;
    this.announced = there;
    this.host.announce(analysis.position);
  }

  onStudy(part: ReviewPart): void {
    const { study } = this;
    if (study === null || part.first === 0) this.study = part;
    else if (part.first === study.positions.length) {
      this.study = {
        ...part,
        first: 0,
        positions: [...study.positions, ...part.positions],
        actions: [...study.actions, ...part.actions],
      };
    }
  }

  onRejected(problem: Problem): void {
    this.analysing = false;
    this.problem = problem;
  }

  private ask(): void {
    this.requestAnalysis(this.ply);
  }

  private requestAnalysis(place: number | null): void {
    clearTimeout(this.timer);
    if (place === null) this.host.analyse(null, []);
    else this.timer = setTimeout(() => this.host.analyse(place, this.line), PAUSE);
  }

  /** The match after so many actions; null if it cannot be had. */
  async at(place: number): Promise<Snapshot | null> {
    const snapshot = this.known.get(place) ?? (await this.host.fetchPosition(place));
    if (!snapshot) return null;
    this.known.set(place, snapshot);
    if (this.known.size > KEPT) {
      const oldest = [...this.known.keys()].find((one) => one !== place);
      if (oldest !== undefined) this.known.delete(oldest);
    }
    return snapshot;
  }

  private async fetch(place: number, step: boolean): Promise<void> {
    const snapshot = await this.at(place);
    if (!snapshot) return;
    // Somebody has gone on meanwhile.
    if (!this.on || place !== this.ply || this.line.length > 0) return;
    this.snapshot = snapshot;
    this.host.show(snapshot, step);
  }
}
