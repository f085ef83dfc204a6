"""What extensions declare goes through the guard when it is asked for anything, too."""

from __future__ import annotations

import itertools
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.support.extensions import using
from treec.extensions import Extension, ExtensionError, Filter, Function, registry
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.scope import MappingScope
from treec.team.actions import find_action
from treec.team.names import _load
from treec.world.events import EventRefused

HERE = "tests.foreign.test_extension_code"


def exits(value: object, *more: object) -> bool:
    """End the process."""
    sys.exit(0)


def interrupts(value: object) -> bool:
    """Raise KeyboardInterrupt."""
    raise KeyboardInterrupt


def acts_without_end(team: object) -> Iterator[object]:
    """Give events that are none, without end."""
    return itertools.repeat(None)


@pytest.fixture
def evil() -> Iterator[None]:
    """An extension of everything wrong."""
    extension = Extension(
        "evil",
        filters=[Filter("evil_filter", f"{HERE}:exits")],
        tests={"evil_test": f"{HERE}:interrupts"},
        functions=[Function("evil_function", f"{HERE}:exits", (), "any", "Exits.")],
        actions={"evil_action": f"{HERE}:acts_without_end", "evil_exit": f"{HERE}:exits_at_once"},
    )
    with using(extension):
        yield


def exits_at_once(team: object) -> list[object]:
    """End the process."""
    sys.exit(0)


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1 | evil_filter", "SystemExit: it called exit(0)"),
        ("1 is evil_test", "KeyboardInterrupt"),
    ],
)
@pytest.mark.usefixtures("evil")
def test_filters_and_tests_are_errors_of_their_expression(text: str, says: str) -> None:
    with pytest.raises(LocatedError) as caught:
        Expression.parse(text).evaluate(MappingScope({}))
    assert "the extension 'evil'" in caught.value.message
    assert says in caught.value.message
    assert "tests/foreign/test_extension_code.py:" in caught.value.message


@pytest.mark.usefixtures("evil")
def test_functions_too() -> None:
    with pytest.raises(Exception, match=r"it called exit\(0\) \(tests/foreign/"):
        _load(f"{HERE}:exits")(None)


@pytest.mark.parametrize(
    ("name", "says"),
    [("evil_action", "it gave more than 10,000 at once"), ("evil_exit", "it called exit(0)")],
)
@pytest.mark.usefixtures("evil")
def test_actions_are_refused(name: str, says: str) -> None:
    action = find_action(name)
    assert action is not None
    with pytest.raises(EventRefused) as caught:
        action.run(None)
    assert says in caught.value.reason


@pytest.mark.parametrize("code", [exits, interrupts])
@pytest.mark.usefixtures("evil")
def test_whatever_else_is_called(code: Callable[[object], object]) -> None:
    with pytest.raises(ExtensionError, match=r"tests/foreign/test_extension_code\.py:"):
        registry().call(f"{HERE}:{code.__name__}", lambda: code(None))


LOOP = """\
import sys
from treec.run.loop import Loop

run = Loop.run

def watched(self, *args, **values):
    before = set(sys.modules)
    try:
        return run(self, *args, **values)
    finally:
        print(*(set(sys.modules) - before), file=sys.stderr)

Loop.run = watched
from treec.cli import main
main(["init", "depot", "--from", "warehouse"])
main(["run", "warehouse", "-L", "depot", "--scenario", "direct_orders", "--fast"])
"""


@pytest.mark.thorough
def test_what_hears_is_imported_before_the_loop_begins(tmp_path: Path) -> None:
    paths = os.pathsep.join(filter(None, sys.path))
    done = subprocess.run(
        [sys.executable, "-c", LOOP],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": paths},
        check=True,
    )
    imported = {name.partition(".")[0] for name in done.stderr.split()}
    assert imported.isdisjoint({"numpy", "hassil", "rapidfuzz"}), done.stderr
