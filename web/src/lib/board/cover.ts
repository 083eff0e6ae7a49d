/** The board alone: the theme of a game names the areas that a small picture shows. */
import type { View } from '../api/view';
import type { GameInfo } from '../api/types';

export function coverOf({ theme }: Pick<GameInfo, 'theme'>, view: View): View {
  const wanted = theme.cover?.areas;
  if (!wanted) return view;
  const areas = view.areas.filter(({ id }) => wanted.includes(id));
  const cells = new Set(areas.flatMap((area) => area.cells.map(({ id }) => id)));
  return { ...view, areas, pieces: view.pieces.filter(({ cell }) => cells.has(cell)) };
}
