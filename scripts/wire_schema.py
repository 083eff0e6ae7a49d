"""Write the JSON Schema of the server's requests and responses: `web/schema/server.schema.json`.

The structs of `python/tavola/server` are the only source. `npm run types` in `web/` makes the types
of the browser from the schema.

Usage: `make types`, or with `--check` to report a schema that is not current.
"""

from __future__ import annotations

import inspect
import json
import re
import sys
import textwrap
from pathlib import Path
from typing import Any

import msgspec

from tavola import view
from tavola.server import games
from tavola.server.live import conditional_moves
from tavola.server.matches import command, time_control
from tavola.server.schema import (
    accounts,
    advice,
    archive,
    event_list,
    lessons,
    moderation,
    notifications,
    pairing,
    people,
    requests,
    responses,
    watch,
)
from tavola.server.tournaments import settings, wire

SCHEMA = Path(__file__).parents[1] / "web/schema/server.schema.json"
MODULES = (
    accounts,
    advice,
    archive,
    command,
    conditional_moves,
    event_list,
    games,
    lessons,
    moderation,
    notifications,
    pairing,
    people,
    requests,
    responses,
    settings,
    time_control,
    watch,
    wire,
)

_SECTION = "Attributes:"


def structs() -> list[type[msgspec.Struct]]:
    """Return the structs that are sent or received, in the order of their modules."""
    return [
        value
        for module in MODULES
        for name, value in vars(module).items()
        if inspect.isclass(value)
        and issubclass(value, msgspec.Struct)
        and value.__module__ == module.__name__
        and not name.startswith("_")
    ]


def schema() -> dict[str, Any]:
    """Return the schema. Types of views are references to `view.schema.json`."""
    messages = [
        kind
        for kind in structs()
        if kind.__module__ == responses.__name__ and kind.__struct_config__.tag_field == "type"
    ]
    _, components = msgspec.json.schema_components(structs())
    sent = _sent(components)
    definitions = {
        _short(name): _described(component, sent.get(name))
        for name, component in components.items()
        if not _is_view(name)
    }
    definitions["ServerMessage"] = {
        "description": "A message of the server over a socket.",
        "anyOf": [{"$ref": f"#/$defs/{kind.__name__}"} for kind in messages],
    }
    root = {"title": "Server", "type": "object", "additionalProperties": False}
    return {**root, "$defs": _referring(dict(sorted(definitions.items())))}


def _is_view(name: str) -> bool:
    """Return whether a component is a type of `tavola.view`."""
    return name.startswith("tavola.view.") or hasattr(view, name)


def _short(name: str) -> str:
    return name.rpartition(".")[2]


def _referring(node: Any) -> Any:
    """Return a part of the schema with the final names of its references."""
    if isinstance(node, list):
        return [_referring(one) for one in node]
    if not isinstance(node, dict):
        return node
    found = {name: _referring(one) for name, one in node.items()}
    if "$ref" in found:
        name = found["$ref"].rpartition("/")[2]
        file = "view.schema.json" if _is_view(name) else ""
        found["$ref"] = f"{file}#/$defs/{_short(name)}"
    return found


def _sent(components: dict[str, dict[str, Any]]) -> dict[str, set[str]]:
    """Return the members that are always sent, by component.

    They are those of the responses and of what these contain, unless a struct omits defaults, or a
    member that is unset.
    """
    known = {struct.__name__: struct.__struct_config__ for struct in structs()}
    found = set[str]()
    waiting = [name for name, config in known.items() if not config.forbid_unknown_fields]
    while waiting:
        name = waiting.pop()
        if name not in found:
            found.add(name)
            waiting += re.findall(r"#/\$defs/([\w.]+)", json.dumps(components[name]))
    unset = {
        struct.__name__: {
            one.name for one in msgspec.structs.fields(struct) if one.default is msgspec.UNSET
        }
        for struct in structs()
    }
    return {
        name: set(components[name].get("properties", ())) - unset.get(name, set())
        for name in found
        if name not in known or not known[name].omit_defaults
    }


def _described(component: dict[str, Any], sent: set[str] | None) -> dict[str, Any]:
    """Return a component whose members have the descriptions of its docstring.

    Args:
        component: The component.
        sent: The members that are always there; None: those without a default.
    """
    text, _, attributes = component.get("description", "").partition(_SECTION)
    found = {**component, "description": inspect.cleandoc(text).rstrip()}
    del found["title"]
    members = dict(component["properties"])
    for name, words in _attributes(attributes).items():
        if name in members:
            members[name] = {**members[name], "description": words}
    found["properties"] = members
    if sent is not None:
        found["required"] = [name for name in members if name in sent]
    return found


def _attributes(text: str) -> dict[str, str]:
    """Return the descriptions of a section `Attributes:` by name."""
    found: dict[str, str] = {}
    name = ""
    for line in textwrap.dedent(text).strip("\n").splitlines():
        begins, colon, words = line.partition(":")
        if colon and begins.isidentifier():
            name, line = begins, words
        if name:
            found[name] = f"{found.get(name, '')} {line.strip()}".strip()
    return found


def main() -> int:
    """Write or check the file."""
    text = json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"
    if "--check" not in sys.argv:
        SCHEMA.write_text(text, encoding="utf-8")
    elif SCHEMA.read_text(encoding="utf-8") != text:
        print("web/schema/server.schema.json is not current: run `make types`.", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
