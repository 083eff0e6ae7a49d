// A boardgame.io server for `benches/serving.py`: `node server.js PORT [FOLDER]`.
//
// With a FOLDER, matches are written to files there (boardgame.io's own FlatFile, which does not wait for the
// disk); without one they are kept in memory. The game is five in a row on 9 x 9 cells: cheap to play, small to send.
const { FlatFile, Server } = require("boardgame.io/server");
const { INVALID_MOVE } = require("boardgame.io/core");

const SIDE = 9;
const DIRECTIONS = [
  [1, 0],
  [0, 1],
  [1, 1],
  [1, -1],
];

function run(cells, x, y, [dx, dy], owner) {
  let length = 0;
  for (let step = 1; step < 5; step++) {
    const [cx, cy] = [x + dx * step, y + dy * step];
    if (cx < 0 || cy < 0 || cx >= SIDE || cy >= SIDE || cells[cy * SIDE + cx] !== owner) break;
    length++;
  }
  return length;
}

const fiveInARow = {
  name: "five-in-a-row",
  setup: () => ({ cells: Array(SIDE * SIDE).fill(null), last: null }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: {
    place: ({ G, playerID }, cell) => {
      if (G.cells[cell] !== null) return INVALID_MOVE;
      G.cells[cell] = playerID;
      G.last = cell;
    },
  },
  endIf: ({ G }) => {
    if (G.last === null) return undefined;
    const [x, y] = [G.last % SIDE, Math.floor(G.last / SIDE)];
    const owner = G.cells[G.last];
    const won = DIRECTIONS.some(
      ([dx, dy]) => 1 + run(G.cells, x, y, [dx, dy], owner) + run(G.cells, x, y, [-dx, -dy], owner) >= 5,
    );
    if (won) return { winner: owner };
    return G.cells.includes(null) ? undefined : { draw: true };
  },
};

const [port, folder] = process.argv.slice(2);
const db = folder === undefined ? undefined : new FlatFile({ dir: folder });
Server({ games: [fiveInARow], origins: [], db }).run({ port: Number(port), callback: () => console.log("ready") });
