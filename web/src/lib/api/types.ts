/** What the server says and is told, besides views: docs/reference/server-api.md. */
import type { Diff } from './diff';
import type { Event, Refusal, Text, View } from './view';
import type { WordList } from '../i18n/translate';

export type Language = 'en' | 'ja';
export type OptionValue = string | number | boolean;
export type Options = Record<string, OptionValue>;

/** Areas that are shown together, each moved by so many cell widths from where it lies on the whole board. */
export interface Panel {
  /** Its name is the game's word `panel.ID`. */
  id: string;
  areas: { area: string; x: number; y: number }[];
}

export interface Theme {
  /** The height of the board as a part of its depth. */
  tilt: number;
  /** How far up each storey is drawn, in hundredths of a cell's width. */
  lift: number;
  /** How far the tallest single piece rises above its foot, likewise. */
  rise: number;
  /** How storeys are shown on a board seen straight from above; absent: they are piled up. */
  depth?: {
    /** How far a storey casts its shadow on the one below, in hundredths of a cell's width. */
    shadow: number;
    /** How much darker each storey is. */
    tint: number;
    /** Where the number of storeys stands, in cell widths from the centre. */
    number: [number, number];
  };
  colours: Record<string, { light: string; dark: string }>;
  /** The prompts that are explained, by the words `explain.PROMPT`, each with the clause to read; absent: none. */
  explain?: Record<string, string>;
  /** How the board is taken apart on a narrow screen; absent: it is not. */
  panels?: Panel[];
}

export interface GameInfo {
  name: string;
  /** The fewest and the most. */
  seats: [number, number];
  rules_version: number | string;
  has_chance: boolean;
  /** Whether the server tells what is certain of a position. */
  proofs: boolean;
  /** The first value of each is the default. */
  options: { name: string; values: OptionValue[] }[];
  words: Record<Language, WordList>;
  symbols: string;
  theme: Theme;
}

export interface RuleBook {
  html: string;
  contents: { level: number; id: string; title: string }[];
}

export type SeatRequest =
  { kind: 'person'; name: string } | { kind: 'link' } | { kind: 'engine'; level: number };

/** What persons have to think. */
export type TimeControl =
  | { kind: 'turn'; seconds: number }
  | { kind: 'main'; seconds: number; increment: number }
  | { kind: 'days'; days: number };

/** What the clock shows, in seconds. */
export interface ClockState {
  time: TimeControl;
  /** By seat; null: it has no clock, or it does not matter now. */
  left: (number | null)[];
  /** Whose passes; null: nobody's. */
  running: number | null;
}

/** What a seat asks of the others, and who has not agreed yet. */
export interface PlayerRequest {
  what: string;
  seat: number;
  waits: number[];
}

/** Whether a person is at the table. */
export interface SeatPresence {
  seat: number;
  state: 'online' | 'reconnecting' | 'away';
  /** The network's way there and back, in milliseconds. */
  lag: number | null;
}

export interface ChatLine {
  id: number;
  seat: number;
  text: string;
  at: string;
}

export interface MatchRequest {
  game: string;
  options: Options;
  seats: SeatRequest[];
  confirm: boolean;
  /** Null or absent: as long as they like. */
  time?: TimeControl | null;
  /** Whether the seats by link are offered in the lobby, too. */
  lobby?: boolean;
  /** Whether it counts for the ratings of those who play it. */
  rated?: boolean;
}

export interface CreatedMatch {
  match: string;
  /** By seat: what acts for it. */
  tokens: (string | null)[];
  /** By seat: what is exchanged for one by link. */
  invitations: (string | null)[];
}

export interface Seat {
  seat: number;
  kind: 'person' | 'engine';
  name: string;
  seconds?: number | null;
  level?: number | null;
  yours: boolean;
  /** By link, and nobody has come yet. */
  open?: boolean;
  /** The name is that of an account. */
  member?: boolean;
  /** The seat was an account's that has been deleted. */
  deleted?: boolean;
}

export interface LogEntry {
  seq: number;
  /** -1: chance. */
  seat: number;
  turn: number;
  token: string;
  label: Text;
  events: Event[];
  /** Played by the server, as the seat's time was up. */
  late: boolean;
  /** Played by the server, as the seat had planned it. */
  planned: boolean;
}

export interface Result {
  winners: number[];
  returns: number[];
  reason: string;
  /** Null when the game's own rules did not end it: the `reason` did. */
  text: Text | null;
  /** Who resigned, or whose time was up. */
  loser: number | null;
}

/** What may be known of where the draws come from: docs/explanation/fairness.md. */
export interface FairnessState {
  /** The SHA-256 of the seed. */
  commitment: string;
  /** The seats that are still to contribute; until then nothing is drawn. */
  awaited: number[];
  /** Null until the match is over. */
  seed: string | null;
  contributions: (string | null)[] | null;
}

/** All that is needed to draw again what a finished match has drawn. */
export interface FairnessRecord {
  commitment: string;
  seed: string;
  contributions: (string | null)[];
  /** `place`: after how many actions of the log; `outcomes`: tokens with their weights. */
  draws: { place: number; token: string; outcomes: [token: string, weight: string][] }[];
}

