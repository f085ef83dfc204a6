"""The benchmarks run on tiny sizes and print their tables; no number is judged here."""

from __future__ import annotations

import json
from random import Random

import pytest

from benchmarks import __main__ as command
from benchmarks.generate import Source, generate
from benchmarks.process import ROOT
from benchmarks.rule_answers import err
from benchmarks.table import Table, in_turns, middle_ratio
from treec.check import check_library
from treec.files.library import load_library
from treec_fake_model.thread import FakeModelThread

TITLES = {
    "check": "Commands from start to exit",
    "editor": "What an editor waits for",
    "library": "treec check of generated libraries",
    "compile": "From YAML text to behaviours",
    "tick": "A tick, compiled and by hand",
    "idle": "An idle run of MOSAIC",
    "stop": "From the word to the cancelled skill",
    "serve": "What a viewer costs a run",
    "lean": "What an utterance costs, by where a model is asked",
    "talk": "Ten minutes of talk, early and late",
    "ask": "Time to decide, with `ahead` and without",
    "schedules": "Schedules of random graphs for two arms",
    "views": "Frames a second of what one sees",
    "watching": "A look at a person, ms",
    "physics": "Control steps a second",
    "resume_sapien": "Cut and resumed runs that reach their goal, by scenario",
    "resume": "Cut and resumed runs that reach their goal, by scenario",
    "mutants": "Single mutations told by treec check",
    "learning": "Steps of the pantry a second",
    "memory": "memories",
    "search": "looking for things",
    "hostile": "Hostile and huge files",
    "peers": "A tick beside peers",
    "hearing": "Hearing an utterance",
    "decisions": "One path of MOSAIC's tree",
    "styles": "What treec check tells of right files in other styles",
    "growth": "Simulated hours of a conversation",
    "fuzz": "Tracebacks on broken journals",
}


@pytest.mark.parametrize(
    "name",
    [
        "tick",
        "editor",
        "learning",
        "memory",
        pytest.param("search", marks=pytest.mark.needs_system("helper")),
        "resume",
        "styles",
        "growth",
        pytest.param("peers", marks=pytest.mark.slow),
        pytest.param("hearing", marks=[pytest.mark.slow, pytest.mark.needs_system("mosaic")]),
        pytest.param("decisions", marks=[pytest.mark.slow, pytest.mark.needs_system("mosaic")]),
        pytest.param("fuzz", marks=[pytest.mark.slow, pytest.mark.needs_system("mosaic")]),
        pytest.param("schedules", marks=pytest.mark.needs_system("dag_plan")),
        pytest.param("stop", marks=[pytest.mark.thorough, pytest.mark.needs_system("mosaic")]),
        pytest.param("lean", marks=[pytest.mark.slow, pytest.mark.needs_system("mosaic")]),
        pytest.param("talk", marks=[pytest.mark.thorough, pytest.mark.needs_system("mosaic")]),
        pytest.param("compile", marks=[pytest.mark.slow, pytest.mark.needs_system("mosaic")]),
    ],
)
@pytest.mark.few(1, thorough=5)
def test_a_benchmark_prints_its_table(name, capsys):
    command.main([name, "--small"])
    assert TITLES[name] in capsys.readouterr().out


@pytest.mark.needs_system("mosaic")
@pytest.mark.slow
def test_a_model_may_answer_in_the_benchmark_of_where_one_is_asked(capsys):
    with FakeModelThread({"cases": [{"answer": "no JSON"}]}) as server:
        command.main(["lean", "--small", "--model", "hosted_vllm/x", "--api-base", server.url])
    out = capsys.readouterr().out
    assert "hosted_vllm/x answers; seconds are real." in out
    assert "not run" not in out


def test_only_the_benchmark_of_where_a_model_is_asked_takes_one(capsys):
    with pytest.raises(SystemExit):
        command.main(["tick", "--model", "hosted_vllm/x"])
    assert "--model is for lean alone" in capsys.readouterr().err


def test_wrong_answers_are_of_the_form_that_is_asked_for():
    schema = {"properties": {"choose": {"enum": ["A", "B"]}}}
    assert err({"choose": "A"}, schema, Random(1)) == {"choose": "B"}
    assert err({"acts": [{"kind": "stop"}]}, {}, Random(1)) == {"acts": []}


