/** Messages of the server, except views: docs/reference/server-api.md. */
import type { Diff } from './diff';
import type { Event, MoveLabel, Refusal, Text, View } from './view';
import type { WordList } from '../i18n/translate';

export type Language = 'en' | 'ja';
export type OptionValue = string | number | boolean;
export type Options = Record<string, OptionValue>;

/** Areas that are shown together, each enlarged around 0,0 and then moved. */
export interface Panel {
  /** Its name is the game's word `panel.ID`. */
  id: string;
  areas: { area: string; x: number; y: number; scale?: number }[];
  /**
   * The panel comes to the front of the board while one of its cells can be selected or an event happens there, or
   * when the player selects its handle. Absent: it is shown beside the others, or on its own on a narrow screen.
   */
  popup?: {
    /** The cell that opens it. */
    handle: string;
    /** At rest only cells with this mark are shown, in the first places; absent: all. */
    shows?: string;
  };
}

/** An illustration below the cells, a name over them, or both. It moves with a cell; lengths are in its widths. */
export interface Scenery {
  cell: string;
  symbol?: string;
  /** Its left, top, right and bottom edge. */
  box?: [number, number, number, number];
  /** The name is a word of the game, which starts at `at`. */
  name?: { word: string; at: [number, number]; size: number };
}

export interface Theme {
  /** The height of the board as a fraction of its depth. */
  tilt: number;
  /** The height of a level on screen, in hundredths of a cell's width. */
  lift: number;
  /** The height of the tallest single piece, in the same unit. */
  rise: number;
  /** How levels look on a board seen from above; absent: pieces are piled up. */
  depth?: {
    /** The length of a level's shadow on the one below, in hundredths of a cell's width. */
    shadow: number;
    /** How much darker each level is. */
    tint: number;
    /** Where the number of levels is written, in cell widths from the centre. */
    number: [number, number];
  };
  colours: Record<string, { light: string; dark: string }>;
  /** Illustrations and names between the cells; absent: none. */
  scenery?: Scenery[];
  /** Areas whose cells are enlarged while the player looks at them; absent: none. */
  enlarge?: string[];
  /** Prompts with a tip (the word `explain.PROMPT`), each with its clause; absent: none. */
  explain?: Record<string, string>;
  /** How the board is split on a narrow screen, and panels that come to the front; absent: not at all. */
  panels?: Panel[];
  /** From 1, a light game, to 3, a heavy one. */
  weight?: number;
  /** The picture of the game: the areas that it shows; absent: all. */
  cover?: { areas?: string[] };
}

export interface GameInfo {
  name: string;
  /** The minimum and the maximum. */
  seats: [number, number];
  rules_version: number | string;
  has_chance: boolean;
  /** Whether a game can end in a draw. */
  has_draws: boolean;
  /** Whether the server searches for forced wins. */
  proofs: boolean;
  /** The first value of each is the default. */
  options: { name: string; values: OptionValue[] }[];
  /** The engine levels, the weakest first: what they see ahead, and how often they blunder. */
  levels: { lookahead: number; blunders: number }[];
  words: Record<Language, WordList>;
  symbols: string;
  theme: Theme;
}

export interface RuleBook {
  html: string;
  contents: { level: number; id: string; title: string }[];
}

/** A text in both languages. */
export type Words = Record<Language, string>;

export interface LessonInfo {
  id: string;
  title: Words;
  /** The goal of the lesson. */
  about: Words;
  minutes: number;
  /** The tasks; `seat`: the seat of the player. */
  steps: { task: Words; seat: number }[];
}

/** The lessons of a game, the first lesson first. */
export interface GameLessons {
  game: string;
  lessons: LessonInfo[];
}

/** A puzzle in the list; `level`: the lowest engine level that solves it; `turns`: the turns to find. */
export interface PuzzleInfo {
  id: string;
  theme: string;
  level: number;
  turns: number;
}

/** The puzzles of a game, and the themes that they have. */
export interface GamePuzzles {
  game: string;
  themes: { id: string; title: Words }[];
  puzzles: PuzzleInfo[];
}

