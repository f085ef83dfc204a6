"""Functions and names of expressions that an extension adds."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from jinja2 import Environment as JinjaEnvironment
from jinja2 import nodes

from tests.support.bench import Bench
from tests.support.extensions import using
from tests.support.files import KITCHEN, tree
from treec.check import check_library
from treec.check.filters import filter_type
from treec.extensions import SYNTAX, Extension, Filter, Function, Name, StateSlot
from treec.files.library import load_library
from treec.files.types import ANY, parse_type
from treec.source.errors import EvaluationError
from treec.source.expression import Expression
from treec.source.frame import ClosureFrame
from treec.source.names import FUNCTIONS
from treec.source.scope import MappingScope
from treec.team.names import SPECIALS, WorldScope, team_functions, team_names

ADDED = Extension(
    name="clerk",
    functions=(Function("shout", "tests.extensions.clerk:shout", ("words",), "text", "Louder."),),
    names=(Name("crew", "tests.extensions.clerk:crew", "list of text", "Who is there."),),
)


def test_they_stand_in_the_tables_as_long_as_the_extension_does() -> None:
    with using(ADDED):
        assert team_functions()["shout"].args == ("words",)
        assert team_names()["crew"].type == parse_type("list of text")
    assert "shout" not in team_functions()
    assert "crew" not in team_names()


CLERK = "tests.extensions.clerk:shout"


def test_fields_of_the_mappings_that_a_function_gives_are_checked(tmp_path: Path) -> None:
    queue = Function("orders", CLERK, ("words",), "list of Order", "What was ordered.")
    added = Extension(
        "shop", functions=(queue,), records={"Order": {"item": "text", "by": "Agent"}}
    )
    text = "orders('x') | map(attribute='itm') or orders('x')[0].by.nmae"
    (tmp_path / "treec.toml").write_text("")
    (tmp_path / "d.domain.yaml").write_text(
        f'domain: d\nabout: A shop.\nderived: {{x: "{text}"}}\n'
    )
    with using(added):
        found = check_library(load_library(tmp_path))
    assert [(p.code, p.span.line, p.message, p.help) for p in found] == [
        ("TC205", 3, "unknown field 'itm' of an Order", "did you mean 'item'?"),
        ("TC205", 3, "unknown field 'nmae' of an Agent", "did you mean 'name'?"),
    ]


def test_a_domain_cannot_declare_a_type_of_that_name(tmp_path: Path) -> None:
    (tmp_path / "treec.toml").write_text("")
    (tmp_path / "d.domain.yaml").write_text("domain: d\nabout: A shop.\ntypes: {Suggestion: {}}\n")
    (problem,) = check_library(load_library(tmp_path))
    assert problem.code == "TC606"


@pytest.mark.parametrize(
    ("field", "declared", "what"),
    [
        ("functions", (Function("can", CLERK, ("words",), "text", "Mine."),), "function 'can'"),
        ("functions", (Function("range", CLERK, ("words",), "text", "Mine."),), "function 'range'"),
        ("names", (Name("agents", CLERK, "text", "Mine."),), "name 'agents'"),
        ("filters", (Filter("upper", CLERK),), "filter 'upper'"),
        ("tests", {"even": CLERK}, "test 'even'"),
        ("slots", (StateSlot("acts"),), "state slot 'acts'"),
    ],
)
def test_what_treec_declares_cannot_be_declared_again(field: str, declared: Any, what: str) -> None:
    with using(Extension(name="thief", **{field: declared})) as registry:
        (problem,) = registry.problems
        assert str(problem) == (
            f"the extension 'thief': the {what} is already declared by treec itself"
        )
        assert Expression.parse("'a' | upper == 'A' and 2 is even").evaluate(MappingScope({}))
        assert team_functions()["can"].args == ("agent", "task")


def test_the_language_has_these_functions() -> None:
    assert {*SYNTAX} == {*FUNCTIONS, *SPECIALS}


def test_the_check_knows_what_a_filter_gives() -> None:
    added = Filter("size_of", "tests.extensions.clerk:shout", "integer")
    with using(Extension(name="clerk", filters=(added,))):
        node = JinjaEnvironment().parse("{{ 1 | size_of }}").find(nodes.Filter)
        assert node is not None
        assert str(filter_type(node, ANY, ANY)) == "integer"


def test_a_filter_may_charge_the_budget() -> None:
    added = Filter("costly", f"{__name__}:costly")
    with using(Extension(name="clerk", filters=(added,))):
        assert Expression.parse("3 | costly").evaluate(MappingScope({})) == 3
        with pytest.raises(EvaluationError, match="steps"):
            Expression.parse("10000000000 | costly").evaluate(MappingScope({}))


def costly(frame: ClosureFrame, value: int) -> int:
    frame.budget.step(value)
    return value


def test_expressions_call_them_with_the_team(tmp_path: Path) -> None:
    with using(ADDED):
        scope = WorldScope(Bench(tmp_path, tree("check: true")).team)
        assert Expression.parse("shout('stop')").evaluate(scope) == "STOP"
        assert Expression.parse("crew | first").evaluate(scope) == "R1"


def test_a_derived_name_is_made_once_a_version_unless_it_may_vary_within_one(
    tmp_path: Path,
) -> None:
    derived = "derived:\n  seen: visits()\n  more: seen + 0\n  at_time: now\n  late: at_time > 5\n"
    path = "pack/kitchen.domain.yaml"
    files = {**tree("check: true"), path: KITCHEN[path].replace("derived:\n", derived)}
    added = Extension(
        name="clerk",
        functions=(Function("visits", "tests.extensions.clerk:visits", (), "number", "Calls."),),
    )
    with using(added):
        bench = Bench(tmp_path, files)
        scope = bench.run.scope
        first, again = scope.lookup("more"), scope.lookup("more")
        assert first == again  # within a tick
        bench.tick()
        assert scope.lookup("more") != first
        assert not scope.lookup("late")
        bench.pass_time(6.0)
        assert (scope.lookup("late"), scope.lookup("at_time")) == (True, 6.0)
