/** A rush: three minutes of puzzles that become harder, until the time is up or three are missed. */
import { isMapOf, isNumber } from '../platform/checks';
import { load, save } from '../platform/storage';
import { sharedCore } from '../core/boards';
import { ratingOfPuzzle } from './puzzleRating';
import type { CoreClient } from '../core/client';
import type { PuzzleInfo } from '../api/types';

export const SECONDS = 180;
export const MISSES = 3;

/** How long the answer to a puzzle stays, in milliseconds. */
const PAUSE = 900;

const BEST = 'tavola.puzzles.rush';

let records: Record<string, number> = $state.raw(load(BEST, {}, isMapOf(isNumber)));

/** The most puzzles of a game that were solved in a rush in this browser. */
export const bestRush = (game: string): number => records[game] ?? 0;

export class Rush {
  solvedCount = $state(0);
  missedCount = $state(0);
  left = $state(SECONDS);
  over = $state(false);
  /** Whether the rush has beaten the record of this browser. */
  record = $state(false);
  /** The index of the puzzle on screen. */
  private place = $state(0);
  /** Whether the puzzle on screen has its answer. */
  private answered = false;
  private readonly order: readonly PuzzleInfo[];
  private readonly until: number;
  private readonly timer: ReturnType<typeof setInterval>;
  private next: ReturnType<typeof setTimeout> | undefined;

  constructor(
    private readonly game: string,
    puzzles: readonly PuzzleInfo[],
    random: () => number = Math.random,
  ) {
    // Within a hundred points of rating the order is random.
    const rank = new Map(puzzles.map((one) => [one, ratingOfPuzzle(one).value + 100 * random()]));
    this.order = [...puzzles].sort((one, other) => (rank.get(one) ?? 0) - (rank.get(other) ?? 0));
    this.until = Date.now() + SECONDS * 1000;
    this.timer = setInterval(() => this.tick(), 200);
  }

  readonly puzzle = $derived.by(() => this.order[this.place] ?? null);

  /** Its puzzles share a core: a worker for each would be slow. */
  readonly startCore = (): Pick<CoreClient, 'ask' | 'close'> => {
    const core = sharedCore();
    return { ask: (name, request) => core.ask(name, request), close: () => undefined };
  };

  solved(): void {
    if (this.answered || this.over) return;
    this.solvedCount += 1;
    this.answer();
  }

  missed(): void {
    if (this.answered || this.over) return;
    this.missedCount += 1;
    this.answer();
  }

  close(): void {
    clearInterval(this.timer);
    clearTimeout(this.next);
  }

  private answer(): void {
    this.answered = true;
    this.next = setTimeout(() => {
      if (this.missedCount >= MISSES || this.place + 1 >= this.order.length) this.end();
      if (this.over) return;
      this.answered = false;
      this.place += 1;
    }, PAUSE);
  }

  private tick(): void {
    this.left = Math.max(0, Math.ceil((this.until - Date.now()) / 1000));
    if (this.left === 0) this.end();
  }

  private end(): void {
    if (this.over) return;
    this.over = true;
    this.close();
    this.record = this.solvedCount > bestRush(this.game);
    if (!this.record) return;
    records = { ...records, [this.game]: this.solvedCount };
    save(BEST, records);
  }
}
