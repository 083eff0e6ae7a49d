"""The files of `deploy/`: every name in them exists elsewhere."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import yaml  # type: ignore[import-untyped]
from prometheus_client import REGISTRY

from tavola.cli.app import build
from tavola.server.ops import metrics

ROOT = Path(__file__).parent.parent
DEPLOY = ROOT / "deploy"


def compose() -> Any:
    return yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))


def test_every_setting_of_the_server_is_one() -> None:
    serve: Any = build().commands["serve"]
    known = {one.envvar for one in serve.params if one.envvar}
    known |= {"FORWARDED_ALLOW_IPS"}  # of uvicorn
    assert set(compose()["services"]["server"]["environment"]) <= known


def test_every_variable_is_in_the_example() -> None:
    text = "".join((DEPLOY / name).read_text("utf-8") for name in ("compose.yaml", "Caddyfile"))
    used = set(re.findall(r"\$\{?\$?([A-Z_]+)", text))
    example = (DEPLOY / ".env.example").read_text("utf-8")
    assert used == set(re.findall(r"(?m)^([A-Z_]+)=", example))


def test_only_the_proxy_is_reachable() -> None:
    services = compose()["services"]
    assert set(services) == {"server", "database", "valkey", "caddy"}
    assert [name for name, one in services.items() if "ports" in one] == ["caddy"]
    proxied = re.findall(r"reverse_proxy (\w+):(\d+)", (DEPLOY / "Caddyfile").read_text("utf-8"))
    assert proxied == [("server", services["server"]["expose"][0])]
    mounts = [mount for one in services.values() for mount in one.get("volumes", ())]
    named = {mount.partition(":")[0] for mount in mounts}
    assert {name for name in named if not name.startswith(".")} == set(compose()["volumes"])


def test_every_metric_of_the_alerts_exists() -> None:
    (group,) = yaml.safe_load((DEPLOY / "alerts.yaml").read_text("utf-8"))["groups"]
    known = {
        name
        for collected in REGISTRY.collect()
        for name in (collected.name, f"{collected.name}_total")
    }
    assert {one.name for one in metrics.VERSION.collect()} <= known
    named = {name for rule in group["rules"] for name in re.findall(r"\btavola_\w+", rule["expr"])}
    assert named
    assert named <= known
