/** Keys that several pages share, for their lists of keys. */
import { m } from '../messages';

/** Keys, and what they do. */
export type Key = readonly [names: readonly string[], what: string];

/** The keys that select an action. */
export const selectionKeys = (): Key[] => [
  [['←', '→', '↑', '↓'], m.key_arrows()],
  [['Enter', 'Space'], m.key_enter()],
  [['Esc'], m.key_escape()],
  [['1', '…', '9'], m.key_number()],
  [['A', '…'], m.key_letter()],
  [['U', '⌫'], m.key_undo()],
];

/** The keys for the coordinates, the position as text and the rule book. */
export const textKeys = (): Key[] => [
  [['H'], m.key_coordinates()],
  [['P'], m.key_position()],
  [['I'], m.key_rules()],
];
