"""Tree search in WebAssembly (Node) against the native core, one thread each, by processor time."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

from rich.console import Console
from rich.progress import track

import tavola
from benches.comparison import Comparison, Score

ROOT = Path(__file__).parent.parent
MODULE = ROOT / "target/wasm/core.wasm"
SCRIPT = Path(__file__).parent / "wasm_search.js"

BAR = 0.5
"""The minimum ratio to the native search."""


def measure(*, quick: bool, console: Console) -> tuple[Comparison, ...]:
    """Measure every game at its first decision, in turn, for several rounds."""
    rounds, nodes = (3, 20_000) if quick else (5, 100_000)
    return tuple(_compare(name, rounds, nodes, console) for name in tavola.games())


def _compare(name: str, rounds: int, nodes: int, console: Console) -> Comparison:
    match = tavola.Match(tavola.load(name), seed=1)
    native, compiled = [], []
    for _ in track(range(rounds), description=name, console=console):
        compiled.append(_in_wasm(name, match.actions, nodes))
        native.append(_native(match.state, nodes))
    scores = (
        Score(name="native", ours=False, bar=None, rates=tuple(native)),
        Score(name="WebAssembly", ours=True, bar=BAR, rates=tuple(compiled)),
    )
    return Comparison(title=f"Search in {name}", unit="nodes", scores=scores)


def _native(state: tavola.State, nodes: int) -> float:
    began = time.process_time()
    network = state.game.network
    found = tavola.search(
        state, nodes=nodes, threads=1, method="tree", lookahead=0, evaluate=network
    )
    return found.nodes / (time.process_time() - began)


def _in_wasm(name: str, line: tuple[str, ...], nodes: int) -> float:
    asked = ["node", str(SCRIPT), str(MODULE), name, " ".join(line), str(nodes)]
    return float(subprocess.run(asked, check=True, capture_output=True, text=True).stdout)
