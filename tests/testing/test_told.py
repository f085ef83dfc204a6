"""What stored worlds, recordings and options are refused for, by the whole message."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from tests.support import golden
from treec_testing.cli.snapshot import percent
from treec_testing.decisions.cases import find_system
from treec_testing.decisions.stored_world import _event, _mapping, _number, from_plain
from treec_testing.decisions.system_case_data import _find
from treec_testing.decisions.talk_moment import _given, talk_moment
from treec_testing.recordings.yaml_text import to_yaml

LIBRARY: Any = SimpleNamespace(
    of_kind=lambda _: [SimpleNamespace(name="yard"), SimpleNamespace(name="shop")],
    find_system=lambda _: None,
)
VIEW: Any = SimpleNamespace(people=(), agents=())
READING: Any = SimpleNamespace(model=SimpleNamespace(sees={"user_input": ""}, recalls=()))
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
    "InvalidWorld: a fact has a name and a list of arguments, not 3 and ()": lambda: _event(
        {"fact": 3}
    ),
    "InvalidWorld: unknown key of a world 'fcats'; did you mean 'facts'?": lambda: from_plain(
        {"fcats": []}, VIEW
    ),
    "InvalidWorld: 'facts' is a list of {fact, args, value, source}": lambda: from_plain(
        {"facts": [1]}, VIEW
    ),
    "InvalidWorld: 'proposals' is a mapping, not 'x'": lambda: from_plain({"proposals": "x"}, VIEW),
    "InvalidWorld: subtasks: 'get': unknown key 'wrods'; did you mean 'words'?": lambda: from_plain(
        {"subtasks": {"get": {"wrods": "x"}}}, VIEW
    ),
    "InvalidWorld: subtasks: 'get' lacks 'words'": lambda: from_plain(
        {"subtasks": {"get": {}}}, VIEW
    ),
    "ValueError: no such file: gone.yaml": lambda: _given("gone.yaml"),
    (
        "ValueError: a mapping is expected, as in an example: {proposals: [...], subtasks: [...]}"
    ): lambda: _given("[1]"),
    "ValueError: 'subtasks' is not what this reading sees: user_input, agents": lambda: talk_moment(
        VIEW, READING, "{subtasks: []}"
    ),
    "Unwritable: a key of 2,002 characters is longer than YAML allows": lambda: to_yaml(
        {"a" * 2000: 1}
    ),
}


def test_what_cannot_be_is_told_by_these_words() -> None:
    golden.check_told(TOLD)
