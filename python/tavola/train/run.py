"""A training run: rounds of self-play and learning, and gates between networks."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tavola._core import Network
from tavola.atomic_write import atomic_write
from tavola.executors import Executor
from tavola.tournament import Schedule, Sprt
from tavola.train.folder import RunFolder
from tavola.train.gate import Player, score_network
from tavola.train.history import RoundReport, Score
from tavola.train.learner import Learner, Learning
from tavola.train.plan import Plan
from tavola.train.samples import Round, Samples
from tavola.train.self_play import play_round
from tavola.train.weights import network_of

__all__ = ["Training"]

FEWEST_SAMPLES = 50_000
"""The window has at least this number of samples, if there are as many."""

GROWTH = 0.6
"""The part of all samples that the window has, up to its maximum."""

ENOUGH_CHECKED = 20
MOST_WRONG = 0.05
"""Games end early while at most this part of the checked ones ended otherwise."""

OPENING = 4
"""The number of random actions at the start of games between networks."""

Tell = Callable[[str, int, int], None]
"""Gets the name of the work, and how much of it is done: `play`, `learn`, `gate`, `anchor`."""


def _silent(work: str, done: int, total: int) -> None:
    pass


class Training:
    """A run in its folder, which must be claimed.

    Each file is written when it is complete, and the history last. So a run that ends at any
    moment continues with the same samples and the same networks.

    Args:
        folder: The folder.
        plan: The plan.
        solution: The file of the solution, if the plan has one.
        executor: Runs the games; `None` plays them in this process. The results do not depend
            on it.
        tell: Gets the progress within a round.

    Raises:
        RunFolderError: If a file of the run is damaged, or is of another run.
        OSError: If a file cannot be read or written.
    """

    def __init__(
        self,
        folder: RunFolder,
        plan: Plan,
        *,
        solution: Path | None = None,
        executor: Executor | None = None,
        tell: Tell = _silent,
    ) -> None:
        assert plan.solution == (solution is not None)
        folder.agree(plan)
        self.folder, self.plan, self._executor, self._tell = folder, plan, executor, tell
        self._solution = solution
        self._game = plan.load()
        if plan.features and set(plan.features) != set(self._game.weights):
            raise folder.outdated()
        self._learner = Learner(self._game, plan)
        self.history = folder.history()
        self._parts: dict[int, Samples] = {}
        if self.history:
            for number in range(self.history[-1].first, len(self.history)):
                self._parts[number] = self._read_round(number).samples
            self._learning = self._read_learning(len(self.history) - 1)
        else:
            self._learning = Learning.begin(self._game, plan)
        self._best = self._read_best()

    def run_round(self) -> RoundReport:
        """Run the next round.

        Returns:
            The report, which is in the history too.

        Raises:
            OSError: If a file cannot be written. Then the round can be repeated.
            WorkerProcessDied: If three processes exit during the same task.
            ClusterError: If the machines of the cluster cannot start a worker.
            SolutionError: If a process cannot read the solution.
            RunFolderError: If a file of the run is damaged.
        """
        began, number, plan = time.monotonic(), len(self.history), self.plan
        played = self._play(number)
        self._parts[number] = played.samples
        first = self._first_round(number)
        window = Samples.joined([self._parts[one] for one in range(first, number + 1)])
        steps = max(1, round(plan.passes * played.samples.total / plan.batch))
        learning = self._learn(number, window, steps)
        gate, passed, anchor = None, False, None
        if self._is_gate(number):
            gate, passed, anchor = self._gate(number, learning)
        report = RoundReport(
            number=number,
            games=plan.games,
            samples=played.samples.total,
            actions=played.actions,
            checked=played.checked,
            wrong=played.wrong,
            window=window.total,
            first=first,
            steps=learning.step,
            policy=learning.loss.policy,
            shares=learning.loss.shares,
            seconds=time.monotonic() - began,
            gate=gate,
            passed=passed,
            anchor=anchor,
        )
        self.folder.write_history([*self.history, report])
        self.history.append(report)
        self._learning = learning
        if passed:
            self._best = self._read_best()
        self.folder.prune(first, number)
        self._parts = {one: part for one, part in self._parts.items() if one >= first}
        return report

    def _play(self, number: int) -> Round:
        """Play the games of a round, or read them if they were already played."""
        path, plan = self.folder.samples(number), self.plan
        if path.exists():
            return self._read_round(number)
        self._tell("play", 0, plan.games)
        teacher = number < plan.teacher_rounds
        best = self._best or network_of(self._game, plan, self._learning.average)
        played = play_round(
            plan,
            number,
            None if teacher else best,
            early=self._ends_early(),
            solution=self._solution,
            executor=self._executor,
            tell=lambda done: self._tell("play", done, plan.games),
        )
        atomic_write(path, played.to_bytes())
        return played

    def _ends_early(self) -> bool:
        """Return whether games may end early: whether this was right in the last checks."""
        checked = wrong = 0
        for report in reversed(self.history):
            checked, wrong = checked + report.checked, wrong + report.wrong
            if checked >= ENOUGH_CHECKED:
                return wrong <= MOST_WRONG * checked
        return False

    def _first_round(self, number: int) -> int:
        """Return the first round whose samples belong to the window."""
        counts = [report.samples for report in self.history]
        counts.append(self._parts[number].total)
        most = min(self.plan.window, max(FEWEST_SAMPLES, GROWTH * sum(counts)))
        held, first = counts[number], number
        while first - 1 in self._parts and held + counts[first - 1] <= most:
            first -= 1
            held += counts[first]
        return first

    def _learn(self, number: int, window: Samples, steps: int) -> Learning:
        """Make the steps of a round, or read their result if they were already made."""
        path = self.folder.learning(number)
        if path.exists():
            return self._read_learning(number)
        self._tell("learn", 0, steps)
        rng = np.random.default_rng((self.plan.seed, 3, number))
        learning = self._learner.train(self._learning, window, steps, rng)
        atomic_write(path, learning.to_bytes())
        return learning

    def _is_gate(self, number: int) -> bool:
        after = number + 1 - max(self.plan.teacher_rounds, 1)
        return after >= 0 and after % self.plan.gate_every == 0

    def _gate(self, number: int, learning: Learning) -> tuple[Score | None, bool, Score | None]:
        """Let the new network play against the best one, and write it if it passes."""
        plan = self.plan
        solution = " --solution FILE" if plan.solution else ""
        about = f"tavola train {plan.game}{solution} --seed {plan.seed}, round {number}"
        new = network_of(self._game, plan, learning.average, about)
        gate, player = None, Player(new, plan.gate_nodes, plan.c_puct)
        if self._best is not None:
            test = Sprt(elo0=-plan.elo, elo1=plan.elo)
            players = [player, player._replace(evaluate=self._best)]
            gate, verdict = self._score("gate", number, plan.gate_games, players, test)
            if not (gate.mean > 1 / len(players) if verdict is None else verdict):
                return gate, False, None
        players = [player, Player(None, plan.anchor_nodes)]
        anchor, _ = self._score("anchor", number, plan.anchor_games, players, None)
        atomic_write(self.folder.network(number), new.to_bytes())
        return gate, True, anchor

    def _score(
        self, work: str, number: int, games: int, players: list[Player], test: Sprt | None
    ) -> tuple[Score, bool | None]:
        """Play games and return the score of the first player."""
        self._tell(work, 0, games)
        parties = len(players)
        schedule = Schedule(
            game=self.plan.game,
            options=self.plan.options,
            engines=("new", "old"),
            games=games // parties * parties,
            plies=OPENING,
            seed=self.plan.seed * 1_000_003 + number,
        )
        scores, verdict = score_network(
            schedule,
            players,
            test,
            executor=self._executor,
            tell=lambda done: self._tell(work, done, games),
        )
        return Score.of(scores, parties), verdict

    def _read_round(self, number: int) -> Round:
        path = self.folder.samples(number)
        try:
            return Round.from_bytes(path.read_bytes())
        except ValueError as error:
            raise self.folder.damaged(path, error) from None

    def _read_learning(self, number: int) -> Learning:
        path = self.folder.learning(number)
        try:
            return Learning.from_bytes(path.read_bytes())
        except ValueError as error:
            raise self.folder.damaged(path, error) from None

    def _read_best(self) -> Network | None:
        """Return the newest network that passed the gate, and write it as the best one."""
        passed = [report.number for report in self.history if report.passed]
        if not passed:
            return None
        path = self.folder.network(passed[-1])
        try:
            content = path.read_bytes()
            best = Network(content)
        except ValueError as error:
            raise self.folder.damaged(path, error) from None
        if not self.folder.best.exists() or self.folder.best.read_bytes() != content:
            atomic_write(self.folder.best, content)
        return best
