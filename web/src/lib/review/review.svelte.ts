/** The review of a finished match: navigation and analysis. */
import type { ActionView } from '../api/view';
import { MomentPuzzle } from './momentPuzzle.svelte';
import { withProofs } from './proof';
import type { Analysis, Line, Problem, Snapshot, ReviewPart } from '../api/types';

/** Delay before an analysis, for users who step on quickly. */
const PAUSE = 150;

/** How long a position is analysed before it is announced, in seconds. */
const SETTLED = 0.7;

/** The number of best moves on the board, and how much worse than the best they may be. */
const MARKED = 3;
const WORSE = 0.15;

/** The size of the snapshot cache. */
const KEPT = 64;

export interface ReviewHost {
  /** The match after `ply` actions; null if unavailable. */
  fetchPosition(ply: number): Promise<Snapshot | null>;
  /** Requests the analysis of a position with a variation; null: stops it. */
  analyse(ply: number | null, line: readonly string[]): void;
  /** Leaves the variation. */
  leaveVariation(): void;
  /** Shows the current state of the match. */
  showCurrent(): void;
  /** Draws a snapshot; `step`: with the events of its last action. */
  show(snapshot: Snapshot, step: boolean): void;
  /** Announces a position, once each. */
  announce(position: Analysis['position']): void;
}

/** An action that is marked on the board, with its number. */
export interface MarkedAction {
  rank: number;
  action: ActionView;
}

/** A best move with its action in the view. */
export interface Suggestion extends MarkedAction {
  line: Line;
}

/** The moves of an analysis that are possible and known, the best first. */
export function bestMoves(lines: readonly Line[], actions: readonly ActionView[]): Suggestion[] {
  // Unvisited moves in a position with a forced win have no meaningful value.
  const seen = lines.filter(({ visits, proven }) => proven || visits > 0);
  return seen.flatMap((line, index) => {
    const action = actions.find(({ token }) => token === line.action);
    return action ? [{ rank: index + 1, line, action }] : [];
  });
}

/** The best moves to mark on the board for the seat to act; `selected`: the only one to mark. */
export function markedMoves(
  best: readonly Suggestion[],
  seat: number,
  selected: string | null,
): Suggestion[] {
  if (selected !== null) return best.filter(({ line }) => line.action === selected);
  const share = ({ line }: Suggestion) => line.shares[seat] ?? 0;
  const [first] = best;
  return best.filter((one) => one.rank <= MARKED && first && share(one) > share(first) - WORSE);
}

export const percent = (share: number): number => Math.round(share * 100);

export class Review {
  /** Whether the review is open. */
  on = $state(false);
  /** The number of actions before the shown position. */
  ply = $state(0);
  /** The number of actions of the match. */
  length = $state(0);
  /** Whether the analysis is on: from the start, as it finds the decisive moments. */
  analysing = $state(true);
  /** A decisive moment that the player tries to improve. */
  readonly puzzle = new MomentPuzzle();
  /** The analysis of the shown position. */
  analysis: Analysis | null = $state.raw(null);
  private estimated: ReviewPart | null = $state.raw(null);
  /** By position: what a longer analysis has proven. */
  private proofs: ReadonlyMap<number, Analysis['position']> = $state.raw(new Map());
  problem: Problem | null = $state.raw(null);
  /** The selected best move; null: all of them. */
  selectedAction: string | null = $state(null);
  private snapshot: Snapshot | null = $state.raw(null);
  /** The variation from the shown position. */
  private line: readonly string[] = $state.raw([]);

  private readonly known = new Map<number, Snapshot>();
  private timer: ReturnType<typeof setTimeout> | undefined;
  /** The position announced last. */
  private announced = '';

  constructor(private readonly host: ReviewHost) {}

  /** The review of the whole match, as far as known. Proofs take the place of estimates. */
  readonly study = $derived(this.estimated && withProofs(this.estimated, this.proofs));

  /** The best moves known so far. */
  readonly best = $derived.by((): Suggestion[] => {
    const actions = this.snapshot?.view.actions ?? [];
    if (!this.on || !this.analysing || this.analysis === null || this.puzzle.hiding) return [];
    return bestMoves(this.analysis.position.lines, actions);
  });

  /** The best moves shown on the board. */
  readonly suggested = $derived.by((): Suggestion[] =>
    markedMoves(this.best, this.analysis?.position.to_act ?? 0, this.selectedAction),
  );

  /** The shares of the seats, from the analysis or else from the review; null if unknown. */
  readonly evaluation = $derived(
    this.analysis?.position ??
      (this.analysing && this.line.length === 0 ? (this.study?.positions[this.ply] ?? null) : null),
  );

  /** Opens the review at the end of the match. */
  open(end: Snapshot): void {
    this.length = end.log.length;
    this.known.clear();
    this.snapshot = end;
    this.ply = this.length;
    this.on = true;
    // Show the last position as any other, with its possible actions.
    void this.fetch(this.ply, false);
    if (this.analysing) this.ask();
  }

  /** Closes the review. */
  close(): void {
    this.puzzle.leave();
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

  /** Moves to another position within the match. */
  go(wanted: number): void {
    const ply = Math.min(Math.max(wanted, 0), this.length);
    if (!this.on || ply === this.ply) return;
    if (ply !== this.puzzle.at) this.puzzle.leave();
    this.host.leaveVariation();
    const step = ply === this.ply + 1;
    this.ply = ply;
    this.analysis = null;
    this.selectedAction = null;
    void this.fetch(ply, step);
    if (this.analysing) this.ask();
  }

  /** The variation changed: its snapshot and actions; empty: back to the match. */
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

  // Messages of the server

  onAnalysis(analysis: Analysis): void {
    if (!this.on || !this.analysing || analysis.ply !== this.ply) return;
    if (analysis.line.join() !== this.line.join()) return;
    this.analysis = analysis;
    if (analysis.position.certain && this.line.length === 0)
      this.proofs = new Map(this.proofs).set(this.ply, analysis.position);
    const there = [this.ply, ...this.line].join();
    if (this.announced === there || (analysis.seconds < SETTLED && !analysis.final)) return;
    this.announced = there;
    this.host.announce(analysis.position);
  }

  onStudy(part: ReviewPart): void {
    const { estimated: study } = this;
    if (study === null || part.first === 0) this.estimated = part;
    else if (part.first === study.positions.length) {
      this.estimated = {
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

  private requestAnalysis(ply: number | null): void {
    clearTimeout(this.timer);
    if (ply === null) this.host.analyse(null, []);
    else this.timer = setTimeout(() => this.host.analyse(ply, this.line), PAUSE);
  }

  /** The match after `ply` actions; null if unavailable. */
  async at(ply: number): Promise<Snapshot | null> {
    const snapshot = this.known.get(ply) ?? (await this.host.fetchPosition(ply));
    if (!snapshot) return null;
    this.known.set(ply, snapshot);
    if (this.known.size > KEPT) {
      const oldest = [...this.known.keys()].find((one) => one !== ply);
      if (oldest !== undefined) this.known.delete(oldest);
    }
    return snapshot;
  }

  private async fetch(ply: number, step: boolean): Promise<void> {
    const snapshot = await this.at(ply);
    if (!snapshot) return;
    // The user moved on meanwhile.
    if (!this.on || ply !== this.ply || this.line.length > 0) return;
    this.snapshot = snapshot;
    this.host.show(snapshot, step);
  }
}
