"""A stop of the warehouse's robots when no `while:` of the worker's tree would end a skill."""

from __future__ import annotations

import re
import shutil
from pathlib import Path

import pytest

import treec
from treec.nodes.events import SkillEnded, SkillStarted
from treec.team.events import AgentInterrupted, AgentResumed, Said
from treec.world.journal import Record

WAREHOUSE = Path(treec.__file__).parent / "templates" / "warehouse"


@pytest.fixture(scope="module")
def shift(tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    """The morning shift, with no guard that ends a robot's skill."""
    folder = tmp_path_factory.mktemp("unguarded") / "shed"
    shutil.copytree(WAREHOUSE, folder)
    worker = folder / "trees" / "robot_worker.tree.yaml"
    text, guards = re.subn(r"\n +while: status\(agent\).*", "", worker.read_text("utf-8"))
    assert guards == 2
    worker.write_text(text, "utf-8")
    result = treec.open(folder).run("warehouse", scenario="morning_shift")
    assert result.ok
    return list(result.journal)


def at(records: list[Record], kind: type) -> list[int]:
    return [i for i, record in enumerate(records) if isinstance(record.event, kind)]


def test_the_skill_ends_with_the_stop(shift: list[Record]) -> None:
    (stop,) = (
        i
        for i, record in enumerate(shift)
        if any(isinstance(e, AgentInterrupted) for e in getattr(record.event, "events", ()))
    )
    after = [r for r in shift[stop + 1 :] if isinstance(r.event, SkillEnded | SkillStarted)]
    ended = next(r for r in after if r.event.agent == "Hauler")  # type: ignore[attr-defined]
    assert isinstance(ended.event, SkillEnded)
    assert (ended.t, ended.event.cancelled) == (shift[stop].t, True)


def test_it_is_said_after_the_skill_has_ended(shift: list[Record]) -> None:
    (said,) = (
        i
        for i, r in enumerate(shift)
        if isinstance(r.event, Said) and r.event.text.startswith("Hauler has stopped.")
    )
    ended = [i for i in at(shift, SkillEnded) if shift[i].event.cancelled]  # type: ignore[attr-defined]
    assert ended[0] < said


def test_nothing_begins_until_it_is_resumed(shift: list[Record]) -> None:
    events = [
        (r.t, event) for r in shift for event in (getattr(r.event, "events", None) or (r.event,))
    ]
    (stop,) = (i for i, (_, e) in enumerate(events) if isinstance(e, AgentInterrupted))
    (resume,) = (i for i, (_, e) in enumerate(events) if isinstance(e, AgentResumed))
    between = [e for _, e in events[stop:resume] if isinstance(e, SkillStarted)]
    assert not [e for e in between if e.agent == "Hauler"]


@pytest.mark.parametrize("words", ["Stop!", "Hauler, stop."])
@pytest.mark.parametrize("has_arrived", [False, True])
def test_a_robot_that_drives_to_its_charger_without_work_is_stopped(
    tmp_path: Path, words: str, has_arrived: bool
) -> None:
    """It was told that no robot has work, and Hauler went on: found by `treec prove`."""
    folder = tmp_path / "shed"
    shutil.copytree(WAREHOUSE, folder)
    hauler = folder / "envs" / "hauler.agent.yaml"
    text, batteries = re.subn(r"battery: \d+", "battery: 20", hauler.read_text("utf-8"))
    assert batteries == 1
    hauler.write_text(text, "utf-8")
    arrives = "faults: ['take drive(agent=Hauler, place=dock) in 3s']\n" if has_arrived else ""
    (folder / "trees" / "scenarios" / "stop.scenario.yaml").write_text(
        f"scenario: stop\nabout: Stop.\nsystem: warehouse\nuser: [{{says: '{words}', after: 3s}}]\n"
        f"{arrives}"
        "expect: {finally: \"status('Hauler') == 'Interrupted'\", within: 30s}\n",
        "utf-8",
    )
    result = treec.open(folder).run("warehouse", scenario="stop")
    assert result.ok
    (end,) = (r for r in result.journal if isinstance(r.event, SkillEnded))
    assert (end.t, end.event.cancelled) == (3.0, not has_arrived)  # type: ignore[attr-defined]
