"""What stored worlds, recordings and options are refused for, by the whole message."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from tests.support import golden
from treec_testing.cli.snapshot import percent
from treec_testing.decisions.cases import find_system
from treec_testing.decisions.stored_world import _mapping, _number
from treec_testing.decisions.system_case_data import _find
from treec_testing.recordings.yaml_text import to_yaml

LIBRARY: Any = SimpleNamespace(
    of_kind=lambda _: [SimpleNamespace(name="yard"), SimpleNamespace(name="shop")],
    find_system=lambda _: None,
)
RUN: Any = SimpleNamespace(name="r1", records=())

TOLD: dict[str, Callable[[], object]] = {
    "CaseError: a.case.yaml:1: `system` is missing: there are: yard, shop": lambda: find_system(
        LIBRARY, None, "a.case.yaml:1"
    ),
    "CaseError: a.case.yaml:1: unknown system 'shp'; did you mean 'shop'?": lambda: find_system(
        LIBRARY, "shp", "a.case.yaml:1"
    ),
    "MomentError: r1: unknown utterance 'u3'; there are none": lambda: _find(RUN, "u3", set()),
    "MomentError: r1: the run ended before 9": lambda: _find(RUN, "9", set()),
    "InvalidWorld: a time is a number of seconds, not '3'": lambda: _number("3"),
    "InvalidWorld: 'facts' is a mapping, not []": lambda: _mapping("facts", []),
    "Unwritable: nan cannot stand in a recording": lambda: to_yaml({"x": float("nan")}),
    "Unwritable: {1, 2} cannot stand in a recording": lambda: to_yaml({"x": {1, 2}}),
    "BadParameter: '101' is not a percentage: write 95 or 95%": lambda: percent("101"),
    "BadParameter: 'half' is not a percentage: write 95 or 95%": lambda: percent("half"),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)
