// The types of a position and its texts. Made by `npm run types` from schema/view.schema.json: do not edit.

/** The change of the pieces by an event. */
export type Change =
  | {
      /** The new piece. */
      piece: Piece;
      type: 'placed';
    }
  | {
      /** The id of the piece before the event. */
      id: string;
      /** The piece after the event. */
      piece: Piece;
      type: 'moved';
    }
  | {
      /** The id of the piece before the event. */
      id: string;
      /** The piece after the event. */
      piece: Piece;
      type: 'changed';
    }
  | {
      /** The id of the piece. */
      id: string;
      type: 'removed';
    }
  | {
      /** The name of the cell. */
      cell: string;
      type: 'laid';
    }
  | {
      type: 'announced';
    };
/** The value of a parameter. */
export type Param = number | string | Text;
/** The shape of an area's cells. It determines their outline and the directions of the arrow keys. */
export type Shape = 'hex' | 'square' | 'free';
/** The sound of an event. */
export type Sound = 'step' | 'place' | 'lay' | 'flip' | 'spin' | 'end';

/** The data that a game produces: positions, events and consequences of actions, reasons of refusals. */
export interface Wire {
  events: Event[];
  move_label: MoveLabel;
  prospect: Prospect;
  refusal: Refusal;
  view: View;
}
/** A legal action and its selection. There may be hundreds, so defaults are omitted. */
export interface ActionView {
  /** Whether the order of the cells is free. A cell that appears twice needs two selections. */
  any_order?: boolean;
  /** The kind of the action ("walk"). Actions of one kind share a style and the message `kind.KIND`. */
  kind: string;
  /** The description of the action. */
  label: Text;
  /** The pieces after the action, for a faint preview. */
  preview?: Piece[];
  /** The action's token. */
  token: string;
  /** The cells to select, in order. Without cells the action is a button. */
  touches: string[];
  /** The rotation of the piece in hand, clockwise in degrees; absent if it makes no difference. */
  turn?: number | null;
  /** A warning before an action that cannot be undone. */
  warning?: Text | null;
}
/** A group of cells that a client draws together. */
export interface Area {
  /** Its cells. */
  cells: Cell[];
  /** The area's name, unique in the view. */
  id: string;
  /** The name of the area. Its parameter `seat` is the name of the seat whose things it shows: a hand. */
  label: Text;
  /** The shape of its cells. */
  shape: Shape;
  /** The size of its cells: 1 on the main board of most games, less for smaller cells beside it. */
  size?: number;
}
/** A rule in force or an event card, shown beside the board as text and diagram. */
export interface Card {
  /** The cells that it affects now. A client highlights them on request. */
  cells: string[];
  /** Unique in the view and the same from view to view. */
  id: string;
  /** Directed pairs of cells that it connects now. A connection in both directions appears twice. */
  links: [string, string][];
  /** The diagram. */
  symbol: string;
  /** The effect of the card now. */
  text: Text;
  /** The name of the card. */
  title: Text;
}
/** A place for pieces that a player can select. */
export interface Cell {
  /** The cell's name, unique in the view and the same in every view of the match. */
  id: string;
  /** The name and the kind of the cell, without its pieces. */
  label: Text;
  /** Symbols of a special state (visited, about to grow), drawn over the cell. */
  marks: Mark[];
  /** The cell of which this one is a part. A selection of this cell selects that one. */
  part_of: string | null;
  /** The symbol of the cell itself; none if it is invisible. */
  symbol: string | null;
  /** A number to show on request (a height). */
  value: number | null;
  /** The position to the right, in widths of a cell of size 1. */
  x: number;
  /** The position downwards, in the same unit. */
  y: number;
}
/** A number at a point of a line. */
export interface Count {
  /**
   * The point as (right, down) in cell widths.
   *
   * @minItems 2
   * @maxItems 2
   */
  at: [number, number];
  /** The running total. */
  n: number;
}
/** A number with a name. */
export interface Counter {
  /** Unique among the counters of its seat or of the supply. */
  id: string;
  /** The name of the number. */
  label: Text;
  /** The maximum, or the number that is needed. */
  of: number | null;
  /** A symbol for one unit. */
  symbol: string | null;
  /** The number. */
  value: number;
}
/** A curve over the board. */
export interface Curve {
  /** The numbers along the line, in order. */
  counts: Count[];
  /** Unique among the lines of a view and the same from view to view. */
  id: string;
  /** The description. */
  label: Text;
  /** The seat that owns it. */
  owner: number | null;
  /**
   * The first point, then the control point and the end point of each quadratic Bézier curve, as (right, down) in
   * cell widths.
   */
  path: [number, number][];
}
/** The places that decided a game: three stacks, three counters, a line that scores. A client marks them. */
export interface Decisive {
  /** The cells, in drawing order. */
  cells: string[];
  /** The ids of lines of the view. */
  lines: string[];
}
/**
 * One effect of an action, for animation, sound, log and narration.
 *
 * The changes of all events, applied in order to the pieces before the action, give exactly the pieces after it.
 */
