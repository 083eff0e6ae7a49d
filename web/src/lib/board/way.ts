/** The cells along which an action moves. */
import type { ActionView, Piece } from '../api/view';

/** The cells that the action touches, or those from the origin of its piece to its target. */
export function wayOf({ touches, preview }: ActionView, pieces: readonly Piece[]): string[] {
  const distinct = touches.filter((cell, number) => cell !== touches[number - 1]);
  if (distinct.length !== 1) return distinct;
  const [moved] = preview ?? [];
  const from = pieces.find(({ id }) => id === moved?.id);
  return moved && from && from.cell !== moved.cell ? [from.cell, moved.cell] : distinct;
}
