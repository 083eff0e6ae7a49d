"""The wheel: complete, playable without Node and Rust, and never made without the client.

In the environment that it is installed in, the commands of the documentation run as written.
"""

import itertools
import json
import os
import re
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import time
import urllib.error
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from scripts import backend
from tests.fairness_records import OF_CHANCE, fair_record
from tests.test_docs import blocks, commands

ROOT = Path(__file__).parent.parent


def pip(python: Path | str, *arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Runs pip, with the tools of the test environment at hand."""
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    return subprocess.run(
        [python, "-m", "pip", *arguments],
        cwd=cwd,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )


def build_wheel(project: Path, destination: Path) -> subprocess.CompletedProcess[str]:
    """Builds the wheel with the locked tools that are installed already, not with new ones."""
    return pip(
        sys.executable,
        *("wheel", ".", "--no-deps", "--no-build-isolation", "--wheel-dir", str(destination)),
        cwd=project,
    )


class Browser:
    """Do as a browser does: ask for pages, send and get JSON."""

    def __init__(self, port: int) -> None:
        self.base = f"http://127.0.0.1:{port}"

    def get(self, path: str) -> str:
        with urllib.request.urlopen(f"{self.base}{path}", timeout=10) as answer:
            return str(answer.read().decode())

    def json(self, path: str, body: object = None, token: str = "") -> Any:
        request = urllib.request.Request(
            f"{self.base}{path}",
            data=None if body is None else json.dumps(body).encode(),
            headers={"Content-Type": "application/json", "Authorization": f"Bearer {token}"},
        )
        with urllib.request.urlopen(request, timeout=10) as answer:
            return json.load(answer)


@contextmanager
def served(environment: Path, home: Path) -> Iterator[Browser]:
    """The installed package's server, with nothing on its path but itself."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    path = str(environment / "bin")
    assert [tool for tool in ("cargo", "node", "npm") if shutil.which(tool, path=path)] == []
    server = subprocess.Popen(
        [environment / "bin/tavola", "serve", "--port", str(port), "--no-browser"],
        cwd=home,
        env={"PATH": path, "HOME": str(home)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    browser = Browser(port)
    try:
        deadline = time.monotonic() + 60
        while True:
            try:
                browser.get("/")
                break
            except OSError:  # not yet started, or busy with compiling its modules
                assert server.poll() is None, server.communicate()[0]
                assert time.monotonic() < deadline, "the server does not answer"
                time.sleep(0.05)
        yield browser
    finally:
        server.terminate()
        server.communicate(timeout=20)


def files_of(*folders: str) -> set[str]:
    """Return the files of folders of the project, without what running it leaves behind."""
    paths = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    return {
        str(path.relative_to(ROOT))
        for path in paths
        if path.is_file() and "__pycache__" not in path.parts
    }


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    built = build_wheel(ROOT, folder)
    assert built.returncode == 0, built.stdout + built.stderr
    (file,) = folder.glob("*.whl")
    return file


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with the wheel and what it needs, without extras."""
    folder = tmp_path_factory.mktemp("bare")
    subprocess.run([sys.executable, "-m", "venv", folder], check=True)
    for arguments in (
        ["install", "--no-compile", "--require-hashes", "--requirement", "requirements/run.txt"],
        ["install", "--no-compile", "--no-deps", "--no-index", str(wheel)],
        ["check"],
    ):
        done = pip(folder / "bin/python", *arguments)
        assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.mark.long
@pytest.mark.timeout(900)  # It installs all packages.
def test_the_wheel_is_complete_and_plays(wheel: Path, environment: Path, tmp_path: Path) -> None:
    assert "-cp311-abi3-" in wheel.name
    inside = set(zipfile.ZipFile(wheel).namelist())
    expected = {file.removeprefix("python/") for file in files_of("python/tavola")}
    assert {"tavola/py.typed", "tavola/_core.pyi", "tavola/web/index.html"} <= expected
    about = {file for file in inside if file.startswith("tavola-")}
    assert {file.split("/", 1)[1] for file in about} == {
        *("METADATA", "RECORD", "WHEEL", "entry_points.txt", "licenses/LICENSE"),
        "sboms/tavola-module.cyclonedx.json",
    }
    assert inside - about == expected

    with served(environment, tmp_path) as browser:
        page = browser.get("/")
        assert "<html" in page
        scripts = re.findall(r'<script[^>]* src="([^"]+)"', page)
        assert scripts
        assert all(browser.get(f"/{script.lstrip('./')}") for script in scripts)

        game = browser.json("/api/games")[0]["name"]
        seats = [{"kind": "person", "name": ""}, {"kind": "engine", "seconds": 0.1}]
        created = browser.json(
            "/api/matches", {"game": game, "options": {}, "seats": seats, "confirm": False}
        )
        match, token = created["match"], created["tokens"][0]
        # Chance or the engine may begin.
        while not (before := browser.json(f"/api/matches/{match}", token=token))["view"]["actions"]:
            time.sleep(0.1)
        action = before["view"]["actions"][0]["token"]
        command = {
            "id": "00000000-0000-4000-8000-000000000001",
            "seq": before["seq"],
            "seat": 0,
            "do": "play",
            "token": action,
        }
        after = browser.json(f"/api/matches/{match}/commands", command, token)["snapshot"]
        assert after["seq"] > before["seq"]
        assert action in [played["token"] for played in after["log"]]


ENOUGH = 5
"""After this number of seconds a command of the documentation is interrupted."""

PLACEHOLDER = re.compile(r"\b[A-Z]{2}[A-Z-]*\b|\b[0-9a-f]{64}\b")
"""A word for something of the reader's own, such as ID, or the commitment of a game."""

NOT_RUN = {
    "cargo": "tests/test_adding_a_game.py",
    "cp": "a file of its page",
    "cd": "a folder of its page",
    "docker": "needs a daemon",
    "make": "test_docs.py looks for the targets, and `make test` was one",
    "openssl": "not ours",
    "pg_dump": "not ours, and needs a server",
    "pip": "downloads",
    "python3": "tests/test_adding_a_game.py",
    "ray": "tests/executors/test_ray_cluster.py",
    "sqlite3": "not ours",
    "systemctl": "needs systemd",
    "tavola admin": "tests/cli/test_admin.py",
    "tavola serve": "its port may be taken: tests/cli/test_serve.py",
    "tavola solve": "takes 24 GB of memory: tests/engines/test_solution.py",
}
"""The programs and commands that do not run here, with the reason."""


def guides() -> list[Path]:
    """The pages for readers who type along."""
    docs = ROOT / "docs"
    pages = [ROOT / "README.md", *docs.glob("tutorials/*.md"), *docs.glob("how-to/*.md")]
    return sorted(page for page in pages if any(shell_commands(page)))


def shell_commands(page: Path) -> Iterator[list[str]]:
    """Yield the words of each command that runs here."""
    for kind, _, block in blocks(page):
        for words in commands(block) if kind == "sh" else ():
            program = words[0].rpartition("/")[2]
            left_out = program in NOT_RUN or f"{program} {words[1]}" in NOT_RUN
            if not left_out and not PLACEHOLDER.search(" ".join(words)):
                yield words


def source_folder(folder: Path) -> Path:
    """Return a folder with what commands read: a record, an agent, examples, game data."""
    record = fair_record(OF_CHANCE[0], seed=1)
    (folder / "game.txt").write_text(record.text, "utf-8")
    shutil.copytree(ROOT / "docs/examples", folder / "docs/examples")
    shutil.copy(ROOT / "docs/examples/agents.py", folder)
    for file in ROOT.glob("games/*/*"):
        if file.suffix in (".json", ".bin"):
            copy = folder / file.relative_to(ROOT)
            copy.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(file, copy)
    return folder


def run_for_a_while(words: list[str], *, tools: Path, cwd: Path) -> tuple[int, str, bool]:
    """Run a command; interrupt it when it has run long enough.

    Returns:
        Its exit status, what it said, and whether it was interrupted.
    """
    with subprocess.Popen(
        [tools / words[0], *words[1:]],
        cwd=cwd,
        env={"PATH": f"{tools}{os.pathsep}{os.defpath}", "HOME": str(cwd), "LC_ALL": "C.UTF-8"},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as running:
        try:
            said, _ = running.communicate(timeout=ENOUGH)
            return running.returncode, said, False
        except subprocess.TimeoutExpired:
            running.send_signal(signal.SIGINT)
            said, _ = running.communicate(timeout=60)
            return running.returncode, said, True


@pytest.mark.long
@pytest.mark.timeout(900)  # The first one waits for the environment.
@pytest.mark.parametrize("page", guides(), ids=lambda page: page.stem)
def test_documented_commands_run(page: Path, environment: Path, tmp_path: Path) -> None:
    """A command ends well, or works until it is interrupted.

    Where it lacks an extra that its page names, it runs in the environment of the tests.
    """
    folder = source_folder(tmp_path)
    text = page.read_text("utf-8")
    unfinished: set[str] = set()  # what interrupted commands would have written
    for words in shell_commands(page):
        line = " ".join(words)
        if any(file in line for file in unfinished):
            continue
        outputs = {
            value
            for option, value in itertools.pairwise(words)
            if option == "--out" and not (folder / value).exists()
        }
        status, said, interrupted = run_for_a_while(words, tools=environment / "bin", cwd=folder)
        if status != 0 and (extra := re.search(r"tavola\[\w+\]", said)):
            assert extra[0] in text, line
            tools = Path(sys.executable).parent
            status, said, interrupted = run_for_a_while(words, tools=tools, cwd=folder)
        if interrupted:
            unfinished |= outputs
            assert status in (0, 130, -signal.SIGINT), f"{line}\n{said}"
        else:
            assert status == 0, f"{line}\n{said}"


@pytest.mark.long
def test_the_source_archive_is_complete(tmp_path: Path) -> None:
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [sys.executable, "-m", "maturin", "sdist", "--out", tmp_path],
        cwd=ROOT,
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    (archive,) = tmp_path.glob("*.tar.gz")
    with tarfile.open(archive) as opened:
        inside = {name.split("/", 1)[1] for name in opened.getnames()}
    crates = {file.name for file in (ROOT / "crates").iterdir()} - {"fuzz", "wasm"}
    sources = files_of("python/tavola", "games", *(f"crates/{name}" for name in crates))
    compiled = {file for file in inside | sources if re.search(r"/_core\.[^/]*(so|pyd)$", file)}
    top = {"Cargo.toml", "Cargo.lock", "LICENSE", "PKG-INFO", "README.md", "pyproject.toml"}
    tools = {".cargo/config.toml", "scripts/backend.py"}
    assert inside - compiled == (sources - compiled) | top | tools


@pytest.mark.long
def test_no_wheel_without_the_client(tmp_path: Path) -> None:
    project = tmp_path / "project"
    left_behind = shutil.ignore_patterns(
        ".git", ".venv", "target", "node_modules", "web", "_core*.so", "__pycache__"
    )
    shutil.copytree(ROOT, project, ignore=left_behind)
    refused = build_wheel(project, tmp_path)
    assert refused.returncode != 0
    assert "The web client is not built" in refused.stdout + refused.stderr
    assert "make web" in refused.stdout + refused.stderr
    assert list(tmp_path.glob("*.whl")) == []


def test_the_client_can_be_left_out(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(backend, "CLIENT", tmp_path / "index.html")
    monkeypatch.setattr("maturin.build_wheel", lambda *given: f"tavola.whl in {given[0]}")
    assert backend.build_wheel("there", {"client": "none"}) == "tavola.whl in there"
    with pytest.raises(SystemExit, match="client=none"):
        backend.build_wheel("there")
