"""The extension of tests: trials of code, single decisions and skills, cases, coverage."""

from __future__ import annotations

from treec.extensions import Command, Extension, Kind, Rules

EXTENSION = Extension(
    name="testing",
    kinds=(
        Kind(
            "case",
            "treec_testing.case_file:CaseFile",
            order=170,
            was="exchange",
            skeleton="treec_editor.file_skeletons:case",  # for `treec new`
        ),
    ),
    rules=(Rules("treec_testing.tc614_case", ("case",)),),
    tools={
        "ask": "treec_testing.decisions.asker:make_question",
        "talk_moment": "treec_testing.decisions.talk_moment:talk_moment",
        "trials": "treec_testing.report:CODE_TRIALS",
    },
    commands={
        "ask": Command("treec_testing.cli.ask:command", "Ask one node for a decision.", "Models"),
        "trace": Command(
            "treec_testing.cli.trace:command", "Tick a tree by itself and print each tick.", "Core"
        ),
        "coverage": Command(
            "treec_testing.cli.coverage:command",
            "List nodes, options and rules that no run has reached.",
            "Core",
        ),
        "snapshot": Command(
            "treec_testing.cli.snapshot:command",
            "Answer every test case from its recording.",
            "Models",
        ),
        "case": Command(
            "treec_testing.cli.case:app",
            "Test cases: list them, or add one from a run.",
            "Models",
        ),
        "compare": Command(
            "treec_testing.cli.compare:command", "Repeat the decisions of recorded runs.", "Models"
        ),
        "distil": Command(
            "treec_testing.cli.distil:command",
            "Fit a scorer to what a node decides, with a bound on its error.",
            "Models",
        ),
        "skill": Command("treec_testing.cli.skill:app", "Try single skills.", "Robots"),
    },
)
