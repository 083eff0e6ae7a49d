/** The query parameters that matches and lessons share; `python/tavola/server/http/position_query.py` reads them. */
export type Query = string[][];

/** The parameters of a variation. */
export const ofLine = (line: readonly string[]): Query => line.map((token) => ['line', token]);

/** The parameters of selected cells; `rotation`: that of the selected piece in degrees. */
export const ofSelection = (cells: readonly string[], rotation: number | null): Query => [
  ...cells.map((cell) => ['touched', cell]),
  ...(rotation === null ? [] : [['turn', String(rotation)]]),
];

export const withQuery = (path: string, query: Query): string =>
  query.length > 0 ? `${path}?${new URLSearchParams(query)}` : path;