@pytest.mark.slow
@pytest.mark.needs_system("mosaic", "dag_plan")
@pytest.mark.parametrize("name", ["views", "watching"])
def test_the_benchmark_of_views_prints_its_table_where_sapien_is(name, capsys):
    pytest.importorskip("sapien")
    command.main([name, "--small"])
    assert TITLES[name] in capsys.readouterr().out


@pytest.mark.needs_system("mosaic")
@pytest.mark.slow
def test_the_benchmark_of_resumed_runs_in_sapien_prints_its_table(capsys):
    pytest.importorskip("sapien")
    command.main(["resume_sapien", "--small"])
    assert TITLES["resume_sapien"] in capsys.readouterr().out


@pytest.mark.needs_system("mosaic", "dag_plan")
@pytest.mark.slow
def test_the_benchmark_of_physics_prints_its_tables_where_sapien_is(capsys):
    pytest.importorskip("sapien")
    command.main(["physics", "--small"])
    out = capsys.readouterr().out
    assert TITLES["physics"] in out
    assert "Wall time an episode" in out
    assert "The start of a run" in out


@pytest.mark.slow
@pytest.mark.parametrize("name", ["check", "library", "idle", "ask", "mutants", "hostile", "serve"])
def test_a_benchmark_that_takes_real_time_prints_its_table(name, capsys):
    command.main([name, "--small"])
    assert TITLES[name] in capsys.readouterr().out


@pytest.mark.thorough
def test_json_names_the_machine_and_holds_the_rows(capsys):
    command.main(["tick", "--small", "--json"])
    told = json.loads(capsys.readouterr().out)
    assert "Python" in told["machine"]
    (table,) = told["tick"]
    assert all(len(row) == len(table["columns"]) for row in table["rows"])


def test_every_benchmark_is_run_by_a_test():
    assert {*TITLES} == {*command.NAMES}


def test_an_unknown_benchmark_is_refused(capsys):
    with pytest.raises(SystemExit):
        command.main(["tikc"])
    assert "unknown benchmark" in capsys.readouterr().err


def test_a_page_has_a_place_for_every_benchmark(tmp_path):
    table = Table("Rows", ("what", "ms"), [("one", 1.5), ("two", 1200)], ("A note.",))
    for name in command.NAMES:
        page = tmp_path / f"{name}.md"
        page.write_text(command.page_of(name).read_text(encoding="utf-8"), encoding="utf-8")
        command.write(page, name, [table])
        command.write(page, name, [table])
        assert page.read_text(encoding="utf-8").count("| two | 1,200 |") == 1


@pytest.mark.needs_system("dag_plan")
def test_a_figure_is_drawn_beside_the_page(tmp_path):
    (tmp_path / "pictures").mkdir()
    command.measure("schedules", small=True)
    command.draw(tmp_path, "schedules")
    command.draw(tmp_path, "tick")
    (drawn,) = (tmp_path / "pictures").iterdir()
    assert "above the bound" in drawn.read_text(encoding="utf-8")


def test_a_page_without_markers_is_refused(tmp_path):
    page = tmp_path / "page.md"
    page.write_text("# Nothing\n", encoding="utf-8")
    with pytest.raises(ValueError, match="tick: begin"):
        command.write(page, "tick", [])


@pytest.mark.thorough
@pytest.mark.needs_system("mosaic")
def test_a_generated_library_has_the_size_asked_for_and_is_right(tmp_path):
    source = Source(ROOT)
    size = 2 * len(source.files) + 5
    generate(source, tmp_path, size)
    library = load_library(tmp_path)
    assert len(library.sources) == size
    assert len(list(library.of_kind("system"))) == 2
    assert [one for one in check_library(library) if one.code != "TC854"] == []  # names of copies


def test_a_ratio_is_taken_within_a_turn():
    readings = iter([1.0, 2.0, 30.0, 15.0])  # every other turn begins with the last
    least, ratios = in_turns([lambda: next(readings), lambda: next(readings)], 2)
    assert least == [2.0, 1.0]
    assert [turn[1] for turn in ratios] == [0.5, 0.5]
    assert middle_ratio(ratios, 1) == 0.5
