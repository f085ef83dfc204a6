"""What code of others does wrong ends its skill or node, with file and line; the others go on."""

from __future__ import annotations

import re
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from py_trees.common import Status

from tests.support.bench import library
from tests.support.files import KITCHEN, tree
from tests.support.foreign import (
    CANCELS,
    LONG,
    METHODS,
    PARSE,
    PARSES,
    STARTS,
    EvilDict,
    EvilText,
    Wrong,
    WrongNode,
    boom,
    boom_beside,
    boom_unreadable,
)
from treec.api.embedded_tree import EmbeddedTree
from treec.files.view import View
from treec.foreign import MOST
from treec.nodes.worker import Effect, NotingHost, Outcome, WorkOrder
from treec.run.clocks import SteppingClock
from treec.run.run import CannotRun, Run
from treec.world.failures import Reported
from treec.world.journal import Journal, events
from treec_hearing.node import Reading

HERE = "support/foreign.py"
BAD = KITCHEN["pack/go_to.skill.yaml"].replace("skill: go_to", "skill: push")
PUSH = BAD.replace("treec.envs.symbolic:Effects", "tests.support.foreign:Wrong")
TWO = """\
parallel:
  - {skill: push, with: {agent: R1, place: pantry}, once: true, force_success: true}
  - {skill: pick, with: {agent: R2, item: lettuce}, once: true}
"""
AGENT = KITCHEN["pack/R1.agent.yaml"].replace("go_to: {}", "go_to: {}, push: {}")


class Result:
    """A run of a small library on the virtual clock, and what its journal says."""

    def __init__(self, folder: Path, root: str, says: str = "", **files: str) -> None:
        system = KITCHEN["test.system.yaml"] + "at_end: stop\n"
        loaded = library(
            folder,
            {
                **tree(root),
                "test.system.yaml": system,
                "pack/push.skill.yaml": PUSH,
                "pack/R1.agent.yaml": AGENT,
                **files,
            },
        )
        self.journal = Journal.in_memory()
        view = View(loaded, loaded.find("system", "test"))
        self.run = Run(view, SteppingClock(), self.journal)
        if says:
            self.run.say(says)
        self.outcome = self.run.go()

    def told(self, kind: str) -> list[Any]:
        return [e.data for r in self.journal.records for e in events(r) if e.kind == kind]

    @property
    def skills(self) -> dict[str, tuple[bool, str]]:
        """How each skill ended: whether well, and why not."""
        return {e["skill"]: (e["ok"], e.get("reason") or "") for e in self.told("skill.ended")}


@pytest.mark.parametrize("what", STARTS)
def test_a_worker_that_misbehaves_fails_its_own_skill(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Wrong, "START", STARTS[what])
    result = Result(tmp_path, TWO)
    assert result.outcome.reason == "finished"
    assert result.skills["pick"] == (True, "")
    ok, why = result.skills["push"]
    assert not ok
    assert what == "an effect on no fact" or HERE in why, why
    assert result.told("node.raised") == []


def test_a_stop_does_not_wait_for_thousands_of_acts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    judged: list[object] = []
    judge = Reading.valid_act

    def valid_act(self: Reading, item: Any, unread: Any) -> dict[str, Any]:
        judged.append(item)
        self.runtime.arbiter.holds_all = True  # somebody presses Ctrl-C
        return judge(self, item, unread)

    monkeypatch.setattr(Reading, "valid_act", valid_act)
    many = [{"kind": "remark", "quote": "bring me the salt"}] * 5_000
    monkeypatch.setitem(PARSE, "now", lambda text, context: many)
    talk = KITCHEN["pack/Talk.reading.yaml"].replace(
        "tests.support.talk:read", "tests.support.foreign:parse"
    )
    root = "{read: Talk, once: true}"
    result = Result(tmp_path, root, says="bring me the salt", **{"pack/Talk.reading.yaml": talk})
    (failed,) = result.told("node.failed")
    assert "all is to stop while 5,000 acts are judged" in failed["reason"]
    assert len(judged) < 500


FLOODS: dict[str, Callable[[WorkOrder, NotingHost], None]] = {
    "effects": lambda order, host: host.sense(order.id, (Effect("near", ("R1",), "pantry"),)),
    "notes": lambda order, host: host.note(order.id, "well", {}),
}


