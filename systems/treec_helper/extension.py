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
            "remembered_program",
            "treec_helper.functions:remembered_program",
            ("dialogue", "recalled"),
            "text",
            "The program of the remembered request that a dialogue is, in other words or names.",
        ),
        Function(
            "unmet",
            "treec_helper.functions:unmet",
            ("dialogue", "program"),
            "text",
            "What a request asks for, or its program promises, and is not so.",
            optional=1,
        ),
        Function(
            "situation",
            "treec_helper.functions:situation",
            ("dialogue",),
            "text",
            "Where the things are that a dialogue names, and their states, as far as is known.",
        ),
        Function(
            "question_about",
            "treec_helper.functions:question_about",
            ("dialogue", "question"),
            "text",
            "A dialogue with the robot's question after it.",
        ),
        Function(
            "left_on",
            "treec_helper.functions:left_on",
            ("dialogue",),
            "Thing or none",
            "What heats, or a tap, that was turned on for a request which does not ask for that.",
        ),
        Function(
            "turn_off_program",
            "treec_helper.functions:turn_off_program",
            ("dialogue",),
            "text",
            "The program that turns off what `left_on` tells; 'do_nothing()' if there is nothing.",
        ),
        Function(
            "is_praise",
            "treec_helper.functions:is_praise",
            ("remarks",),
            "bool",
            "Whether remarks are only thanks and praise: 'Great, thank you!'",
        ),
        Function(
            "wants_more",
            "treec_helper.functions:wants_more",
            ("awaiting", "words"),
            "bool",
            "Whether words are how many are wanted of what was made: 'two coffees'.",
        ),
        Function(
            "routine_called",
            "treec_helper.functions:routine_called",
            ("dialogue",),
            "text",
            "The two words by which a request calls a routine and says no more; else ''.",
        ),
        Function(
            "joined_program",
            "treec_helper.functions:joined_program",
            ("before", "after"),
            "text",
            "A program and its correction as one, without what was said for one time only.",
        ),
        Function(
            "varied_for_once",
            "treec_helper.functions:varied_for_once",
            ("before", "after"),
            "text",
            "The same with what was said for one time ('in a bowl instead'); '' if nothing was.",
        ),
        Function(
            "stays_so",
            "treec_helper.functions:stays_so",
            ("program",),
            "text",
            "What a program that takes something back leaves as it is: 'Mug_1 stays clean'.",
        ),
        Function(
            "corrective_program",
            "treec_helper.functions:corrective_program",
            ("recalled", "failure"),
            "text",
            "The program that corrected the nearest failure of its kind; else 'do_nothing()'.",
        ),
    ),
    records={"PlaceHint": {"object_class": "text", "places": "list of text"}},
    actions={
        "undertake": "treec_helper.actions:undertake",
        "drop_question": "treec_helper.actions:drop_question",
        "begin": "treec_helper.actions:begin",
        "finish": "treec_helper.actions:finish",
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
