from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from treec.check.environments import world
from treec.check.fields import REMEMBERED
from treec.check.names import TypeEnvironment
from treec.check.type_checker import findings, infer
from treec.files.library import load_library
from treec.files.types import ListOf, Named
from treec.files.view import views_of
from treec.source.errors import LocatedError
from treec.source.expression import Expression
from treec.source.template import TextTemplate


@cache
def env() -> TypeEnvironment:
    (view,) = views_of(load_library(Path(__file__).parent / "base"))
    return world(view).child(
        {"item": Named("Item"), "agent": Named("Robot"), "recalled": ListOf(REMEMBERED)}
    )


@pytest.mark.parametrize(
    ("text", "type_"),
    [
        ("agents", "list of Agent"),
        ("available", "list of Subtask"),
        ("recipe_name", "text"),
        ("kettle", "Item"),
        ("at(item)", "Place or Agent or none"),
        ("hot(item)", "bool"),
        ("at(item) or 'table'", "Place or Agent or text"),
        ("acts.accept.proposals", "list of Proposal"),
        ("acts.request.task", "list of Task"),
        ("acts.stop | length", "integer"),
        ("proposals | map(attribute='agent.status')", "list of status of an agent"),
        ("(subtasks | select('ready') | first).agent", "agent's name or none"),
        ("subtasks[0].words", "text"),
        ("status(agent)", "status of an agent"),
        ("current(agent)", "Subtask or none"),
        ("1 if hot(item) else none", "integer or none"),
        ("not agents", "bool"),
        ("age(at(item))", "number"),
        ("[kettle, agent]", "list of (Item or Robot)"),
        ("'a' ~ 1", "text"),
        ("suggest(available, agents)", "list of Suggestion"),
        ("now * 2 + 1", "number"),
        ("agents + agents", "list of Agent"),
        ("tasks | groupby('name')", "list of group of Task"),
        ("available | batch(2)", "list of list of Subtask"),
    ],
)
def test_the_type_of_an_expression(text: str, type_: str) -> None:
    assert str(infer(Expression.parse(text).ast[0], env())) == type_


@pytest.mark.parametrize("text", ["nothing", "acts.accept[0].args.x"])
def test_what_cannot_be_told_is_none(text: str) -> None:
    assert infer(Expression.parse(text).ast[0], env()) is None


@pytest.mark.parametrize(
    "text",
    [
        "at(item) == table",
        "at(item) == none",
        "at(item) in ['table', 'R1']",
        "agent == 'R1' and status(agent) == 'Idle'",
        "recipe_name in recipes",
        "subtasks | selectattr('agent', 'none') | list",
        "current(agent).words == 'get kettle'",
        "now - 3 > age(at(item))",
        "acts.request | map(attribute='agent') | list",
        "can(none, 'get')",
        "range(3) | length == 3",
        "available | map(attribute='words') | join(', ') == ''",
        "near(agent) == at(item)",
        "recalled[0].answer if recalled and recalled[0].distance < 0.2 else ''",
        "thing_of('Place') == table",
        "thing_of(recipe_name) == table",
    ],
)
def test_what_may_be_right_is_not_told(text: str) -> None:
    assert findings(Expression.parse(text), env()) == []


@pytest.mark.parametrize(
    ("text", "code", "offset"),
    [
        ("at(item) == 'tabel'", "TC212", 12),
        ("tabel == at(item)", "TC212", 0),
        ("at(item) == 'kettle'", "TC213", 12),
        ("hot(agent)", "TC213", 4),
        ("'Idel' == status(agent)", "TC213", 0),
        ("subtasks == ''", "TC213", 0),
        ("1 < 'x'", "TC213", 0),
        ("at(item) < at(item) and now.t", "TC205", 28),
        ("proposals | map(attribute='agent.sattus')", "TC205", 26),
        ("acts.stop.agnt", "TC205", 10),
        ("queue", "TC203", 0),
        ("agents()", "TC204", 0),
        ("source(item)", "TC204", 0),
        ("at(x=item)", "TC204", 0),
        ("recalled[0].ansewr", "TC205", 12),
        ("thing_of('Plcae') == table", "TC208", 9),
        *(
            (f"suggest(available, agents) | {wrong}", "TC205", 29 + wrong.index("'sbu"))
            for wrong in (
                "map(attribute='sbutask')",
                "selectattr('sbutask')",
                "rejectattr('sbutask', 'eq', 'x')",
                "groupby('sbutask')",
                "sort(attribute='sbutask')",
                "sort(true, false, 'sbutask')",
                "sum(attribute='sbutask')",
                "sum('sbutask')",
                "unique(attribute='sbutask')",
                "min(attribute='sbutask')",
                "max('sbutask')",
                "join(', ', attribute='sbutask')",
                "join(', ', 'sbutask')",
                "map(attribute='subtask') | map(attribute='sbutatus')",
                "selectattr('agent') | map(attribute='sbutask')",
            )
        ),
    ],
)
def test_what_is_certainly_wrong_is_found_at_its_offset(text: str, code: str, offset: int) -> None:
    assert [(f.code, f.offset) for f in findings(Expression.parse(text), env())] == [(code, offset)]


