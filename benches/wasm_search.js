// Searches a game's start with the core in WebAssembly: node wasm_search.js MODULE GAME LINE NODES
// It prints the nodes per second of processor time.
const { readFileSync } = require('node:fs');

const [path, game, line, nodes] = process.argv.slice(2);

async function main() {
  const host = { now: () => performance.now() };
  const { instance } = await WebAssembly.instantiate(readFileSync(path), { host });
  const { memory, reserve, call, length } = instance.exports;
  const ask = (request) => {
    const bytes = new TextEncoder().encode(JSON.stringify(request));
    // Both calls may grow the memory, which replaces its buffer.
    const into = reserve(bytes.length);
    new Uint8Array(memory.buffer, into, bytes.length).set(bytes);
    const at = call();
    const answer = JSON.parse(new TextDecoder().decode(new Uint8Array(memory.buffer, at, length())));
    if (answer.error) throw new Error(answer.error.message);
    return answer.ok;
  };
  const search = { do: 'analyse', game, line: line ? line.split(' ') : [], lookahead: 0, fresh: true, lines: 1 };
  // Once before: the compiler of the module has finished then.
  ask({ ...search, nodes: Number(nodes) });
  const began = process.cpuUsage();
  const found = ask({ ...search, nodes: Number(nodes) });
  const { user, system } = process.cpuUsage(began);
  console.log((found.nodes / (user + system)) * 1e6);
}

main();
