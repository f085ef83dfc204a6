"""What HELPER adds to treec."""

from __future__ import annotations

from treec.extensions import Command, Extension, Function

EXTENSION = Extension(
    name="helper",
    functions=(
        Function(
            "hinted_places",
            "treec_helper.locate:hinted_places",
            ("dialogue",),
            "list of PlaceHint",
            "What a dialogue says of where things are: `object_class` and `places`.",
        ),
        Function(
            "unseen_classes",
            "treec_helper.locate:unseen_classes",
            ("dialogue",),
            "list of text",
            "The classes that a dialogue names, but the robot has not seen.",
        ),
        Function(
            "thing_classes",
            "treec_helper.locate:thing_classes",
            (),
            "list of text",
            "The classes of things of the household.",
        ),
        Function(
            "adapted_program",
            "treec_helper.functions:adapted_program",
            ("dialogue", "recalled"),
            "text",
            "The program of the nearest memory, changed as a dialogue says.",
        ),
        Function(
            "unmet",
            "treec_helper.functions:unmet",
            ("dialogue",),
            "text",
            "What a request says of things (toasted, cooked, clean) and is not so.",
        ),
        Function(
            "is_praise",
            "treec_helper.functions:is_praise",
            ("remarks",),
            "bool",
            "Whether remarks are only thanks and praise: 'Great, thank you!'",
        ),
        Function(
            "joined_program",
            "treec_helper.functions:joined_program",
            ("before", "after"),
            "text",
            "A program and its correction as one; a correction that repeats it stands for both.",
        ),
        Function(
            "corrective_program",
            "treec_helper.functions:corrective_program",
            ("recalled",),
            "text",
            "The program that corrected the nearest failure; 'do_nothing()' if none is like it.",
        ),
    ),
    records={"PlaceHint": {"object_class": "text", "places": "list of text"}},
    actions={
        "undertake": "treec_helper.actions:undertake",
        "expect_near": "treec_helper.locate:expect_near",
    },
    pages=("treec_helper.program_rules",),
    commands={
        "program": Command("", "Check programs that a model wrote.", "Models"),
        "program check": "treec_helper.cli.program:check",
        "thor": Command("", "Scenes of AI2-THOR.", "Robots"),
        "thor scene": "treec_helper.cli.thor_scene:command",
    },
)
