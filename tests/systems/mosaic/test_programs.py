"""A robot's subtask becomes a program by a model, with MOSAIC's own files and prompt."""

from __future__ import annotations

from tests.systems.mosaic.table import Table

FETCH = "pick('salt')\ngo_to('table')\nplace('salt', 'table')\n"


def fetched(*programs: str) -> Table:
    answers = {"Subtask_To_Skills": [{"reasoning": "", "program": text} for text in programs]}
    table = Table("R2, get the salt", answers=answers)
    table.pass_time(90)
    return table


def test_the_program_is_checked_and_run() -> None:
    table = fetched(FETCH)
    assert [(p["by"], p["program"]) for p in table.happened("programmed")] == [("scripted", FETCH)]
    assert [step["line"] for step in table.happened("step")] == [1, 2, 3]
    assert [done["subtask"] for done in table.happened("subtask.done")] == ["get the salt"]


def test_a_refused_program_is_asked_for_again_with_the_reason() -> None:
    table = fetched("stir('pot', 'ladle')\npick('slat')\n", FETCH)
    (refused,) = [a["refused"] for a in table.happened("answered") if "refused" in a]
    assert "line 1, column 1 in `stir('pot', 'ladle')`: unknown skill 'stir' of R2" in str(refused)
    assert "line 2, column 6 in `pick('slat')`: 'slat' is not an Item of the scene" in str(refused)
    assert "did you mean 'salt'?" in str(refused)
    assert [p["by"] for p in table.happened("programmed")] == ["scripted"]
    assert [done["subtask"] for done in table.happened("subtask.done")] == ["get the salt"]


def test_when_every_program_is_refused_the_tasks_steps_are_done() -> None:
    table = fetched(*["import os\nos.system('rm -rf /')\n"] * 3)
    assert [p["by"] for p in table.happened("programmed")] == ["offline"]
    assert [done["subtask"] for done in table.happened("subtask.done")] == ["get the salt"]
