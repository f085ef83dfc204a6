"""What a check of a library costs, as counts: what is imported, and how often a text is judged."""

from __future__ import annotations

import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import create_model

from tests.support import checked
from tests.support.library import ROOT, WAREHOUSE
from treec.check import base, tc602_empty_contract, texts
from treec.files.fields import Model, Shared
from treec.files.library import load_library
from treec.files.nodes import NodeBase
from treec.files.view import View, per_files
from treec.source import expression, template
from treec.team import knowledge
from treec_hearing import templates
from treec_mosaic.recipes import findings

NOT_FOR_THE_WAREHOUSE = (
    *("py_trees", "rich", "numpy", "rapidfuzz", "networkx", "hassil"),
    *("typer", "importlib.metadata", "email", "importlib.resources", "jinja2.environment"),
    *("treec.run.run", "treec.run.loop", "treec_hearing.ear", "treec_hearing.mentions"),
    *("treec.team.events", "treec.team.team", "treec.world.world", "treec.world.failures"),
    *("treec_sapien.bodies", "treec_perception.files", "treec_learning.files", "treec_ros.files"),
    *("treec_dag_plan.files", "treec_dag_plan.arms"),
)


def imported(*command: str) -> list[str]:
    code = (
        "import sys; from treec.cli import main; status = main(sys.argv[1:]); "
        "print(*sys.modules, file=sys.stderr); sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, *command], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stderr.split()


def test_what_a_check_of_the_warehouse_imports() -> None:
    modules = imported("check", "--library", str(WAREHOUSE))
    assert not {*NOT_FOR_THE_WAREHOUSE} & set(modules)
    declare = {
        name for name in modules if re.fullmatch(r"treec_\w+(\.extension)?|__editable__.*", name)
    }
    counted = [name for name in modules if name not in declare]  # however many are installed
    ours = [name for name in counted if name.partition(".")[0].startswith("treec")]
    assert len(ours) <= 282, len(ours)
    assert len(counted) <= 500, len(counted)


@pytest.mark.thorough
def test_a_demo_tree_loads_what_it_reaches(tmp_path: Any) -> None:
    demo = "trees/demos/parallel.tree.yaml"
    modules = imported("run", demo, "--fast", "--runs", str(tmp_path))
    assert not {"treec_sapien.bodies", "treec_dag_plan.arms", "treec_hearing.ear"} & set(modules)
    asking = {name for name in modules if name.partition(".")[0] == "treec_asking"}
    assert asking == {"treec_asking", "treec_asking.extension"}


class Calls:
    """Counts calls of functions by their first arguments."""

    def __init__(self, patch: pytest.MonkeyPatch) -> None:
        self.patch = patch
        self.of: dict[str, Counter[object]] = {}

    def count(self, module: object, name: str, by: Callable[..., object]) -> None:
        """Count the calls of a module's function, by what ``by`` makes of its arguments."""
        function, found = getattr(module, name), self.of.setdefault(name, Counter())

        def counting(*args: Any) -> Any:
            found[by(*args)] += 1
            return function(*args)

        self.patch.setattr(module, name, counting)


@pytest.mark.thorough
@pytest.mark.needs_system("mosaic", "dag_plan", "helper")
def test_a_text_is_parsed_and_judged_once_whatever_number_of_systems_uses_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    library = load_library(ROOT)
    expression._parse.cache_clear()
    template._parse.cache_clear()
    templates._expression.cache_clear()
    calls = Calls(monkeypatch)
    calls.count(expression, "parse_expression", by=str)
    calls.count(template, "parse_template", by=str)
    calls.count(templates, "parse_sentence", by=str)
    calls.count(texts, "_judge", by=lambda env, place: (place.entry.path, place.loc, place.key))
    assert checked._check(library) == []
    del calls.of["parse_expression"][""]  # an error, which is not kept
    for name in ("parse_expression", "parse_template", "parse_sentence"):
        assert calls.of[name]
        assert calls.of[name].most_common(1)[0][1] == 1, name
    judged = calls.of["_judge"]
    again = {it: count for it, count in judged.items() if count > 1}
    assert judged.total() <= 1.05 * len(judged), again


@pytest.mark.thorough
@pytest.mark.needs_system("mosaic", "dag_plan", "helper")
def test_what_systems_share_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    library = load_library(ROOT)
    calls = Calls(monkeypatch)
    calls.count(knowledge, "Words", by=lambda tasks, things, *_: (*tasks, *things))
    calls.count(findings, "Links", by=lambda reader, subtasks: tuple(subtasks))
    calls.count(tc602_empty_contract, "_read", by=lambda view, contract: contract)
    assert checked._check(library) == []
    for name in ("Words", "Links", "_read"):
        assert calls.of[name]
        assert calls.of[name].most_common(1)[0][1] == 1, name


def test_pydantic_makes_the_schema_of_a_modifier_once_for_all_types_of_nodes() -> None:
    class Counting:
        calls = 0

        def __get_pydantic_core_schema__(self, source: Any, handler: Any) -> Any:
            self.calls += 1
            return handler(source)

    counting = Counting()
    fields: Any = {"every": (Annotated[int, counting, Shared()], 1)}
    base = create_model("Base", __base__=Model, **fields)
    for name in ("One", "Other"):
        assert create_model(name, __base__=base).model_validate({"every": 2}) is not None
    assert counting.calls == 1
    shared = [it for it in NodeBase.model_fields.values() if any(map(is_shared, it.metadata))]
    assert len(shared) >= 15


def is_shared(part: object) -> bool:
    return isinstance(part, Shared)


def test_what_is_found_in_an_unchanged_file_is_found_once() -> None:
    first, second = load_library(WAREHOUSE), load_library(WAREHOUSE)
    for one, other in zip(first.entries, second.entries, strict=True):
        assert base.places(one) is base.places(other)


def test_what_depends_on_some_kinds_of_files_is_made_anew_for_others() -> None:
    made: list[View] = []

    @per_files("task", "skill")
    def of(view: View) -> int:
        made.append(view)
        return len(made)

    library = load_library(WAREHOUSE)
    whole = View(library)
    without_scene = whole.changed(lambda entry: None if entry.kind == "scene" else entry)
    without_tasks = whole.changed(lambda entry: None if entry.kind == "task" else entry)
    assert [of(view) for view in (whole, without_scene, without_tasks, whole)] == [1, 1, 2, 1]
