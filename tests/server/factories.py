"""Values of a wire type for Hypothesis: right examples, and wrong ones in between."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec.inspect as inspect
from hypothesis import strategies as st

ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=20),
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4)
    ),
    max_leaves=12,
)
"""Any JSON."""

Likely = Mapping[str, st.SearchStrategy[Any]]
"""By the name of a field, what means something where it is sent: a seat that there is ..."""


def messages(kind: type, likely: Likely) -> st.SearchStrategy[dict[str, Any]]:
    """Messages of a kind: most are as they should be, in some of them a field is anything."""
    info = inspect.type_info(kind)
    assert isinstance(info, inspect.StructType)
    tag = {} if info.tag_field is None else {info.tag_field: st.just(info.tag)}
    fields = {field.encode_name: _values(field.type) for field in info.fields}
    fields = {
        name: mostly(likely[name], given) if name in likely else given
        for name, given in fields.items()
    }
    optional = {field.encode_name for field in info.fields if not field.required} - set(likely)
    right = st.fixed_dictionaries(
        tag | {name: given for name, given in fields.items() if name not in optional},
        optional={name: fields[name] for name in optional},
    )
    spoilt = st.builds(
        lambda message, name, value: message | {name: value},
        right,
        st.sampled_from([*fields, "type", "more"]),
        ANYTHING,
    )
    return mostly(right, spoilt)


def mostly(
    often: st.SearchStrategy[Any], seldom: st.SearchStrategy[Any], share: int = 8
) -> st.SearchStrategy[Any]:
    """Return values of one strategy, and once in `share` times of another."""
    return st.integers(1, share).flatmap(lambda drawn: seldom if drawn == share else often)


def _values(of: inspect.Type) -> st.SearchStrategy[Any]:
    match of:
        case inspect.IntType():
            return st.integers(of.ge, of.le)
        case inspect.StrType():
            assert of.pattern is None, "no message has one: write how it is made"
            return st.text(min_size=of.min_length or 0, max_size=min(of.max_length or 20, 20))
        case inspect.LiteralType():
            return st.sampled_from(of.values)
        case inspect.BoolType():
            return st.booleans()
        case inspect.NoneType():
            return st.none()
        case inspect.UnionType():
            return st.one_of(*map(_values, of.types))
        case inspect.VarTupleType():
            least, most = of.min_length or 0, of.max_length or 4
            return st.lists(_values(of.item_type), min_size=least, max_size=min(most, 4))
    raise AssertionError(f"no strategy is defined for {of}")
