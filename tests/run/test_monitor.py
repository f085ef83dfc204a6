from __future__ import annotations

from pathlib import Path

from tests.support.bench import Bench
from tests.support.files import tree

PROMISE = """\
contract: finish
about: What is begun is finished.
eventually: {each: subtask, require: "status(subtask) == 'done'", within: 10s}
"""


def watched(folder: Path) -> Bench:
    b = Bench(folder, {**tree("check: true"), "pack/finish.contract.yaml": PROMISE})
    b.pass_time(1)
    b.add("get pepper", item="pepper")
    b.settle()
    return b


def test_what_comes_too_late_is_noted_once_when_its_time_is_over(tmp_path: Path) -> None:
    b = watched(tmp_path)
    b.pass_time(30)
    (broken,) = b.told("contract.broken")
    assert (broken.t, broken.data["contract"], broken.data["item"]) == (
        11.0,
        "finish",
        "get pepper",
    )
    assert b.run.monitor.broken == [("finish", "get pepper")]


def test_what_came_in_time_is_not(tmp_path: Path) -> None:
    b = watched(tmp_path)
    b.pass_time(5)
    b.emit("subtask.done", subtask="get pepper")
    b.pass_time(30)
    assert b.told("contract.broken") == []
