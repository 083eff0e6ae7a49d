"""A Ray cluster of two local nodes gives the same results as processes on this machine."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

import tavola
from tavola.custom import load_file, unregister
from tavola.executors import ClusterError, Executor, ProcessExecutor, RayExecutor
from tavola.report import Plan, make_report
from tavola.tournament import GameResult, Schedule, play_games
from tavola.train.folder import RunFolder
from tavola.train.self_play import play_round
from tests.executors.contract import FOLDER, ExecutorContract
from tests.train.plans import tiny
from tests.train.test_run import plain, results, train
from tests.train.test_samples import equal
from tests.train.test_self_play import a_network

# Ray leaves sockets and files open, and its own code uses deprecated names.
pytestmark = [
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::FutureWarning"),
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

SETTINGS = {
    # Ray's name of the setting that keeps it on the loopback interface.
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",
    "RAY_USAGE_STATS_ENABLED": "0",
    "PYTHONPATH": FOLDER,
}
NODE = {"num_cpus": 1, "object_store_memory": 100 << 20, "node_ip_address": "127.0.0.1"}


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """Start a cluster of two nodes with one CPU each."""
    with pytest.MonkeyPatch.context() as patch:
        for name, value in SETTINGS.items():
            patch.setenv(name, value)
        utils = pytest.importorskip("ray.cluster_utils")
        head = {**NODE, "include_dashboard": False}
        cluster = utils.Cluster(initialize_head=True, head_node_args=head)
        try:
            cluster.add_node(**NODE)
            yield cluster
        finally:
            cluster.shutdown()


def contest(games: int = 8) -> Schedule:
    game = tavola.load(tavola.games()[-1])
    engines = ("tree:nodes=20", "random")
    return Schedule(
        game=game.name, options=game.options, engines=engines, games=games, plies=2, seed=5
    )


def played(executor: Executor, schedule: Schedule) -> list[GameResult]:
    games = play_games(schedule, schedule.pairings(), executor)
    without_times = (msgspec.structs.replace(game, usage=()) for game in games)
    return sorted(without_times, key=lambda game: game.number)


@pytest.mark.long
class TestRayExecutor(ExecutorContract):
    @pytest.fixture
    def executor(self, cluster: Any) -> Iterator[Executor]:
        with RayExecutor(cluster.address) as executor:
            assert executor.processes == 2
            yield executor

    def test_a_contest_has_the_same_games_as_on_one_machine(self, executor: Executor) -> None:
        assert played(executor, contest()) == played(ProcessExecutor(), contest())

    def test_a_game_in_python_travels_with_the_task(self, executor: Executor) -> None:
        name = load_file("docs/examples/einstein.py")
        schedule = msgspec.structs.replace(contest(4), game=name, options={})
        try:
            assert played(executor, schedule) == played(ProcessExecutor(2), schedule)
        finally:
            unregister(name)

    def test_a_machine_that_is_lost_loses_no_game(self, executor: Executor, cluster: Any) -> None:
        node = cluster.add_node(**NODE)
        came = []
        with RayExecutor(cluster.address, processes=3) as wider:
            games = play_games(contest(60), contest(60).pairings(), wider)
            for number, game in enumerate(games):
                came.append(game)
                if number == 3:
                    cluster.remove_node(node, allow_graceful=False)
        assert sorted(game.number for game in came) == list(range(1, 61))

    @pytest.mark.nightly
    def test_the_command_plays_on_the_cluster(self, cluster: Any, tmp_path: Path) -> None:
        command = ["match", "tree:nodes=20", "random", "-g", contest().game, "-n", "8"]
        command += ["--openings", "2", "--seed", "5"]
        standings = []
        for where in ([], ["--cluster", cluster.address]):
            summary = tmp_path / "standings.json"
            ended = subprocess.run(
                [sys.executable, "-m", "tavola", *command, *where, "--json", str(summary)],
                env=os.environ | SETTINGS,
                capture_output=True,
                text=True,
                check=False,
                timeout=200,
            )
            assert ended.returncode == 0, ended.stderr
            standings.append(msgspec.json.decode(summary.read_bytes()))
        first, second = ([row["groups"] for row in one["engines"]] for one in standings)
        assert first == second

    @pytest.mark.nightly
    def test_a_report_on_the_cluster_has_the_same_files(self, cluster: Any, tmp_path: Path) -> None:
        pytest.importorskip("pyarrow")
        pytest.importorskip("matplotlib")
        command = ["report", contest().game, "--level", "1", "--games", "6", "--skill-games", "2"]
        for name, where in (("here", ["--jobs", "1"]), ("there", ["--cluster", cluster.address])):
            (tmp_path / name).mkdir()
            ended = subprocess.run(
                [sys.executable, "-m", "tavola", *command, "--skill-levels", "2", *where],
                cwd=tmp_path / name,
                env=os.environ | SETTINGS,
                capture_output=True,
                text=True,
                check=False,
                timeout=400,
            )
            assert ended.returncode == 0, ended.stderr
        for file in (f"{contest().game}-report.{kind}" for kind in ("html", "json")):
            here, there = ((tmp_path / name / file).read_bytes() for name in ("here", "there"))
            assert here == there

    @pytest.mark.nightly
    def test_training_on_the_cluster_has_the_same_files(
        self, executor: Executor, tmp_path: Path
    ) -> None:
        here, there = RunFolder(tmp_path / "here"), RunFolder(tmp_path / "there")
        for folder, where in ((here, None), (there, executor)):
            train(folder, 3, executor=where)
        assert results(here) == results(there)
        assert plain(here.history()) == plain(there.history())

    @pytest.mark.nightly
    def test_self_play_loses_no_game_with_a_machine(self, cluster: Any) -> None:
        plan = tiny(games=60, nodes=200, fast_nodes=200)
        network = a_network(plan.load())
        node = cluster.add_node(**NODE)

        def lose_a_machine(done: int) -> None:
            if done == plan.together:
                cluster.remove_node(node, allow_graceful=False)

        with RayExecutor(cluster.address, processes=3) as wider:
            there = play_round(plan, 1, network, executor=wider, tell=lose_a_machine)
        here = play_round(plan, 1, network)
        assert equal(here.samples, there.samples)
        assert here[1:] == there[1:]

    @pytest.mark.nightly
    def test_a_report_loses_no_game_with_a_machine(self, cluster: Any) -> None:
        plan = Plan(game=contest().game, settings=({},), levels=(1,), games=40, skill_games=0)
        node = cluster.add_node(**NODE)

        def lose_a_machine(done: int, total: int) -> None:
            if done == 4:
                cluster.remove_node(node, allow_graceful=False)

        with RayExecutor(cluster.address, processes=3) as wider:
            report = make_report(plan, executor=wider, progress=lose_a_machine)
        alone = make_report(plan, executor=ProcessExecutor(1))
        assert report.measures == alone.measures


def test_an_address_of_nothing_is_refused_at_once() -> None:
    with pytest.raises(ClusterError, match="HOST:PORT"):
        RayExecutor("nonsense")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    with pytest.raises(ClusterError, match=f"start the head node: ray start --head --port={port}"):
        RayExecutor(f"127.0.0.2:{port}")


def test_a_server_that_is_not_ray_is_refused_at_once() -> None:
    with socket.socket() as server:
        server.bind(("127.0.0.2", 0))
        server.listen()

        def answer() -> None:
            connection, _ = server.accept()
            with connection:
                connection.recv(100)
                connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

        answering = threading.Thread(target=answer)
        answering.start()
        with pytest.raises(ClusterError, match="the program at this address is not Ray"):
            RayExecutor(f"127.0.0.2:{server.getsockname()[1]}")
        answering.join()