/** A position of a lesson, and what came of the player's try. */
export interface LessonPosition {
  status: 'playing' | 'wrong' | 'done';
  /** The seat of the player. */
  seat: number;
  acting: number | null;
  view: View;
  /** The actions of this step, with random draws and replies. */
  log: LogEntry[];
  /** The text for the player: the lesson learnt, or why the try is wrong. Null: the common answer, or still playing. */
  text: Words | null;
  /** The next action of a solution; null: the actions so far lead to none. */
  hint: string | null;
}

export type SeatRequest =
  | { kind: 'person'; name: string }
  | { kind: 'link' }
  | { kind: 'engine'; level: number }
  | { kind: 'engine'; agent: string };

/** The time limit of human players. */
export type TimeControl =
  | { kind: 'turn'; seconds: number }
  | { kind: 'main'; seconds: number; increment: number }
  | { kind: 'days'; days: number };

/** Remaining times in seconds. */
export interface ClockState {
  time: TimeControl;
  /** By seat; null: no clock, or it does not matter now. */
  remaining: (number | null)[];
  /** The seat whose clock runs; null: none. */
  running: number | null;
}

/** A request of a seat to the others; `waiting`: who has not answered yet. */
export interface PlayerRequest {
  what: string;
  seat: number;
  waiting: number[];
}

/** The connection state of a human player. */
export interface SeatPresence {
  seat: number;
  state: 'online' | 'reconnecting' | 'away';
  /** The round trip time in milliseconds. */
  lag: number | null;
}

/** The engine to act failed; the match waits for another try, or another engine. */
export interface EngineFailure {
  seat: number;
  /** Whether the host has not added this agent. */
  missing: boolean;
  text: Words;
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
  /** Null or absent: unlimited. */
  time?: TimeControl | null;
  /** Whether open seats are also listed in the lobby. */
  lobby?: boolean;
  /** Whether the match counts for ratings. */
  rated?: boolean;
}

export interface CreatedMatch {
  match: string;
  /** By seat: the token that acts for it. */
  tokens: (string | null)[];
  /** By seat: the invitation that is exchanged for a token. */
  invitations: (string | null)[];
}

export interface Seat {
  seat: number;
  kind: 'person' | 'engine';
  name: string;
  seconds?: number | null;
  level?: number | null;
  /** The name of an agent that the host added. */
  agent?: string | null;
  yours: boolean;
  /** Open to an invitation; no player has joined yet. */
  open?: boolean;
  /** The name belongs to an account. */
  member?: boolean;
  /** The account of the seat was deleted. */
  deleted?: boolean;
}

export interface LogEntry {
  seq: number;
  /** -1: chance. */
  seat: number;
  turn: number;
  token: string;
  label: Text;
  /** The action in symbols and words without coordinates, with its cells; null: `label` has none. */
  move: MoveLabel | null;
  events: Event[];
  /** Played by the server because the time was up. */
  late: boolean;
  /** Played by the server as a conditional move. */
  planned: boolean;
}

export interface Result {
  winners: number[];
  returns: number[];
  reason: string;
  /** Null if the game did not end by its rules: see `reason`. */
  text: Text | null;
  /** The seat that resigned or ran out of time. */
  loser: number | null;
}

/** Public data about the random draws: docs/explanation/fairness.md. */
export interface FairnessState {
  /** The SHA-256 of the seed. */
  commitment: string;
  /** Seats that have not contributed yet; nothing is drawn before. */
  awaited: number[];
  /** Null until the match is over. */
  seed: string | null;
  contributions: (string | null)[] | null;
}

/** The data that recomputes the draws of a finished match. */
export interface FairnessRecord {
  commitment: string;
  seed: string;
  contributions: (string | null)[];
  /** `ply`: index in the log; `outcomes`: tokens with their weights. */
  draws: { ply: number; token: string; outcomes: [token: string, weight: string][] }[];
}

