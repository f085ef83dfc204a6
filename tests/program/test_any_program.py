"""Whatever text there is: a program calls declared skills alone, always ends, or is refused."""

from __future__ import annotations

import builtins
import keyword

from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.program.kitchen import SKILLS, VALUES, api, call, lookup
from tests.program.watch import nothing_executed
from tests.support.tiers import many
from treec.program.places import StepsError
from treec_asking.interpreter import SkillCall
from treec_program.checker import check_program
from treec_program.interpreter import MAX_WORK, run_program
from treec_program.statements import parse_program

MAX_STEPS = 30
GOOD = (
    "pick(salt)\nplace(salt, table)\n",
    "for item in ['salt', 'ranch sauce']:\n    if at(item) != table:\n        pick(item)\n",
    "if hot(pot) and not hot(bowl) or level(pot) >= 2:\n    wait()\nelif mood == 'calm':\n"
    "    turn(-90.5)\nelse:\n    pass\n",
    "where = at(salt)\nfor turns in range(3):\n    go_to(where)\n    where = 'table'\n",
    "for robot in robots:\n    for item in left:\n        pour(item, container=bowl)\n",
)
OBJECTS = (
    "salt = Thing('salt')\nsalt.pick()\nbowl = Thing('bowl')\nsalt.pour(bowl)\n",
    "for item in left:\n    item.pick()\n    item.place(place=table)\nwait()\n",
)
TOKENS = st.sampled_from(
    [
        *SKILLS,
        *VALUES,
        *keyword.kwlist,
        *keyword.softkwlist,
        *"()[]{}.,:;=+-*/%@&|^~<>!'\"\\#`$ \n\t01_",
        *("\n    ", "\n        ", "==", "!=", "<=", ":=", "**", "->", "...", "'salt'", "3", "1e9"),
        *("salt", "ranch sauce", "bowl", "table", "at", "hot", "level", "Thing", "range", "x", "y"),
        *(name for name in dir(builtins) if not name.startswith("_")),
        *("__class__", "__import__", "__globals__", "f'", "b'", "0x", "é", "\x00", "\u200b"),
    ]
)
EDITS = st.lists(st.tuples(st.floats(0, 1), st.integers(0, 3), TOKENS), max_size=3)


def holds(text: str, style: str) -> None:
    """Read, judge and run a text: declared skills with fitting things, in bounds, or a finding."""
    used = api(style)
    asked: list[str] = []

    def watched(name: str, args: tuple[object, ...]) -> object:
        asked.append(name)
        return call(name, args)

    done: list[SkillCall] = []
    error: StepsError | None = None
    with nothing_executed():
        try:
            program = parse_program(text)
            if not check_program(program, used):
                done.extend(run_program(program, used.constructors, lookup, watched, MAX_STEPS))
        except StepsError as caught:
            error = caught
    if error is not None:
        assert 0 <= error.offset <= len(text)
        assert error.line >= 1
    assert len(done) <= MAX_STEPS
    assert len(asked) <= MAX_WORK
    assert set(asked) <= set(used.functions)
    for step in done:
        skill = SKILLS[step.skill]
        assert len(step.args) + len(step.kwargs) <= len(skill.args)
        assert set(step.kwargs) <= set(skill.args)
        assert 1 <= step.line <= text.count("\n") + text.count("\r") + 1
        for value in (*step.args, *step.kwargs.values()):
            assert type(value) in (str, int, float, bool, list, type(None))


def edited(text: str, edits: list[tuple[float, int, str]]) -> str:
    """A text with some of its characters replaced."""
    for where, length, new in edits:
        at = int(where * len(text))
        text = text[:at] + new + text[at + length :]
    return text


@given(st.text(st.characters(codec=None), max_size=80), st.sampled_from(["functions", "objects"]))
def test_any_text(text: str, style: str) -> None:
    holds(text, style)


@settings(max_examples=many(300, 20))
@given(st.lists(TOKENS, max_size=30), st.sampled_from(["functions", "objects"]))
@example(["wait", "(", ")"], "functions")
def test_any_tokens(tokens: list[str], style: str) -> None:
    holds("".join(tokens), style)
    holds(" ".join(tokens), style)


@settings(max_examples=many(300, 20))
@given(st.sampled_from(GOOD), EDITS)
def test_a_program_with_slips(text: str, edits: list[tuple[float, int, str]]) -> None:
    holds(edited(text, edits), "functions")


@settings(max_examples=many(150, 18))
@given(st.sampled_from(OBJECTS), EDITS)
def test_a_program_of_objects_with_slips(text: str, edits: list[tuple[float, int, str]]) -> None:
    holds(edited(text, edits), "objects")


def test_without_slips_they_are_let_pass() -> None:
    for style, texts in (("functions", GOOD), ("objects", OBJECTS)):
        for text in texts:
            assert check_program(parse_program(text), api(style)) == [], text


NAME = st.sampled_from(["x", "y", "salt", "bowl", "item"])
ITEM = st.sampled_from(["salt", "bowl", "'ranch sauce'", "item", "item"])
PLACE = st.sampled_from(["table", "'pantry'", "at(salt)", "place_of(bowl)"])
VALUE = st.sampled_from(["salt", "hot(pot)", "not hot(bowl)", "level(pot) > 2", "item == salt"])
LIST = st.sampled_from(["left", "[salt, bowl]", "range(100)", "range(3)", "('salt', 'pot')"])
GIVEN = {
    "pick": st.tuples(ITEM),
    "place": st.tuples(ITEM, PLACE),
    "go_to": st.tuples(PLACE),
    "pour": st.tuples(ITEM, st.sampled_from(["pot", "'bowl'"])),
    "wait": st.tuples(),
    "turn": st.tuples(st.sampled_from(["3", "-1.5", "level(pot)"])),
}


@st.composite
def programs(draw: st.DrawFn, depth: int = 0) -> str:
    """Programs that the grammar allows; judged, some are right and some are not."""
    lines = ["item = salt"] if not depth else []
    for _ in range(draw(st.integers(1, 3))):
        kind = draw(st.sampled_from(["do", "do", "set", "for", "if"] if depth < 4 else ["do"]))
        if kind == "do":
            skill = draw(st.sampled_from(sorted(SKILLS)))
            lines.append(f"{skill}({', '.join(draw(GIVEN[skill]))})")
        elif kind == "set":
            lines.append(f"{draw(NAME)} = {draw(ITEM)}")
        else:
            head = f"for {draw(NAME)} in {draw(LIST)}:" if kind == "for" else f"if {draw(VALUE)}:"
            body = draw(programs(depth + 1))
            lines.append(head + "".join(f"\n    {line}" for line in body.split("\n")))
    return "\n".join(lines)


@settings(max_examples=many(300, 20))
@given(programs())
def test_any_program_of_the_grammar_ends(text: str) -> None:
    holds(text, "functions")
