// What a game says of a position. Made by `npm run types` from schema/view.schema.json: do not edit.

/**
 * What an event does to the pieces.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Change".
 */
export type Change =
  | {
      /** The new piece. */
      piece: Piece;
      type: 'placed';
    }
  | {
      /** The piece's id before. */
      id: string;
      /** The piece afterwards. */
      piece: Piece;
      type: 'moved';
    }
  | {
      /** The piece's id before. */
      id: string;
      /** The piece afterwards. */
      piece: Piece;
      type: 'changed';
    }
  | {
      /** The piece's id. */
      id: string;
      type: 'removed';
    }
  | {
      /** The cell's name. */
      cell: string;
      type: 'laid';
    }
  | {
      type: 'told';
    };
/**
 * Something to put into a text.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Param".
 */
export type Param = number | string | Text;
/**
 * The shape of an area's cells: decides their outline and which way the arrow keys go.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Shape".
 */
export type Shape = 'hex' | 'square' | 'free';
/**
 * What an event sounds like.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Sound".
 */
export type Sound = 'step' | 'place' | 'lay' | 'flip' | 'spin' | 'end';

/** What a game says: positions, what actions did and would bring, and why others are refused. */
export interface Wire {
  events: Event[];
  prospect: Prospect;
  refusal: Refusal;
  view: View;
}
/**
 * A legal action, and how it is chosen. There may be hundreds: what goes without saying is left out.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "ActionView".
 */
export interface ActionView {
  /** Whether the cells may be touched in any order. A cell that stands among them twice is touched twice. */
  any_order?: boolean;
  /** The kind of action that it is ("walk"): actions of one kind share a look and a word, `kind.KIND`. */
  kind: string;
  /** What it does. */
  label: Text;
  /** What would stand where afterwards: shown faintly while the action is being considered. */
  preview?: Piece[];
  /** The action's token. */
  token: string;
  /** The cells to touch, in order. Empty: a button. */
  touches: string[];
  /** How the piece in hand is turned, clockwise in degrees; there only if that makes a difference. */
  turn?: number | null;
  /** Said beforehand of an action that cannot be taken back. */
  warning?: Text | null;
}
/**
 * A group of cells that is drawn together.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Area".
 */
export interface Area {
  /** Its cells. */
  cells: Cell[];
  /** The area's name, unique in the view. */
  id: string;
  /** What the area is called. */
  label: Text;
  /** The shape of its cells. */
  shape: Shape;
}
/**
 * Something that holds now and is shown beside the board in words and a diagram: a rule in force, an event card.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Card".
 */
export interface Card {
  /** The cells that it concerns now: shown while the card is looked at. */
  cells: string[];
  /** Unique in the view, and the same from view to view. */
  id: string;
  /** Pairs of cells that it joins now, from the first to the second; what it joins both ways is listed both ways. */
  links: [string, string][];
  /** The diagram. */
  symbol: string;
  /** What it means now. */
  text: Text;
  /** What it is. */
  title: Text;
}
/**
 * A place that pieces stand on and that can be touched.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Cell".
 */
export interface Cell {
  /** The cell's name, unique in the view, and the same in every view of the match. */
  id: string;
  /** What the cell is called and what it is, without its pieces. */
  label: Text;
  /** Symbols of what is special here now (visited, about to grow), drawn over the cell. */
  marks: Mark[];
  /** The cell that this one is a part of, if it is: to touch it is to touch that one. */
  part_of: string | null;
  /** The symbol of the cell itself, if it is drawn. */
  symbol: string | null;
  /** A number to show on demand (a height). */
  value: number | null;
  /** To the right, in cell widths. */
  x: number;
  /** Downwards, in cell widths. */
  y: number;
}
/**
 * A number at a place on a line.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Count".
 */
export interface Count {
  /**
   * Where, in cell widths to the right and downwards.
   *
   * @minItems 2
   * @maxItems 2
   */
  at: [number, number];
  /** How much it comes to so far. */
  n: number;
}
/**
 * A number with a name.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Counter".
 */
export interface Counter {
  /** Unique among its seat's counters, or the supply's. */
  id: string;
  /** What is counted. */
  label: Text;
  /** Out of how many, or how many are needed. */
  of: number | null;
  /** A symbol for one of them. */
  symbol: string | null;
  /** How many there are. */
  value: number;
}
/**
 * Something that an action did, for animation, sound, log line and narration.
 *
 * Played in order on the pieces of the view before the action, the changes give exactly the pieces of the view after it.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Event".
 */
