"""Defaults and limits of the keys of every kind of file: `defaults.txt`."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.golden import check
from treec.files.kinds import MODELS
from treec.files.schema import schema_of

WORDS = ("description", "title", "$ref", "markdownDescription", "properties", "$defs", "$schema")


def _lines(schema: object, path: str) -> Iterator[str]:
    if isinstance(schema, list):
        for number, one in enumerate(schema):
            yield from _lines(one, f"{path}[{number}]")
    if not isinstance(schema, dict):
        return
    own = [f"{key}={value!r}" for key, value in schema.items() if not _is_inner(key, value)]
    if own:
        yield f"{path}: {' '.join(own)}"
    for key, value in schema.items():
        if key in ("properties", "$defs"):
            for name, one in value.items():
                yield from _lines(one, name if key == "$defs" else f"{path}.{name}")
        elif _is_inner(key, value) and key not in WORDS:
            yield from _lines(value, f"{path} {key}")


def _is_inner(key: str, value: object) -> bool:
    return key in WORDS or isinstance(value, dict) or key in ("anyOf", "oneOf", "allOf")


@pytest.mark.needs_system("mosaic", "dag_plan", "helper", "household")
def test_defaults() -> None:
    lines = [line for kind in sorted(MODELS) for line in _lines(schema_of(kind), kind)]
    limits = (
        "default=",
        "minimum",
        "Minimum",
        "maximum",
        "Maximum",
        "Items=",
        "Length=",
        "required",
    )
    kept = [line for line in dict.fromkeys(lines) if any(word in line for word in limits)]
    check(Path(__file__).with_name("defaults.txt"), "\n".join(kept) + "\n")
