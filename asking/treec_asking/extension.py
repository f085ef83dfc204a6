"""The extension of nodes that ask: their kinds of files, their actions, what asks for a run."""

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
    actions={
        name: f"treec_asking.actions:{name}"
        for name in (
            *("say", "propose", "propose_drop", "assign", "mark_complete", "drop", "take_back"),
            *("interrupt", "resume", "no_op"),
        )
    },
    tools={
        "asker": "treec_asking.driver:open_asker",
        "model": "treec_asking.model_choice:open_chosen",
        "rest": "treec_asking.rest:RestWatch",
    },
)
