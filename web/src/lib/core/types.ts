/** Requests to the core and its answers: crates/wasm/src/request.rs. */
import type { Event, MoveLabel, Prospect, Refusal, Text, View } from '../api/view';
import type {
  Balance,
  Line,
  ForcedResult,
  Hint,
  JudgedAction,
  LessonInfo,
  LessonPosition,
  ProofResult,
  Result,
  Snapshot,
} from '../api/types';
import type { WhyNotAnswer } from '../api/whyNot';

/** A position: the start of a game, or a text, and the actions after it. */
export interface Place {
  game: string;
  /** The options that differ from the defaults. */
  options: Record<string, string>;
  /** The text of the first position; null: the start of the game. */
  position: string | null;
  line: readonly string[];
}

export interface CorePosition {
  text: string;
  /** Equal for equal positions. */
  key: string;
  turn: number;
  /** -1: chance; null: the game is over. */
  to_act: number | null;
  /** The outcomes of chance with their weights. */
  chance: [token: string, weight: number][];
  view: View;
}

/** An action in words. */
export interface CoreWords {
  seat: number;
  turn: number;
  token: string;
  label: Text | null;
  /** The action in symbols and words without coordinates, with its cells; null: `label` has none. */
  move: MoveLabel | null;
}

export interface CoreEntry extends CoreWords {
  move: MoveLabel | null;
  events: Event[];
}

export interface CoreNode extends CoreEntry {
  /** The index of the node before; null: after the first position. */
  parent: number | null;
  comments: string[];
}

/** A lesson or puzzle with its positions and solutions, which only the core reads. */
export interface LessonData extends Omit<LessonInfo, 'steps'> {
  options: string;
  /** The position of a step; without one it continues the step before. */
  steps: (LessonInfo['steps'][number] & { position?: string | null })[];
}

/** A position of a lesson, with the place of questions about it. */
export interface CoreLessonPosition extends Omit<LessonPosition, 'log'> {
  options: Record<string, string>;
  position: string;
  log: CoreEntry[];
}

/** A fault of a record; `line`: of its text, from 1. */
export interface TextFault {
  line: number;
  text: string;
}

/** A record as a tree. Without `game` nothing could be read. */
export interface CoreRecord {
  game?: string;
  options?: Record<string, string>;
  position?: string | null;
  tags?: RecordTags;
  /** The tags of all records in the text. */
  records?: RecordTags[];
  comments?: string[];
  nodes: CoreNode[];
  faults: TextFault[];
}

export type RecordTags = [name: string, value: string][];

/** A command of a game on this device. */
export type CoreCommand =
  | { what: 'play'; token: string }
  | { what: 'undo'; whole_turn: boolean }
  | { what: 'confirm' }
  | { what: 'resign'; seat: number };

/** The part of a game on this device that does not follow from its actions. */
interface StoredMatch {
  persons: readonly number[];
  /** Whether persons confirm their turns. */
  confirm: boolean;
  /** The number of confirmed actions. */
  confirmed: number;
  resigned: number | null;
}

/** A game on this device as the person to act sees it, otherwise the first person. */
export interface CoreMatch {
  /** The actions in force. */
  line: string[];
  confirmed: number;
  resigned: number | null;
  /** The actions from the requested index on. */
  entries: CoreEntry[];
  status: Snapshot['status'];
  acting: number | null;
  /** The number of the turn that is played or waits for its confirmation. */
  turn: number;
  result: Result | null;
  view: View;
  can: Pick<Snapshot['can'], 'undo' | 'drawn' | 'confirm' | 'resign'>;
}

export interface RecordStep {
  token: string;
  comments: string[];
  variations: { comments: string[]; line: RecordStep[] }[];
}

export interface RecordText {
  tags: RecordTags;
  comments: string[];
  line: RecordStep[];
}

/** The values of a position and of its actions. */
export interface CoreAnalysis {
  best: string | null;
  shares: number[];
  margins: number[];
  /** The winners of a proven result; empty: a proven draw; null: nothing is proven. */
  winners: number[] | null;
  nodes: number;
  seconds: number;
  /** Whether the tree has reached its memory limit. */
  full: boolean;
  lines: Line[];
}