@pytest.mark.parametrize("what", FLOODS)
def test_a_worker_that_reports_without_end_fails_by_name(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reported: list[int] = []

    def flood(order: WorkOrder, host: Any) -> None:
        for number in range(2 * MOST):
            FLOODS[what](order, host)
            reported.append(number)
        host.finish(order.id, Outcome(True))

    monkeypatch.setattr(Wrong, "START", flood)
    result = Result(tmp_path, TWO)
    assert result.skills["push"] == (False, "more than 10,000 effects and notes at once")
    assert len(reported) <= MOST
    assert result.skills["pick"] == (True, "")
    assert len(result.journal.records) <= MOST + 50


def again_and_again(host: Any) -> None:
    host.clock.call_at(host.clock.now(), lambda: again_and_again(host))


def thousands(host: Any) -> None:
    for number in range(2 * MOST):
        host.clock.call_at(host.clock.now() + 1 + number, print)


@pytest.mark.parametrize("set_timers", [again_and_again, thousands])
def test_a_worker_that_sets_timers_without_end_fails_by_name(
    set_timers: Callable[[Any], None], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Wrong, "START", lambda order, host: set_timers(host))
    result = Result(tmp_path, TWO)
    why = result.skills["push"][1]
    assert re.match(r"it has set too many timers \(tests/run/test_foreign_code\.py:\d+\)", why)
    assert result.skills["pick"] == (True, "")


def test_what_a_worker_says_at_length_is_kept_by_its_fingerprint(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def tell(order: WorkOrder, host: Any) -> None:
        host.note(order.id, LONG, {"all": LONG})
        host.finish(order.id, Outcome(False, Reported(LONG), LONG))

    monkeypatch.setattr(Wrong, "START", tell)
    result = Result(tmp_path, TWO)
    mark = sha256(LONG.encode()).hexdigest()[:16]
    assert result.skills["push"][1].endswith(f"x… (50,000,000 characters, sha256 {mark})")
    assert sum(len(str(record.data)) for record in result.journal.records) < 100_000


ACTS: dict[str, Callable[[str], object]] = {
    "texts": lambda text: [{"kind": EvilText("remark"), "quote": text}],
    "mappings": lambda text: (EvilDict(kind="remark", quote=text),),
    "both, one by one": lambda text: (
        act for act in [EvilDict(kind="remark", quote=EvilText(text))]
    ),
}


@pytest.mark.parametrize("what", ACTS)
def test_acts_are_copied_to_plain_data(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PARSE, "now", lambda text, context: ACTS[what](text))
    talk = KITCHEN["pack/Talk.reading.yaml"].replace(
        "tests.support.talk:read", "tests.support.foreign:parse"
    )
    root = "{read: Talk, once: true}"
    result = Result(tmp_path, root, says="bring me the salt", **{"pack/Talk.reading.yaml": talk})
    assert result.told("node.failed") == []
    (read,) = result.told("acts.read")
    assert read["acts"][0]["kind"] == "remark"


@pytest.mark.parametrize("what", CANCELS)
def test_a_worker_that_cannot_be_cancelled_fails_its_own_skill(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Wrong, "CANCEL", CANCELS[what])
    late = PUSH.replace("takes: 4s\ntimeout: 30s", "takes: 1s\ntimeout: 1s")
    result = Result(tmp_path, TWO, **{"pack/push.skill.yaml": late})
    assert result.outcome.reason == "finished"
    assert result.skills["pick"] == (True, "")
    assert not result.skills["push"][0]


@pytest.mark.parametrize(
    "make",
    [boom, exit, boom_beside, boom_unreadable],
    ids=["raises", "exits", "raises no Exception", "raises without a message"],
)
def test_a_worker_that_cannot_be_made_fails_its_own_skill(
    make: Callable[[], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Wrong, "MAKE", make)
    result = Result(tmp_path, TWO)
    assert result.skills["pick"] == (True, "")
    (failed,) = result.told("node.failed")
    assert "the worker tests.support.foreign:Wrong of the skill 'push'" in failed["reason"]
    assert HERE in failed["reason"]


def test_a_worker_without_its_methods_is_told(tmp_path: Path) -> None:
    none = PUSH.replace("foreign:Wrong", "foreign:NoMethods")
    result = Result(tmp_path, TWO, **{"pack/push.skill.yaml": none})
    assert result.skills["pick"] == (True, "")
    (failed,) = result.told("node.failed")
    assert "lacks the method start and the method cancel" in failed["reason"]


NODES = """\
parallel:
  - {tests.support.foreign:WrongNode: {}, once: true, force_success: true}
  - {skill: pick, with: {agent: R2, item: lettuce}, once: true}
"""


@pytest.mark.parametrize("what", METHODS)
def test_a_node_that_misbehaves_fails_alone(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    name, method = METHODS[what]
    monkeypatch.setattr(WrongNode, name, method)
    result = Result(tmp_path, NODES)
    assert result.outcome.reason == "finished"
    assert result.skills["pick"] == (True, "")
    failed = result.told("node.failed")[0]
    assert "WrongNode" in failed["reason"] or HERE in failed["reason"]
    assert failed["module"] == "tests.support.foreign"
    assert result.told("node.raised") == []


def test_a_node_that_fails_may_clean_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WrongNode, "UPDATE", lambda node: boom())
    result = Result(tmp_path, NODES)
    (node,) = (n for n in result.run.root.iterate() if isinstance(n, WrongNode))
    assert node.ended[0] is Status.FAILURE


def test_a_node_that_cannot_be_halted_does_not_keep_others(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WrongNode, "UPDATE", lambda node: Status.RUNNING)
    monkeypatch.setattr(WrongNode, "TERMINATE", lambda node: boom())
    root = """\
selector:
  - {tests.support.foreign:WrongNode: {}, timeout: 1s}
  - {skill: pick, with: {agent: R2, item: lettuce}}
"""
    result = Result(tmp_path, root)
    assert result.outcome.reason == "finished"
    assert result.skills["pick"] == (True, "")


def test_setup_of_nodes_is_called_once_before_the_first_tick(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    called: list[str] = []
    monkeypatch.setattr(WrongNode, "SETUP", lambda node: called.append("setup"))
    monkeypatch.setattr(WrongNode, "INITIALISE", lambda node: called.append("initialise"))
    Result(tmp_path, NODES)
    assert called[:2] == ["setup", "initialise"]
    assert called.count("setup") == 1


def test_a_setup_that_raises_is_told_before_anything_moves(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WrongNode, "SETUP", lambda node: boom())
    with pytest.raises(
        CannotRun, match=rf"main/WrongNode: RuntimeError: boom \(tests/{HERE}:\d+\)"
    ):
        Result(tmp_path, NODES)


@pytest.mark.parametrize("what", PARSES)
def test_a_parser_that_misbehaves_is_a_failure_of_the_reading(
    what: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(PARSE, "now", PARSES[what])
    talk = KITCHEN["pack/Talk.reading.yaml"].replace(
        "tests.support.talk:read", "tests.support.foreign:parse"
    )
    root = """\
parallel:
  - {read: Talk, once: true, force_success: true}
  - {skill: pick, with: {agent: R2, item: lettuce}, once: true}
"""
    result = Result(tmp_path, root, says="bring me the salt", **{"pack/Talk.reading.yaml": talk})
    assert result.outcome.reason == "finished"
    assert result.skills["pick"] == (True, "")
    (failed,) = result.told("node.failed")
    assert "the parser tests.support.foreign:parse" in failed["reason"]


def test_an_embedded_tree_contains_them_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WrongNode, "UPDATE", lambda node: boom())
    loaded = library(tmp_path, tree("tests.support.foreign:WrongNode: {}"))
    view = View(loaded, loaded.find("system", "test"))
    run = Run(view, SteppingClock(), Journal.in_memory())
    with EmbeddedTree("robot", run, 1.0) as embedded:
        embedded.tick_once()
        assert embedded.status is Status.FAILURE


@pytest.mark.parametrize("make", [boom, exit, boom_beside], ids=["raises", "exits", "is cancelled"])
def test_a_node_that_cannot_be_made_is_told_with_its_place_in_the_tree(
    make: Callable[[], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WrongNode, "MAKE", make)
    with pytest.raises(
        CannotRun, match=rf"main.tree.yaml:\d+:\d+: main/WrongNode: .*tests/{HERE}:\d+"
    ):
        Result(tmp_path, NODES)
