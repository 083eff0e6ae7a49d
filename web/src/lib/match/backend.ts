/** The place where a match is played: a server, or this device. */
import type { Listener } from '../api/connection';
import type { Prospect, Refusal } from '../api/view';
import type { Command, Hint, PlannedLines, PositionRef, ProofResult, Snapshot } from '../api/types';
import type { WhyNotAnswer } from '../api/whyNot';

/** The conditional moves of a player. */
export interface PlanStore extends Pick<MatchBackend, 'position'> {
  /** The saved lines of a seat. */
  plan(seat: number): Promise<PlannedLines>;
  /** `version`: of the lines that are replaced. */
  savePlan(seat: number, seq: number, version: string, lines: string[][]): Promise<PlannedLines>;
}

/** The features that only a server offers: other people, reviews and conditional moves. */
export interface ServerFeatures {
  readonly plans: PlanStore;
  /** Requests the analysis of the position after `ply` actions and a variation; null: stops it. */
  analyse(ply: number | null, line: readonly string[]): void;
  /** Sends a chat message to all players. */
  say(seat: number, text: string): void;
  /** Reports a chat message to the host. */
  report(seat: number, line: number): void;
}

export interface MatchBackend {
  /** Null: the match is on this device. */
  readonly server: ServerFeatures | null;
  /** Connects; the listener receives the match and its changes. */
  open(listener: Listener): void;
  /** Performs a command; the listener receives the answer. */
  send(command: Command): void;
  /** Reconnects at once, as the network is back. */
  wake(): void;
  close(): void;
  /** Lets an engine that failed try again. */
  retryEngine(): void;
  now(): Promise<Snapshot>;
  /** The match after a number of actions, followed by a variation. */
  position(ply: number, line: readonly string[]): Promise<Snapshot>;
  /** Why no action is possible with these cells and this rotation of the piece; `at`: the position in the variation. */
  explain(
    tried: string[],
    rotation: number | null,
    at: PositionRef | null,
  ): Promise<{ refusal: Refusal | null }>;
  /** The prospect of an action; null if it is unavailable. */
  prospect(seq: number, token: string, at: PositionRef | null): Promise<Prospect | null>;
  hint(): Promise<Hint>;
  /** Explains an own action after `ply` actions. */
  whyNot(ply: number, token: string): Promise<WhyNotAnswer>;
  proof(): Promise<ProofResult>;
  /** The text of the record. */
  record(): Promise<string>;
}
