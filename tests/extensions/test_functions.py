"""Functions and names of expressions that an extension adds."""

from __future__ import annotations

from pathlib import Path

from tests.support.bench import Bench
from tests.support.files import tree
from treec.extensions import Extension, Function, Name, using
from treec.files.types import parse_type
from treec.source.expression import Expression
from treec.team.names import WorldScope, team_functions, team_names

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


def test_a_name_of_the_core_is_not_replaced_and_the_clash_is_told() -> None:
    taken = Extension(
        name="thief",
        functions=(Function("can", "tests.extensions.clerk:shout", ("words",), "text", "Mine."),),
    )
    with using(taken) as registry:
        assert team_functions()["can"].args == ("agent", "task")
        assert any("'can'" in str(problem) for problem in registry.problems)


def test_expressions_call_them_with_the_team(tmp_path: Path) -> None:
    with using(ADDED):
        scope = WorldScope(Bench(tmp_path, tree("check: true")).team)
        assert Expression.parse("shout('stop')").evaluate(scope) == "STOP"
        assert Expression.parse("crew | first").evaluate(scope) == "R1"
