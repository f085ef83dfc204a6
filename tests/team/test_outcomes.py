"""Every event of a team, in order or not: what it changes, or why it is refused.

`outcomes.txt` has lines ``KIND NAME=VALUE …`` (values in YAML), each followed by what it changes.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import yaml

from tests.support import golden
from tests.support.bench import Bench
from tests.support.files import tree
from treec.world.events import EventRefused

FILE = Path(__file__).with_name("outcomes.txt")


def _shown(value: object, depth: int = 0) -> str:
    """An entity with its fields, and those in it by their names."""
    fields = getattr(value, "treec_fields", None)
    if fields is None or depth > 1:
        return f"[{', '.join(map(str, value))}]" if isinstance(value, tuple) else str(value)
    own = {name: _shown(getattr(value, name), 2) for name in fields if name != "about"}
    return " ".join(f"{name}={one}" for name, one in own.items())


def _state(b: Bench) -> list[str]:
    now = b.team.now
    parts = (
        now.agents.values(),
        now.subtasks.values(),
        now.open,
        now.acts,
        now.utterances.values(),
    )
    return [f"{type(one).__name__} {_shown(one)}" for part in parts for one in part]


def _lines(b: Bench) -> Iterator[str]:
    before = _state(b)
    yield from (f"# {line}" for line in before)
    for line in FILE.read_text("utf-8").splitlines():
        if not line or line[0] in " #":
            continue
        yield line
        kind, _, rest = line.partition(" ")
        try:
            b.emit(kind, **yaml.safe_load(f"{{{rest}}}"))
        except (EventRefused, AssertionError, KeyError) as error:
            yield f"  {type(error).__name__}: {error}"
        after = _state(b)
        yield from (f"  - {one}" for one in before if one not in after)
        yield from (f"  + {one}" for one in after if one not in before)
        before = after


def test_outcomes(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("check: true"))
    golden.check(FILE, "\n".join(_lines(b)) + "\n")
