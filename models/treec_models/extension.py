"""The extension of models: what opens those of every provider, and the kind `judge`."""

from __future__ import annotations

from treec.extensions import Command, Extension, Filter, Function, Kind, Rules, StateSlot

EXTENSION = Extension(
    name="models",
    scorers={"distilled": "treec_models.distilled:read_scorer"},
    models={"any": "treec_models.models:open_model"},
    kinds=(
        Kind(
            "judge",
            "treec_models.judge_file:JudgeFile",
            behaviour=7,
            order=65,
            asks="treec_models.judge:JudgeQuestion",
            skeleton="treec_models.judge_file:skeleton",
        ),
    ),
    functions=(
        Function(
            "library_file",
            "treec_models.pictures:library_file",
            args=("path",),
            returns="text",
            about="Where a file of the library is, by its path below the library's root.",
        ),
    ),
    filters=(Filter("picture", "treec_models.pictures:picture_filter", "text"),),
    nodes={"judge": "treec_models.judge_node:NODE"},
    actions={"judged": "treec_models.judge_actions:judged"},
    rules=(
        Rules("treec_models.judge_check", ("judge",)),
        Rules("treec_models.prompt_check", ("decision", "action", "reading", "program", "plan")),
    ),
    events=("treec_models.judge_events",),
    slots=(StateSlot("judgements", "treec_models.judge_events:Judgement"),),
    commands={
        "cost": Command(
            "treec_models.cost:command",
            "Estimate what a model would be asked in a system's scenarios.",
            "Models",
        )
    },
)