export interface Snapshot {
  match: string;
  game: string;
  options: Options;
  rules_version: number | string;
  /** How many events the log has: the version of this picture. */
  seq: number;
  seats: Seat[];
  /** Whether turns are confirmed. */
  confirm: boolean;
  status: 'playing' | 'confirming' | 'over';
  acting: number | null;
  result: Result | null;
  view: View;
  log: LogEntry[];
  /** `drawn`: chance has answered the viewer's last action, so it stays; `barred`: asked for in vain; `back`: seats that an engine plays on for. */
  can: {
    undo: boolean;
    drawn: boolean;
    confirm: boolean;
    resign: boolean;
    ask: string[];
    barred: string[];
    back: number[];
  };
  clock: ClockState | null;
  request: PlayerRequest | null;
  /** Whose request was declined last, and by whom (by itself: withdrawn), if nothing has happened since. */
  declined: { seat: number; by: number } | null;
  /** Whether all clocks stand still by agreement. */
  paused: boolean;
  /** The match that was agreed on after this one. */
  next: string | null;
  /** Whether it counts for the ratings of those who play it. */
  rated: boolean;
  /** What the draws come from; null: there are none, or nothing about them can be checked. */
  chance: FairnessState | null;
}

/** Another position of a match: after so many of its actions, and `line`, which was not played. */
export interface PositionRef {
  place: number;
  line: readonly string[];
}

/** What is left of a seat's plan: its lines, from this picture on. */
export interface PlannedLines {
  seat: number;
  seq: number;
  /** Of the plan as it was saved; empty: there is none. */
  version: string;
  lines: string[][];
  /** It has lapsed, as the match went another way, and the seat has not acted since. */
  fallen: boolean;
}

/** How a match stands, in short. */
export interface MatchSummary {
  match: string;
  game: string;
  seats: Seat[];
  status: Snapshot['status'];
  acting: number | null;
  /** When something last happened, in ISO format. */
  since: string;
  winners: number[] | null;
  rated: boolean;
}

/** A match in the lobby that waits for somebody to play it. */
export interface Challenge {
  match: string;
  game: string;
  options: Options;
  seats: Seat[];
  time: TimeControl | null;
  /** When it was begun, in ISO format. */
  since: string;
  rated: boolean;
}

/** What is certain of a position, no estimate. */
export interface ProofResult {
  /** The picture that it is about. */
  seq: number;
  /** How many actions ahead everything was looked at. */
  plies: number;
  /** A win that nobody can prevent, or null if there is none so soon. */
  proof: { winner: number; plies: number } | null;
}

export interface Problem {
  code: string;
  params: Record<string, unknown>;
  message: string;
  refusal?: Refusal | null;
}

export interface Command {
  id: string;
  seq: number;
  seat: number;
  do: 'play' | 'undo' | 'confirm' | 'resign' | 'ask' | 'accept' | 'decline' | 'contribute' | 'return';
  token?: string;
}

/** A result that nobody can change any more; no winners: a draw. */
export interface ForcedResult {
  winners: number[];
  actions: number | null;
  turns: number | null;
}

/** What each seat can expect of the game: 1 in sum, and by how much that may be wrong. */
export interface Evaluation {
  shares: number[];
  margins: number[];
  certain: ForcedResult | null;
}

/** An action that is possible, and what it is worth. */
export interface BestLine {
  action: string;
  shares: number[];
  margins: number[];
  visits: number;
  variation: string[];
  proven: boolean;
}

/** What was found out about a position so far. */
export interface Analysis {
  /** After so many actions. */
  place: number;
  /** What was tried out after them. */
  line: string[];
  seconds: number;
  /** Whether no more comes. */
  final: boolean;
  position: Evaluation & { to_act: number | null; lines: BestLine[]; nodes: number };
}

/** An action of the match, and what it changed. */
export interface JudgedAction {
  token: string;
  seat: number;
  turn: number;
  best: string | null;
  /** What it lost its seat. */
  cost: number;
  margin: number;
  /** Null for chance. */
  grade: 'best' | 'good' | 'mistake' | 'blunder' | null;
  effect: number[];
  unforeseen: number[];
}

/** Where the share of a seat came from: they add up to what it had in the end. */
export interface Balance {
  seat: number;
  start: number;
  luck: number;
  own: number;
  others: number;
  unforeseen: number;
  end: number;
}

/** What is known of a whole match, from its position `first` on. */
export interface ReviewPart {
  first: number;
  length: number;
  positions: Evaluation[];
  actions: JudgedAction[];
  balances: Balance[];
  /** Places among the actions, the one that changed most first. */
  decisive: number[];
}

export type ServerMessage =
  | ({ type: 'analysis' } & Analysis)
  | ({ type: 'study' } & ReviewPart)
  | { type: 'analysis-refused'; error: Problem }
  | { type: 'snapshot'; snapshot: Snapshot }
  | { type: 'update'; seq: number; snapshot: Snapshot }
  | { type: 'change'; seq: number; changes: Diff }
  | { type: 'done'; id: string; seq: number }
  | { type: 'refused'; id: string | null; error: Problem }
  | { type: 'pong' }
  | { type: 'echo'; number: number }
  | { type: 'presence'; seats: SeatPresence[]; watching: number; waits: boolean }
  | { type: 'chat'; lines: ChatLine[]; whole: boolean }
  | { type: 'reported'; line: number };