export interface Event {
  /** The cells of the movement in order. A client marks them until the next turn. */
  cells: string[];
  /** The change of the pieces. */
  change: Change;
  /** The line of the movement. A client highlights it and counts its numbers. */
  line: Curve | null;
  /** The sound. */
  sound: Sound | null;
  /** Events of one step happen at the same time. Steps are numbered from 0. */
  step: number;
  /** A short sentence for the log. */
  text: Text | null;
}
/** A special state of a cell. */
export interface Mark {
  /** Whether the mark shows a possible choice. Only the seat to act sees such a mark. */
  choosing: boolean;
  /** The description. */
  label: Text;
  /** The symbol. */
  symbol: string;
}
/** An action as the list of moves shows it: its pieces, and words without coordinates. */
export interface MoveLabel {
  /** The cells of the action, in order. A client marks them on request. */
  cells: string[];
  /** The symbols of its pieces, in order. */
  symbols: string[];
  /** The rest in words. */
  text: Text;
}
/** The change of a number in a hand. */
export interface NumberChange {
  /** How much the number grows; negative if it falls. */
  by: number;
  /** The cell. */
  cell: string;
}
/** The outcome of a game. */
export interface OutcomeView {
  /** The places that decided the game. */
  decisive: Decisive;
  /** The code of the reason. */
  reason: string;
  /** One number per seat, summing to zero. */
  returns: number[];
  /** The reason as a text. */
  text: Text;
  /** The seats that won; empty for a draw. */
  winners: number[];
}
/** A piece on a cell. */
export interface Piece {
  /** The cell of the piece. */
  cell: string;
  /** Unique in the view. It identifies the same piece from view to view unless an event changes it. */
  id: string;
  /** The name of the piece. */
  label: Text;
  /** The number of levels below it. */
  level: number;
  /** The seat that owns it. */
  owner: number | null;
  /** The symbol of the piece. */
  symbol: string;
  /** The rotation, clockwise in degrees. */
  turn: number;
}
/** The consequences of an action, for a preview. */
export interface Prospect {
  /** The lines that the action would create or use. */
  lines: Curve[];
  /** The numbers in a hand that the action would change. */
  numbers?: NumberChange[];
  /** The pieces after the action. */
  pieces: Piece[];
  /** The consequences, one short sentence each. */
  texts: Text[];
}
/** The reason why an action is illegal, with a clause of the rule book. */
export interface Refusal {
  /** The clause's number in the rule book. */
  clause: string;
  /** The reason as a text. */
  text: Text;
}
/** The public information of a seat. */
export interface SeatView {
  /** Its scores and holdings. */
  counters: Counter[];
  /** The name of the seat ("Red"). */
  name: Text;
  /** The seat. */
  seat: number;
  /** The symbol of the seat. */
  symbol: string;
}
/** A sentence or label without a language: a key of the game's messages, and parameters. */
export interface Text {
  /** The key in the game's `art/words/LANG.json`. */
  key: string;
  /** The values of `{name}` in the message. */
  params?: {
    [k: string]: Param;
  };
}
/** A position as one seat (or a spectator) may see it. */
export interface View {
  /** The legal actions of the seat to act, in the order of their numbers. */
  actions: ActionView[];
  /** Boards and other areas, in drawing order. */
  areas: Area[];
  /** Rules in force and other cards beside the board; none in most games. */
  cards: Card[];
  /** The game's name. */
  game: string;
  /** Lines over the board that are relevant now. */
  lines: Curve[];
  /** The outcome, or null before the end of the game. */
  outcome: OutcomeView | null;
  /** The pieces, in drawing order within a cell (lowest level first). */
  pieces: Piece[];
  /** The question to the seat to act, or the result of the game. */
  prompt: Text;
  /** Every seat, seat 0 first. */
  seats: SeatView[];
  /** Counters of the whole table: supplies, remaining tiles. */
  supply: Counter[];
  /** The seat to act, -1 for chance, null when the game is over. */
  to_act: number | null;
  /** The number of the current turn, 1 for the first. */
  turn: number;
}
