"""Each way to misbehave is found by its trial; code that behaves passes all of its kind."""

from __future__ import annotations

import inspect
import re
import threading
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from tests.support import golden
from tests.testing import bad_environments, bad_nodes, bad_parsers, bad_workers
from treec import Effect, WorkOrder
from treec_testing import parsers, stage
from treec_testing.__main__ import make_trial
from treec_testing.subjects import BENCHES, Subject
from treec_testing.trial import ENVIRONMENT, NODE_CLASS, PARSER, TRIALS, WORKER, CodePlace

ORDER = WorkOrder(
    id="t1",
    skill="drive",
    agent="R1",
    args={"agent": "R1", "place": "dock", "speed": 0.5},
    takes=4.0,
    after=(Effect("at", ("R1",), "dock"),),
)


def judge_effect(effect: Effect) -> str:
    if effect.fact not in ("at", "sealed"):
        return f"the domain declares no fact '{effect.fact}'"
    return "'the moon' is no Place" if effect.value == "the moon" else ""


def judge_act(act: Mapping[str, Any], text: str) -> str:
    return "" if isinstance(act.get("agent"), str | None) else "'agent' is no Robot"


GIVEN: dict[str, dict[str, Any]] = {
    WORKER: {"order": ORDER, "arguments": ("speed", "place"), "judge": judge_effect},
    PARSER: {"judge": judge_act},
    NODE_CLASS: {},
    ENVIRONMENT: {"setup": bad_environments.SETUP, "judge": judge_effect},
}
FINDINGS = Path(__file__).with_name("findings.txt")
_SECONDS = re.compile(r"\d+\.\d+ s")
GOOD = [
    *((WORKER, c) for c in (bad_workers.Good, bad_workers.GoodThread, bad_workers.GoodBlocking)),
    (PARSER, bad_parsers.good),
    *((NODE_CLASS, c) for c in (bad_nodes.Good, bad_nodes.GoodTimer, bad_nodes.GoodThread)),
    (ENVIRONMENT, bad_environments.Good),
]
BAD: dict[str, tuple[Any, ...]] = {
    **bad_environments.BAD,
    **bad_nodes.BAD,
    **bad_parsers.BAD,
    **bad_workers.BAD,
}


IMPATIENT = (bad_parsers.grows, bad_workers.NeverDone)
"""What is found by the real seconds that pass; the rest must not depend on them."""


@pytest.fixture(autouse=True)
def excepthook(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threading, "excepthook", threading.excepthook)


def tried(code: Any, id: str, kind: str) -> tuple[str, CodePlace | None, str]:
    return make_trial(
        Subject("", "", kind, partial(BENCHES[kind], code, **GIVEN[kind])), TRIALS[id]
    )


def test_there_are_twenty() -> None:
    assert len(TRIALS) == 20


@pytest.mark.parametrize(("kind", "code"), GOOD)
def test_good_code_passes_all_trials(kind: str, code: Any) -> None:
    results = {id: tried(code, id, kind) for id, t in TRIALS.items() if t.kind == kind}
    assert results == dict.fromkeys(results, ("", None, ""))


def test_it_has_ended_once_all_that_it_reported_was_read() -> None:
    """The loop's thread looked in between at a worker that ended in a thread: no reason yet."""
    seen: list[bool] = []

    def judge(effect: Effect) -> str:
        frame = inspect.currentframe()
        while frame is not None and "problems" not in frame.f_locals:
            frame = frame.f_back
        assert frame is not None
        seen.append(frame.f_locals["self"].has_ended())
        return ""

    bench = BENCHES[WORKER](bad_workers.GoodThread, order=ORDER, judge=judge)
    assert make_trial(Subject("", "", WORKER, lambda: bench), TRIALS["W01"])[0] == ""
    assert seen == [False]


@pytest.mark.few(10, thorough=200)
@pytest.mark.parametrize(
    ("id", "code"), [(id, code) for id, codes in BAD.items() for code in codes]
)
def test_a_trial_finds_code_that_misbehaves(
    id: str, code: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    if code in IMPATIENT:
        monkeypatch.setattr(parsers, "QUICK", 0.3)
        monkeypatch.setattr(stage, "WORKING", 0.3)
    wrong, place, not_tried = tried(code, id, TRIALS[id].kind)
    assert not_tried == ""
    key = f"{id} {getattr(code, '__name__', code)}"
    said = _SECONDS.sub("… s", re.sub("abstract class.*", "…", wrong))  # Python 3.12 says more
    golden.check_line(FINDINGS, key, said)
    assert place is not None
    assert place.file.endswith(f"{code.__module__.rpartition('.')[2]}.py")


@pytest.mark.parametrize("id", TRIALS)
def test_a_trial_teaches_and_has_code_that_fails_it(id: str) -> None:
    trial = TRIALS[id]
    assert trial.tried
    assert trial.right.endswith(".")
    assert trial.example
    assert BAD[id]


def test_a_finding_says_what_and_where() -> None:
    wrong, place, _ = tried(bad_workers.RaisesInTimer, "W01", WORKER)
    assert wrong == "a timer or thread raised RuntimeError: boom"
    assert place is not None
    with open(place.file) as file:
        assert file.readlines()[place.line - 1].strip() == 'raise RuntimeError("boom")'


def test_an_order_that_fails_by_itself_is_no_finding() -> None:
    order = {"order": ORDER, "open": None, "code": bad_workers.FailsByItself}
    results = [
        make_trial(Subject("", "", WORKER, partial(BENCHES[WORKER], **order)), TRIALS[id])
        for id in ("W02", "W04", "W08")
    ]
    assert [(wrong, why) for wrong, _, why in results] == [
        ("", ""),
        ("", "the order fails by itself: nothing is held"),
        ("", "the order fails by itself: nothing is held"),
    ]


def test_an_environment_that_cannot_be_opened_is_no_finding_of_the_worker() -> None:
    def open_it() -> Any:
        raise OSError("no such device")

    bench = partial(BENCHES[WORKER], bad_workers.Good, open=open_it)
    wrong, _, why = make_trial(Subject("", "", WORKER, bench), TRIALS["W01"])
    assert (wrong, why) == ("", "its environment cannot be opened: OSError: no such device")


def test_an_environment_that_raises_meanwhile_is_named() -> None:
    def open_it() -> Any:
        return bad_environments.SenseRaises(bad_environments.SETUP)

    bench = partial(BENCHES[WORKER], bad_workers.GoodBlocking, order=ORDER, open=open_it)
    wrong, place, _ = make_trial(Subject("", "", WORKER, bench), TRIALS["W01"])
    assert wrong == "its environment raised RuntimeError: boom"
    assert place is not None
    assert place.file.endswith("bad_environments.py")