export interface Snapshot {
  match: string;
  game: string;
  options: Options;
  rules_version: number | string;
  /** The number of events in the log: the version of this snapshot. */
  seq: number;
  seats: Seat[];
  /** Whether turns need a confirmation. */
  confirm: boolean;
  status: 'playing' | 'confirming' | 'over';
  acting: number | null;
  result: Result | null;
  view: View;
  log: LogEntry[];
  /**
   * `drawn`: a random draw followed, so undo is impossible; `blocked`: requests that were declined; `reclaimable`:
   * own seats that an engine plays.
   */
  can: {
    undo: boolean;
    drawn: boolean;
    confirm: boolean;
    resign: boolean;
    ask: string[];
    blocked: string[];
    reclaimable: number[];
  };
  clock: ClockState | null;
  request: PlayerRequest | null;
  /** The last declined request and who declined it (`by` equals `seat`: withdrawn). */
  declined: { seat: number; by: number } | null;
  /** Whether the match is paused by agreement. */
  paused: boolean;
  /** The rematch that follows this match. */
  next: string | null;
  /** Whether the match counts for ratings. */
  rated: boolean;
  /** Null: no random draws, or they cannot be verified. */
  chance: FairnessState | null;
}

/** A position: the match after `ply` actions, followed by the variation `line`. */
export interface PositionRef {
  ply: number;
  line: readonly string[];
}

/** The conditional moves of a seat that are still possible. */
export interface PlannedLines {
  seat: number;
  seq: number;
  /** The version of the saved moves; empty: none. */
  version: string;
  lines: string[][];
  /** The moves lapsed because the match took another course, and the seat has not acted since. */
  cancelled: boolean;
}

/** The state of a match in short. */
export interface MatchSummary {
  match: string;
  game: string;
  seats: Seat[];
  status: Snapshot['status'];
  acting: number | null;
  /** The time of the last event in ISO format. */
  since: string;
  winners: number[] | null;
  rated: boolean;
}

/** A match in the lobby that waits for players. */
export interface Challenge {
  match: string;
  game: string;
  options: Options;
  seats: Seat[];
  time: TimeControl | null;
  /** Creation time in ISO format. */
  since: string;
  rated: boolean;
}

/** A proven result of a position. */
export interface ProofResult {
  /** The version of the snapshot it refers to. */
  seq: number;
  /** The depth of the complete search, in actions. */
  plies: number;
  /** A forced win, or null if there is none within that depth. */
  proof: { winner: number; plies: number } | null;
}

/** Why an action is good. `n` and `count` are numbers, `label` names what is gained. */
export interface HintReason {
  code: 'wins' | 'prevents' | 'threatens' | 'gains' | 'chances';
  n: number | null;
  count: number | null;
  label: Text | null;
}

/** The action that a short search prefers. */
export interface Hint {
  /** The version of the snapshot it refers to. */
  seq: number;
  token: string;
  reasons: HintReason[];
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

/** A forced result; no winners: a draw. */
export interface ForcedResult {
  winners: number[];
  actions: number | null;
  turns: number | null;
}

/** The expected share of each seat (sum 1) with its error margin. */
export interface Evaluation {
  shares: number[];
  margins: number[];
  certain: ForcedResult | null;
}

/** A possible action with its evaluation. */
export interface BestLine {
  action: string;
  shares: number[];
  margins: number[];
  visits: number;
  variation: string[];
  proven: boolean;
}

/** The analysis of a position so far. */
export interface Analysis {
  /** The number of actions played. */
  ply: number;
  /** The variation after them. */
  line: string[];
  seconds: number;
  /** Whether this is the last message. */
  final: boolean;
  position: Evaluation & { to_act: number | null; lines: BestLine[]; nodes: number };
}

/** An action of the match with its evaluation. */
export interface JudgedAction {
  token: string;
  seat: number;
  turn: number;
  best: string | null;
  /** The cost of the action to its seat. */
  cost: number;
  margin: number;
  /** Null for chance. */
  grade: 'best' | 'good' | 'mistake' | 'blunder' | null;
  effect: number[];
  unforeseen: number[];
}

/** How the share of a seat came about: the parts add up to `end`. */
export interface Balance {
  seat: number;
  start: number;
  luck: number;
  own: number;
  others: number;
  unforeseen: number;
  end: number;
}

/** The review of the whole match, from position `first` on. */
export interface ReviewPart {
  first: number;
  length: number;
  positions: Evaluation[];
  actions: JudgedAction[];
  balances: Balance[];
  /** Indices of actions, the largest change first. */
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
  | {
      type: 'presence';
      seats: SeatPresence[];
      watching: number;
      engine_queued: boolean;
      engine_failure: EngineFailure | null;
    }
  | { type: 'chat'; lines: ChatLine[]; whole: boolean }
  | { type: 'reported'; line: number };
