/** The types of the server under the names of the client, and what the schemas leave open: docs/reference/server-api.md. */
import type * as server from './server';
import type { WordList } from '../i18n/translate';

export type {
  Balance,
  Challenge,
  ChatLine,
  ClockState,
  Command,
  EngineFailure,
  ForcedResult,
  GameLessons,
  GamePuzzles,
  Hint,
  HintReason,
  LessonInfo,
  LessonPosition,
  MatchSummary,
  PuzzleInfo,
  SeatPresence,
  ServerMessage,
  Snapshot,
  Action as JudgedAction,
  ActionEntry as LogEntry,
  ChanceInfo as FairnessState,
  ConditionalMovesState as PlannedLines,
  ErrorResponse as Problem,
  FairnessReport as FairnessRecord,
  ForcedWinReport as ProofResult,
  Line,
  MatchCreated as CreatedMatch,
  MatchResult as Result,
  PositionValue as Evaluation,
  RulesPage as RuleBook,
  SeatInfo as Seat,
} from './server';

/** A language by its code, such as `en`: the name of its file of messages. */
export type Language = string;
type OptionValue = string | number;
export type Options = Record<string, OptionValue>;
export type MatchRequest = server.NewMatch & Required<Pick<server.NewMatch, 'options' | 'confirm'>>;
export type SeatRequest = server.NewMatch['seats'][number];
/** The time limit of human players. */
export type TimeControl = server.ClockState['time'];
/** The analysis of a position so far. */
export type Analysis = Omit<server.AnalysisMessage, 'type'>;
/** The review of the whole match, from position `first` on. */
export type ReviewPart = Omit<server.StudyMessage, 'type'>;

/** A position: the match after `ply` actions, followed by the variation `line`. */
export interface PositionRef {
  ply: number;
  line: readonly string[];
}

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
interface Scenery {
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
  /** Colours of a flat board that follow no rule: its grounds, its lines, and those that stay as they are. */
  flat?: Record<string, 'ground' | 'ink' | 'same'>;
  /** Illustrations and names between the cells; absent: none. */
  scenery?: Scenery[];
  /** Areas whose cells are enlarged while the player looks at them; absent: none. */
  enlarge?: string[];
  /** Prompts with a tip (the word `explain.PROMPT`), each with its clause; absent: none. */
  explain?: Record<string, string>;
  /** How the board is split on a narrow screen, and panels that come to the front; absent: not at all. */
  panels?: Panel[];
  /** Another arrangement of the whole board, where the ratio of width to height is below this; absent: none. */
  tall?: Pick<Panel, 'areas'> & { below: number };
  /** The picture of the game: the areas that it shows; absent: all. */
  cover?: { areas?: string[] };
}

export interface GameSummary extends Omit<server.GameSummary, 'words'> {
  /** The texts about the game, its options and its seats. */
  words: Record<Language, WordList>;
}

/** A game with what its board needs. */
export interface GameInfo extends GameSummary, Pick<server.GameInfo, 'symbols'> {
  theme: Theme;
}
