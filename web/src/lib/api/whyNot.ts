/** The answer to "Why not this?". */
import type { MoveLabel, Text } from './view';

/** An action in words, with its cells. */
export interface Step {
  /** -1: a random event. */
  seat: number;
  token: string;
  label: Text | null;
  move: MoveLabel | null;
  cells: string[];
}

/** An effect of the reply to an action. */
export interface ReplyReason {
  code: 'wins' | 'prevents' | 'threatens' | 'gains' | 'takes';
  n: number | null;
  count: number | null;
  label: Text | null;
}

/** Why an action is worse than the best one. */
export interface WhyNotAnswer {
  seat: number;
  action: Step;
  /** Whether it is as good as the best action. */
  good: boolean;
  /** Whether it loses by force. */
  loses: boolean;
  /** The expected shares of the seat after the best action and after this one. */
  best: number;
  share: number;
  /** The actions after it; the last ones are the reply, a turn of another seat. */
  line: Step[];
  reasons: ReplyReason[];
  /** How the game ends where the line ends it. */
  end: Text | null;
}