/** The value of a position for a review. */
export interface CoreValue {
  shares: number[];
  margins: number[];
  /** The possible actions, the best first; for chance, all outcomes. */
  lines: Line[];
  certain: ForcedResult | null;
  nodes: number;
}

/** The limits of an analysis; at least one of `seconds` and `nodes`. */
interface AnalysisLimits {
  seconds?: number;
  nodes?: number;
  lines?: number;
  /** The depth of the search for forced results that comes first. */
  lookahead?: number;
  /** Whether a new tree begins. */
  fresh?: boolean;
}

/** An edit of a position. */
export type CoreEdit =
  | { what: 'put'; tool: string; cells: readonly string[]; turn: number | null }
  | { what: 'set'; field: string; value: number }
  | { what: 'clear' };

/** A piece of the tray, or a way to change pieces, which has no symbol. */
export interface SketchTool {
  id: string;
  symbol: string | null;
  label: Text;
  /** The number of pieces left; null: enough. */
  left: number | null;
}

/** A number from 0, or a choice. */
export interface SketchField {
  id: string;
  label: Text;
  seat: number | null;
  symbol: string | null;
  /** The number, or the index of the chosen option. */
  value: number;
  most: number;
  options: Text[];
}

/** A position being set up. The actions of the view are the edits with the tool in hand. */
export interface SketchView {
  view: View;
  tools: SketchTool[];
  fields: SketchField[];
}

/** A fault of a position, and the cells that it names. */
export interface PositionFault {
  text: string;
  cells: string[];
}

/** A text with its faults, or the reason why an edit is impossible. `shown` is null if the text cannot be drawn. */
export type CoreSketch =
  { text: string; shown: SketchView | null; faults: PositionFault[] } | { refusal: Text };

/** The content of each request, and its answer. */
export interface CoreRequests {
  /** `seat`: the viewer. */
  position: [Place & { seat?: number | null }, CorePosition];
  entry: [Place, CoreEntry];
  /** A game on this device after a command; `seed`: of the random events. */
  match: [
    Place & { stored: StoredMatch; command: CoreCommand | null; seed: number; from: number },
    CoreMatch,
  ];
  outcomes: [Place, (Text | null)[]];
  words: [Place & { tokens: readonly string[] }, CoreWords[]];
  'read-position': [Place & { language: string }, { faults: string[] }];
  /** Null in games without a position editor. */
  sketch: [Place & { tool: string | null; edit: CoreEdit | null; language: string }, CoreSketch | null];
  /** `number`: the index of the record in the text. */
  'read-record': [{ text: string; number: number; language: string }, CoreRecord];
  'write-record': [{ record: RecordText }, string];
  prospect: [Place & { token: string }, Prospect];
  explain: [Place & { touched: readonly string[]; turn: number | null }, Refusal | null];
  chance: [Place & { seed: number }, { token: string }];
  /** The action of a level, within this time. */
  choose: [Place & { level: number; seconds: number; seed: number }, { token: string }];
  lesson: [{ game: string; lesson: LessonData; step: number; line: readonly string[] }, CoreLessonPosition];
  hint: [Place, Omit<Hint, 'seq'>];
  analyse: [Place & AnalysisLimits, CoreAnalysis];
  evaluate: [Place & { seconds: number }, CoreValue];
  /** The effect of an action, and the value after it; `before`: the value of the place. */
  judge: [
    Place & { token: string; before: CoreValue; seconds: number },
    { action: JudgedAction; after: CoreValue },
  ];
  summarize: [{ shares: number[][]; actions: JudgedAction[] }, { balances: Balance[]; decisive: number[] }];
  'why-not': [Place & { token: string; nodes: number; seconds: number }, WhyNotAnswer];
  prove: [Place, Pick<ProofResult, 'plies' | 'proof'>];
}

export type CoreRequestName = keyof CoreRequests;

/** From the page to the worker. */
export type ToWorker =
  | { id: number; request: object }
  | { id: number; search: Place & { seconds: number; lines: number } }
  | { stop: number };

/** From the worker: a part of a search, or the end of a request. */
export type FromWorker =
  | { id: number; part: CoreAnalysis }
  | { id: number; ok: unknown }
  | { id: number; code: string; message: string };
