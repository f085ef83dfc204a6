"""The extension of nodes that ask: their kinds of files, and what asks models for a run."""

from __future__ import annotations

from treec.extensions import Extension, Kind, Rules


def _kind(name: str, model: str, order: int, behaviour: int, asks: str) -> Kind:
    return Kind(
        name,
        f"treec.files.prompts:{model}",
        behaviour=behaviour,
        order=order,
        asks=f"treec_asking.{asks}",
    )


EXTENSION = Extension(
    name="asking",
    kinds=(
        _kind("decision", "DecisionFile", 30, 1, "decide:Decision"),
        _kind("action", "ActionFile", 40, 2, "act:Action"),
        _kind("reading", "ReadingFile", 50, 6, "asking:AskingLeaf"),
        _kind("program", "ProgramFile", 60, 4, "program:Program"),
        _kind("plan", "PlanFile", 70, 5, "asking:AskingLeaf"),
    ),
    rules=(
        Rules("treec_asking.check", ("decision", "action", "reading", "program", "plan", "judge")),
    ),
    tools={"asker": "treec_asking.driver:open_asker", "rest": "treec_asking.rest:RestWatch"},
)
