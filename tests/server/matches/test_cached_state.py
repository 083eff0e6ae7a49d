"""Promise 4: a view reaches the wire by allow-list, whole and unchanged."""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest

import tavola
from tavola import view as views
from tavola.server.matches.cached_state import CachedState

SCHEMA = json.loads((Path(__file__).parents[3] / "web/schema/view.schema.json").read_text())


def structs() -> dict[str, type[msgspec.Struct]]:
    return {
        name: found
        for name, found in vars(views).items()
        if isinstance(found, type)
        and issubclass(found, msgspec.Struct)
        and found.__module__ == views.__name__
    }


def properties(definition: dict[str, Any]) -> set[str]:
    variants = definition.get("oneOf", [definition])
    return {name for variant in variants for name in variant["properties"]}


@pytest.mark.parametrize("name", sorted(structs()))
def test_the_types_are_those_of_the_schema(name: str) -> None:
    assert set(structs()[name].__struct_fields__) == properties(SCHEMA["$defs"][name])


def test_no_type_of_the_schema_is_missing() -> None:
    objects = {name for name, found in SCHEMA["$defs"].items() if "properties" in found}
    assert objects | {"Change"} == set(structs())


@pytest.mark.parametrize(
    ("name", "field", "owner"), [("Shape", "shape", views.Area), ("Sound", "sound", views.Event)]
)
def test_the_words_of_the_schema_are_known(name: str, field: str, owner: Any) -> None:
    (declared,) = [kind for kind in msgspec.structs.fields(owner) if kind.name == field]
    literal = [kind for kind in get_args(declared.type) if kind is not type(None)]
    words = set(get_args(literal[0])) if not isinstance(literal[0], str) else set(literal)
    definition = SCHEMA["$defs"][name]
    said = {
        word
        for one in definition.get("oneOf", [definition])
        for word in one.get("enum", [one.get("const")])
    }
    assert words == said


@pytest.mark.long
@pytest.mark.parametrize("game", tavola.games())
def test_views_and_events_pass_unchanged(game: str) -> None:
    """JSON sent as the core wrote it has nothing in it that the types do not name."""
    chance = random.Random(1)
    state = tavola.load(game).start()
    for _ in range(60):
        scene = CachedState(state)
        for viewer in (None, 0, 1):
            strict = views.view(state, viewer)
            shown = json.loads(state.view_json(viewer))
            assert json.loads(msgspec.json.encode(strict)) == shown
            assert json.loads(scene.view(viewer, with_actions=True).json()) == shown
            quiet = json.loads(scene.view(viewer, with_actions=False).json())
            assert quiet == shown | {"actions": []}
        if state.to_act is None:
            break
        outcomes = state.chance_outcomes if state.to_act == tavola.CHANCE else ()
        tokens = [token for token, _ in outcomes] or list(state.legal_actions)
        token = chance.choice(tokens)
        assert json.loads(msgspec.json.encode(views.events(state, token))) == json.loads(
            state.events_json(token)
        )
        state = state.play(token)


@pytest.mark.parametrize("where", ["", "areas.0", "areas.0.cells.0", "pieces.0", "seats.0"])
def test_what_is_not_on_the_list_does_not_pass(where: str) -> None:
    class Leaky:
        def view_json(self, viewer: int | None) -> str:
            view = json.loads(tavola.load("potlatch").start().view_json(viewer))
            target = view
            for step in filter(None, where.split(".")):
                target = target[int(step)] if step.isdigit() else target[step]
            target["pile"] = ["secret"]
            return json.dumps(view)

    with pytest.raises(msgspec.ValidationError, match="pile"):
        views.view(Leaky())  # type: ignore[arg-type]
