"""What the programs of these tests may use: two skills of things, one of places, a few facts."""

from __future__ import annotations

from treec.files.types import ANY, BOOL, NONE, TEXT, ListOf, Named, OneOf, Type, TypeTree
from treec.program.places import StepsError
from treec_asking.interpreter import SkillCall
from treec_program.api import Api, FunctionSignature, SkillSignature
from treec_program.checker import check_program
from treec_program.interpreter import run_program
from treec_program.statements import parse_program

ITEM, PLACE, ROBOT = Named("Item"), Named("Place"), Named("Robot")
WHERE = OneOf((PLACE, Named("Agent"), NONE))

TYPES = TypeTree({"Item": None, "Container": "Item", "Place": None})
SKILLS = {
    "pick": SkillSignature("pick", {"agent": ROBOT, "item": ITEM}, "Pick something up."),
    "place": SkillSignature(
        "place", {"agent": ROBOT, "item": ITEM, "place": PLACE}, "Set it down."
    ),
    "go_to": SkillSignature("go_to", {"agent": ROBOT, "place": PLACE}, "Go somewhere."),
    "pour": SkillSignature(
        "pour", {"agent": ROBOT, "item": ITEM, "container": Named("Container")}, "Pour."
    ),
    "wait": SkillSignature("wait", {"agent": ROBOT}, "Wait."),
    "turn": SkillSignature("turn", {"agent": ROBOT, "degrees": Named("number")}, "Turn."),
}
FUNCTIONS = {
    "at": FunctionSignature("at", (ITEM,), WHERE, "Where it is."),
    "hot": FunctionSignature("hot", (ITEM,), BOOL, "It is hot."),
    "level": FunctionSignature("level", (ITEM,), Named("number"), "How full it is."),
    "place_of": FunctionSignature(
        "place_of", (None,), OneOf((TEXT, NONE)), "Where.", 0, ("thing",)
    ),
}
THINGS = {
    "salt": ITEM,
    "ranch sauce": ITEM,
    "bowl": Named("Container"),
    "pot": Named("Container"),
    "table": PLACE,
    "pantry": PLACE,
    "R1": ROBOT,
    "R2": ROBOT,
}
NAMES: dict[str, Type] = {
    "agent": ROBOT,
    "robots": ListOf(ROBOT),
    "left": ListOf(ITEM),
    "mood": TEXT,
    "menu": ANY,
}


def api(style: str = "functions") -> Api:
    """What R1 may use in a program; it has no skill `stir`."""
    return Api(
        agent="R1",
        skills=SKILLS,
        lacking=frozenset({"stir"}),
        functions=FUNCTIONS,
        names=NAMES,
        things=THINGS,
        constructors={"Thing": OneOf((ITEM, PLACE))} if style == "objects" else {},
        types=TYPES,
        style=style,
    )


VALUES: dict[str, object] = {
    "agent": "R1",
    "robots": ("R1", "R2"),
    "left": ("salt", "ranch sauce"),
    "mood": "calm",
    "menu": 7,
}


def lookup(name: str) -> object:
    """The value of a name; a thing is its name."""
    return VALUES.get(name, name)


def call(name: str, args: tuple[object, ...]) -> object:
    """The pantry has everything but the bowl, which is hot and nowhere."""
    if name == "level":
        return 3
    nowhere = args == ("bowl",)
    return nowhere if name == "hot" else None if nowhere else "pantry"


def findings(text: str, style: str = "functions") -> list[StepsError]:
    """What is wrong with a program, read and judged."""
    try:
        return check_program(parse_program(text), api(style))
    except StepsError as error:
        return [error]


def run(text: str, style: str = "functions", max_steps: int = 50) -> list[SkillCall]:
    """The skill calls of a program that is right."""
    program = parse_program(text)
    used = api(style)
    assert check_program(program, used) == []
    return list(run_program(program, used.constructors, lookup, call, max_steps))


def shown(calls: list[SkillCall]) -> list[str]:
    """Skill calls as `3: pick(salt)`."""
    return [f"{c.line}: {c.skill}({', '.join(map(str, c.args))})" for c in calls]