@pytest.mark.parametrize(
    ("text", "message", "help"),
    [
        ("agent.at == table", "unknown field 'at' of a Robot", "call the fact: at(Item)"),
        ("item.at == table", "unknown field 'at' of an Item", "call the fact: at(Item)"),
        ("len(agents)", "unknown function 'len'", "'length' is a filter: write value | length"),
        ("max(now, 2)", "unknown function 'max'", "'max' is a filter: write […] | max"),
        ("now != null", "unknown name 'null'", "write 'none'"),
        ("at(item) != NULL", "unknown thing 'NULL'", "write 'none'"),
        ("status(agent) == IDLE", "unknown name 'IDLE'", "write a fixed word in quotes: 'Idle'"),
        ("now | length", "'length' takes a list, not a number", None),
        ("hot(item) | join(', ')", "'join' takes a list, not true or false", None),
        ("agents | abs", "'abs' takes a number, not a list of Agent", None),
        ("now + 'x'", "'+' takes numbers, not a text", "join texts with '~'"),
        ("now - hot(item)", "'-' takes numbers, not true or false", None),
        ("(now + 1) * recipe_name > 2", "'*' takes numbers, not a text", None),
        ("agents + 1", "'+' takes numbers, not a list of Agent", None),
        ("-item", "'-' takes numbers, not an Item", None),
        ("+recipe_name", "'+' takes numbers, not a text", None),
    ],
)
def test_what_other_languages_write_is_told_with_what_would_be_right(
    text: str, message: str, help: str | None
) -> None:
    found = findings(Expression.parse(text), env())
    assert [(f.message, f.help) for f in found] == [(message, help)]


@pytest.mark.parametrize(
    ("text", "help"),
    [
        ("now > 1 || now < 0", "write 'or'"),
        ("now > 1 && now < 9", "write 'and'"),
        ("$now > 1", "a name stands alone in an expression: leave the '$' out"),
        ("= now > 1", "leave the '=' out"),
        ("now = 1", "write '==' to compare"),
        ("now is later", "write '==' to compare"),
        (
            "any(hot(x) for x in things)",
            "a filter takes the place of a loop: agents | selectattr('status', 'eq', 'Idle')",
        ),
    ],
)
def test_signs_of_other_languages(text: str, help: str) -> None:
    with pytest.raises(LocatedError) as raised:
        Expression.parse(text)
    assert raised.value.help == help


@pytest.mark.parametrize(
    ("text", "offsets"),
    [
        ("{% for s in subtasks %}{{ s.wrods }}{% endfor %}", [28]),
        ("{% for s in subtasks if s.redy %}{{ loop.index }}{% endfor %}{{ s }}", [26, 64]),
        ("{% set x = agents | first %}{{ x.nmae }}", [33]),
        ("{% if now %}{% set x = 1 %}{% endif %}{{ x }}", [41]),
        ("{% if now %}{% set x = 1 %}{% else %}{% set x = 2 %}{% endif %}{{ x }}", []),
        ("{% with y = subtasks %}{{ y.z }}{% endwith %}{{ y }}", [28, 48]),
        ("{% for a, b in suggest(available, agents) %}{{ a }}{{ b.c }}{% endfor %}", [7]),
        ("{% for g in tasks | groupby('name') %}{{ g.lits }}{% endfor %}", [43]),
        ("{% for g in tasks | groupby('name') %}{{ g.list[0].nmae }}{% endfor %}", [51]),
        ("{% for n, l in tasks | groupby('name') %}{{ n }}{{ l }}{% endfor %}", [7]),
        ("{% if now %}{% else %}{{ nwo }}{% endif %}", [25]),
    ],
)
def test_templates_are_walked_on_every_branch(text: str, offsets: list[int]) -> None:
    assert [f.offset for f in findings(TextTemplate.parse(text), env())] == offsets