export interface Event {
  /** The cells concerned, in the order of the movement: the trace that stays until the next turn. */
  cells: string[];
  /** What happens to the pieces. */
  change: Change;
  /** The line that it follows: it lights up, and its numbers are counted along it. */
  line: Line | null;
  /** What it sounds like. */
  sound: Sound | null;
  /** Events of the same step happen at once; steps follow one another, from 0. */
  step: number;
  /** What is said of it, in one short sentence. */
  text: Text | null;
}
/**
 * A line over the board, as smooth as it is printed.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Line".
 */
export interface Line {
  /** The numbers that are met along it, in order. */
  counts: Count[];
  /** Unique among the lines shown together, and the same from view to view. */
  id: string;
  /** What it is. */
  label: Text;
  /** The seat that it belongs to. */
  owner: number | null;
  /**
   * Where it runs, in cell widths to the right and downwards: its first point, then for each stretch the control
   * point and the end of a quadratic curve.
   */
  path: [number, number][];
}
/**
 * Something special about a cell now.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Mark".
 */
export interface Mark {
  /** Whether it says what can be chosen: it is for whoever is shown the actions, and for nobody else. */
  choosing: boolean;
  /** What it says. */
  label: Text;
  /** The symbol. */
  symbol: string;
}
/**
 * How a game ended.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "OutcomeView".
 */
export interface OutcomeView {
  /** The reason's code. */
  reason: string;
  /** One number per seat, summing to zero. */
  returns: number[];
  /** The reason in words. */
  text: Text;
  /** The seats that won; empty for a draw. */
  winners: number[];
}
/**
 * A thing on a cell.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Piece".
 */
export interface Piece {
  /** The cell it stands on. */
  cell: string;
  /** Unique in the view. It names the same thing from view to view unless an event says otherwise. */
  id: string;
  /** What it is called. */
  label: Text;
  /** The seat it belongs to. */
  owner: number | null;
  /** How many storeys lie below it. */
  storey: number;
  /** The symbol it is drawn with. */
  symbol: string;
  /** Clockwise, in degrees. */
  turn: number;
}
/**
 * What an action would bring: looked at before it is played.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Prospect".
 */
export interface Prospect {
  /** The lines that would matter. */
  lines: Line[];
  /** What would stand where. */
  pieces: Piece[];
  /** What would follow, a short sentence each. */
  texts: Text[];
}
/**
 * Why something cannot be done: words, and the clause of the rule book to read.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Refusal".
 */
export interface Refusal {
  /** The clause's number in the rule book. */
  clause: string;
  /** The reason in words. */
  text: Text;
}
/**
 * A seat as everybody sees it.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "SeatView".
 */
export interface SeatView {
  /** What it has: scores, holdings. */
  counters: Counter[];
  /** What the game calls it ("Red"). */
  name: Text;
  /** The seat. */
  seat: number;
  /** The symbol that stands for it. */
  symbol: string;
}
/**
 * A sentence or label in no language yet: a key of the game's words, and what to put into it.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "Text".
 */
export interface Text {
  /** The key in the game's `art/words/LANG.json`. */
  key: string;
  /** What stands for `{name}` in the text. */
  params?: {
    [k: string]: Param;
  };
}
/**
 * A position as one seat (or a spectator) may see it.
 *
 * This interface was referenced by `Wire`'s JSON-Schema
 * via the `definition` "View".
 */
export interface View {
  /** The legal actions of the seat to act, in the engine's order. */
  actions: ActionView[];
  /** Boards and other places, in drawing order. */
  areas: Area[];
  /** Rules and other things beside the board that hold now; none in most games. */
  cards: Card[];
  /** The game's name. */
  game: string;
  /** Lines over the board that matter now. */
  lines: Line[];
  /** How the game ended, or null. */
  outcome: OutcomeView | null;
  /** The pieces, in drawing order within a cell (lowest storey first). */
  pieces: Piece[];
  /** What is asked of the seat to act, or how the game ended. */
  prompt: Text;
  /** Every seat, seat 0 first. */
  seats: SeatView[];
  /** What everybody shares: supplies, tiles left. */
  supply: Counter[];
  /** The seat to act, -1 for chance, null when the game is over. */
  to_act: number | null;
  /** The number of the current turn, 1 for the first. */
  turn: number;
}
