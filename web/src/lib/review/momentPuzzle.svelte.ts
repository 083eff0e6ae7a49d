/** A moment of the review as a small puzzle: the player looks for a better action than the one that was played. */
import { isFound } from './moments';
import type { JudgedAction } from '../api/types';

/** Where the puzzle is played: on the analysis board, or in a variation of a match. */
export interface MomentBoard {
  /** Shows the position before an action, where another one can be played. */
  open(at: number): Promise<void> | void;
  /** Plays an action there. */
  play(at: number, token: string): Promise<void> | void;
  /** Ends the puzzle. */
  leave(): void;
}

type MomentStatus = 'asked' | 'checking' | 'worse' | 'same' | 'found' | 'shown';

export class MomentPuzzle {
  /** The index of the action to improve; null: no puzzle is open. */
  at: number | null = $state(null);
  status: MomentStatus = $state('asked');
  /** The actions for which the player found a better one. */
  found: ReadonlySet<number> = $state.raw(new Set());
  private tried: string | null = null;

  /** Whether the engine must not give the solution away. */
  readonly hiding = $derived(this.at !== null && !['found', 'shown'].includes(this.status));

  async begin(board: MomentBoard, at: number): Promise<void> {
    this.at = at;
    await this.again(board);
  }

  async again(board: MomentBoard): Promise<void> {
    if (this.at === null) return;
    this.status = 'asked';
    this.tried = null;
    await board.open(this.at);
  }

  async show(board: MomentBoard, { best }: JudgedAction): Promise<void> {
    if (this.at === null || best === null) return;
    this.status = 'shown';
    await board.open(this.at);
    await board.play(this.at, best);
  }

  leave(board?: MomentBoard): void {
    if (this.at === null) return;
    this.at = null;
    this.status = 'asked';
    this.tried = null;
    board?.leave();
  }

  /** A try begins: whether its cost must be asked. */
  tries(token: string, judged: JudgedAction): boolean {
    if (this.at === null || !this.hiding || this.tried === token) return false;
    this.tried = token;
    if (token === judged.token) this.status = 'same';
    else if (token === judged.best) this.solved(this.at);
    else this.status = 'checking';
    return this.status === 'checking';
  }

  /** The cost of a try is known; null: it could not be found. */
  judge(token: string, judged: JudgedAction, cost: number | null): void {
    if (this.at === null || this.status !== 'checking' || this.tried !== token) return;
    if (cost !== null && isFound(judged, token, cost)) this.solved(this.at);
    else this.status = 'worse';
  }

  private solved(at: number): void {
    this.status = 'found';
    this.found = new Set(this.found).add(at);
  }
}
