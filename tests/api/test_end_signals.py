"""A program that runs robots ends by SIGTERM as by Ctrl-C, and as before once they are at rest."""

from __future__ import annotations

import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import treec

WAREHOUSE = Path(treec.__file__).parent / "templates/warehouse"
NUMBERS = (signal.SIGTERM, signal.SIGHUP)


@pytest.fixture(autouse=True)
def nothing_handled() -> Iterator[None]:
    before = {number: signal.signal(number, signal.SIG_DFL) for number in NUMBERS}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


def are_handled() -> bool:
    handlers = {signal.getsignal(number) for number in NUMBERS}
    assert len(handlers) == 1
    return handlers != {signal.SIG_DFL}


@pytest.mark.parametrize("number", NUMBERS, ids=["SIGTERM", "SIGHUP"])
def test_a_compiled_tree_is_ended_in_order_from_its_first_tick_on(
    lib: treec.Workspace, number: int
) -> None:
    tree = lib.compile(seconds_per_tick=1.0)
    assert not are_handled()
    tree.say("Scout, inspect crate 40.")
    while not any(record.kind == "skill.started" for record in tree.journal):
        tree.tick_once()
    with pytest.raises(KeyboardInterrupt), tree:
        signal.raise_signal(number)
    ended = [record for record in tree.journal if record.kind == "skill.ended"]
    assert [record.data["reason"] for record in ended] == ["cancelled"]
    assert not are_handled()


def test_the_last_run_of_the_process_gives_the_signals_back(lib: treec.Workspace) -> None:
    with lib.compile(seconds_per_tick=1.0) as first:
        first.tick_once()
        with lib.start("warehouse", clock="virtual"):
            pass
        assert are_handled()
    assert not are_handled()
    assert lib.run("warehouse", scenario="morning_shift").ok
    assert not are_handled()


def test_a_handler_of_the_programs_own_stays(lib: treec.Workspace) -> None:
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    with lib.start("warehouse", clock="virtual"):
        assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN
    assert signal.getsignal(signal.SIGTERM) is signal.SIG_IGN


@pytest.mark.slow
def test_a_compiled_tree_is_shut_down_where_no_with_does(tmp_path: Path) -> None:
    program = f"""
import atexit, signal, treec
tree = treec.open({str(WAREHOUSE)!r}).compile(seconds_per_tick=1.0)
ended = lambda: [r.data["reason"] for r in tree.journal if r.kind == "skill.ended"]
atexit.register(lambda: print(ended()))
tree.say("Scout, inspect crate 40.")
while not any(record.kind == "skill.started" for record in tree.journal):
    tree.tick_once()
signal.raise_signal(signal.SIGTERM)
"""
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=60)
    assert (done.returncode, done.stdout) == (-signal.SIGINT, b"['cancelled']\n")
