"""Scorers that are fitted: what is learned, and from where on the error is bounded."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import treec as api
from tests.cli.conftest import Treec, treec
from tests.support.decisions import edit, write_library
from treec.files.library import load_library
from treec.world.journal import Record
from treec_asking.distilled import prompt_fingerprint
from treec_models.distil import (
    THRESHOLDS,
    NoBound,
    TaughtExample,
    draw,
    find_bound,
    find_start,
    fit,
    group,
    needed_cases,
    split,
    tail,
    write_scorer,
)
from treec_models.distilled import NotSure, check_shapes, read_scorer
from treec_testing.cli.distil import distil
from treec_testing.decisions.distil_cases import TaughtCase, origins_of
from treec_testing.decisions.moments import RecordedRun

__all__ = ["treec"]


def test_so_many_cases_must_be_right_for_a_bound() -> None:
    assert needed_cases(0.05, 0.9) == 45
    assert find_bound([(0.6, True)] * 45, 0.05, 0.9, 0.6).sure == 0.0
    with pytest.raises(NoBound, match=r"needs 45 independent cases .* it answers 44 with a conf"):
        find_bound([(0.6, True)] * 44, 0.05, 0.9, 0.6)
    with pytest.raises(NoBound, match="2 of its 60 surest answers are wrong; about 360 such"):
        find_bound([(0.6, True)] * 58 + [(0.6, False)] * 2, 0.05, 0.9, 0.6)
    with pytest.raises(NoBound, match="more of such cases do not help"):
        find_bound([(0.6, True)] * 50 + [(0.6, False)] * 10, 0.05, 0.9, 0.6)


def test_it_answers_above_the_confidence_at_which_its_errors_begin() -> None:
    outcomes = [(0.95, True)] * 80 + [(0.6, n % 2 == 0) for n in range(40)] + [None] * 10
    bound = find_bound(outcomes, 0.05, 0.9, 0.95)
    assert 0.6 < bound.sure <= 0.95
    assert (bound.groups, bound.answered, bound.wrong) == (130, 80, 0)


def test_what_is_held_out_does_not_choose_where_its_test_begins() -> None:
    others = [(0.99, True)] * 5 + [(0.7, True)] * 4 + [None]
    assert find_start(others, 100, 0.05, 0.9) == 0.7
    assert find_start(others, 1000, 0.05, 0.9) == 0.99
    assert find_start(others, 46, 0.05, 0.9) == 0.0
    held_out = [(0.9, False)] + [(0.6, True)] * 99
    assert find_bound(held_out, 0.05, 0.9, 0.6).answered == 100
    with pytest.raises(
        NoBound, match=r"it answers 1 with a confidence of 0\.9 .* about 4500 would"
    ):
        find_bound(held_out, 0.05, 0.9, 0.9)


def test_the_bound_fails_as_rarely_as_it_says() -> None:
    """Errors of 6 % at every confidence: a bound of 5 % is wrong, and rarely claimed."""
    random = np.random.default_rng(0)
    claimed = 0
    for _ in range(300):
        drawn = zip(random.random(150), random.random(150) >= 0.06, strict=True)
        try:
            find_bound([(float(sure), bool(right)) for sure, right in drawn], 0.05, 0.9, 0.6)
            claimed += 1
        except NoBound:
            pass
    assert claimed / 300 <= 0.1
    assert list(THRESHOLDS) == sorted(THRESHOLDS, reverse=True)
    assert tail(0, 45, 0.05) == pytest.approx(0.95**45)


def test_it_fails_as_rarely_where_the_cases_of_a_group_are_alike() -> None:
    """Groups of ten cases that are all right or all wrong; 6 % of the groups are wrong."""
    random = np.random.default_rng(1)
    groups = [n // 10 for n in range(500)]
    claimed = 0
    for seed in range(200):
        right = random.random(50) >= 0.06
        held_out = [(0.9, bool(right[groups[at]])) for at in draw(range(500), groups, seed)]
        try:
            assert find_bound(held_out, 0.05, 0.9, 0.9).groups == 50
            claimed += 1
        except NoBound:
            pass
    assert claimed / 200 <= 0.1


def test_cases_of_one_origin_or_state_are_a_group() -> None:
    cases = [
        TaughtExample(state, {}, {}, origins)
        for state, origins in (
            ("a", ("soup", "night")),
            ("b", ("salad",)),
            ("c", ("night",)),
            ("d", ()),
            ("c", ("tea",)),
            ("e", ("tea", "late")),
            ("d", ()),
        )
    ]
    assert group(cases) == [0, 1, 0, 2, 0, 0, 2]


@pytest.mark.parametrize(
    ("begin", "origins"),
    [
        ({"scenario": "night"}, (("scenario", "night"), ("recipe", "Soup"))),
        ({"task": "cook"}, (("task", "cook"), ("recipe", "Soup"))),
        ({}, (("recipe", "Soup"),)),
        (None, (("run", "one"),)),
    ],
)
def test_repetitions_of_a_run_have_its_origins(
    begin: dict[str, str] | None, origins: tuple[tuple[str, str], ...]
) -> None:
    records = [Record(1, 0.0, "run.begin", "run", {"system": "s", **(begin or {})})]
    if begin is not None:
        chosen = {"name": "Soup", "keeps": ()}
        records += [Record(n, 0.0, "recipe.set", "user", chosen) for n in (2, 3)]
    assert origins_of(RecordedRun("one", "s", tuple(records), ())) == origins


def test_many_cases_of_few_groups_give_no_bound() -> None:
    entry: Any = None  # no node decides again
    cases = []
    for one in examples(240):
        like = TaughtExample(one.state, one.questions, one.answers, (int(one.state[-1]),))
        cases.append(TaughtCase(like, {"choose": one.answers["choose"]}, "rules", entry))
    with pytest.raises(NoBound, match=r"needs 45 independent groups .* there are 10, enough for"):
        distil(cases, 0.05, 0.9, 0)


def test_groups_stay_together_and_a_seed_decides() -> None:
    groups = [n // 4 for n in range(40)]
    learned, held_out = split(groups, 3)
    assert not {groups[at] for at in learned} & {groups[at] for at in held_out}
    assert sorted(learned + held_out) == list(range(40))
    assert split(groups, 3) == (learned, held_out) != split(groups, 4)


def examples(number: int) -> list[TaughtExample]:
    moods = ("merry", "calm", "sad")
    question = {"type": "choice", "criteria": dict.fromkeys(("Wave", "Rest", "Go"), "")}
    found = []
    for n in range(number):
        mood, work = moods[n % 3], ("pepper", "nothing")[n // 3 % 2]
        choose = "Wave" if mood == "merry" else "Rest" if work == "nothing" else "Go"
        state = f"mood: {mood}\navailable: {work}\nat {n}"
        answers: dict[str, str | bool] = {"choose": choose, "glad": mood == "merry"}
        questions = {"choose": question, "glad": {"type": "noul"}}
        found.append(TaughtExample(state, questions, answers, (n,)))
    return found


def test_what_is_learned_is_written_and_read_as_it_was(tmp_path: Path) -> None:
    cases = examples(120)
    files = []
    for name in ("a", "b"):
        scorer = fit(cases[:90], 7)
        write_scorer(tmp_path / name / "D.json", scorer, {"node": "D"})
        files.append([(tmp_path / name / f"D{end}").read_bytes() for end in (".json", ".npz")])
    assert files[0] == files[1]
    read = read_scorer(tmp_path / "a" / "D.json")
    for case in cases[90:]:
        answers = read.answer(case.state, case.questions)
        assert answers == scorer.answer(case.state, case.questions)
        assert answers["choose"]["choice"] == case.answers["choose"]
        assert (answers["glad"]["noul"] > 0.5) == case.answers["glad"]
    only = {"choose": {"type": "choice", "criteria": {"Go": "", "Rest": ""}}}
    chances = read.answer(cases[0].state, only)["choose"]["probabilities"]
    assert chances.keys() == {"Go", "Rest"}
    assert sum(chances.values()) == pytest.approx(1)
    flies = {"choose": {"type": "choice", "criteria": {"Go": "", "Fly": ""}}}
    refused: list[tuple[str, dict[str, Any], str]] = [
        (cases[0].state, flies, "it was not fitted to the option 'Fly'"),
        (cases[0].state, {"sad": {"type": "noul"}}, "it was not fitted to the question 'sad'"),
        (cases[0].state, {"choose": {"type": "noul"}}, "not fitted to the question 'choose'"),
        (cases[0].state, {"glad": only["choose"]}, "it was not fitted to the question 'glad'"),
        ("zzz qqq", only, "100% of what it sees is new to it"),
    ]
    for state, questions, why in refused:
        with pytest.raises(NotSure, match=why):
            read.answer(state, questions)


def test_a_scorer_whose_layers_do_not_fit_says_which() -> None:
    scorer = fit(examples(30), 7)
    weights, size = dict(scorer.weights), scorer.weights["hidden.bias"].size
    check_shapes(weights, scorer.options)
    bad = {
        f"'out' has the shape (1, 4), and ({size}, 4) is needed": {"out": np.zeros((1, 4))},
        "'hidden.bias' holds values that are not finite": {"hidden.bias": np.full(size, np.nan)},
        "'direct' is missing": {"direct": None},
    }
    for why, change in bad.items():
        given = {name: it for name, it in {**weights, **change}.items() if it is not None}
        with pytest.raises(ValueError, match=f"^{re.escape(why)}$"):
            check_shapes(given, scorer.options)


def test_a_scorer_answers_where_a_node_is_asked_and_in_no_test_of_its_prompt(
    tmp_path: Path, treec: Treec
) -> None:
    root = write_library(tmp_path)
    edit(root, "pack/Choose.decision.yaml", "options:\n", "answers: [distilled, model]\noptions:\n")
    library = load_library(root)
    entry = library.find("decision", "Choose")
    question = {"type": "choice", "criteria": dict.fromkeys(("Wave", "Rest"), "")}
    cases = [  # otherwise than the rules
        TaughtExample(
            f"mood: {mood}\navailable: nothing", {"choose": question}, {"choose": choose}, (n,)
        )
        for n, (mood, choose) in enumerate((("merry", "Rest"), ("calm", "Wave")) * 12)
    ]
    about = {
        "node": "Choose",
        "kind": "decision",
        "prompt": prompt_fingerprint(entry),
        "bound": {"sure": 0.5, "groups": 12},
    }
    write_scorer(root / "distilled/Choose.json", fit(cases, 0), about)
    asked = treec("ask", "Choose", "--given", "{mood: merry}", "-L", root)
    assert "No model is asked.\ndecided by distilled/Choose: Rest" in asked.out, asked
    node = api.open(root)["decision", "Choose"]
    assert node.ask({"mood": "merry"}).by == "distilled/Choose"
    new = treec("ask", "Choose", "--given", "{mood: gloomy and grey all day}", "-L", root)
    assert "distilled/Choose passes on" in new.out
    assert "decided by fallback: Rest" in new.out
    kept = treec("snapshot", "Choose", "--record", "-L", root)
    assert "Choose/somebody-is-merry (by: offline)" in kept.out, kept  # Wave, as its rules say
    edit(root, "pack/Choose.decision.yaml", "The person is merry.", "They are merry.")
    stale = treec("ask", "Choose", "--given", "{mood: merry}", "-L", root)
    assert "have changed since it was fitted: treec distil Choose" in stale.out
    assert "decided by offline: Wave" in stale.out


@pytest.mark.thorough
def test_too_few_cases_are_told_with_how_many_are_needed(tmp_path: Path, treec: Treec) -> None:
    root = write_library(tmp_path)
    done = treec("distil", "Choose", "-L", root)
    assert done.status == 1
    assert "needs 45 independent groups of cases that are held out, twice as many" in done.err
    assert "there are 2, enough for an error of 90 % at best" in done.err
    assert not (root / "distilled").exists()
    assert treec("distil", "Choose", "-L", root, "--error", "60%").status == 1
    done = treec("distil", "Choose", "-L", root, "--by", "rule")
    assert (done.status, "unknown author 'rule'" in done.err) == (2, True), done
    done = treec("distil", "Wave", "-L", root)
    assert done.status == 2
    assert "'Wave' is of the kind action: scorers answer decisions, readings and judges" in done.err
    assert "did you mean the decision 'Choose'?" in treec("distil", "Chose", "-L", root).err


@pytest.mark.thorough
def test_a_decision_is_distilled_from_its_cases(tmp_path: Path, treec: Treec) -> None:
    root = write_library(tmp_path)
    said = "  said: {{ chat | map(attribute='text') | join(' ') }}\n"
    edit(root, "pack/Choose.decision.yaml", "  available: {{", said + "  available: {{")
    folder = root / "tests/decisions"
    folder.mkdir(parents=True)
    for n in range(120):
        mood, choose = (("merry", "Wave"), ("calm", "Rest"))[n % 2]
        text = (
            f"case: c{n}\nnode: Choose\ngiven:\n  mood: {mood}\n"
            f"  chat: [{{who: Anna, text: word{n}}}]\nexpect: {{choose: {choose}}}\n"
        )
        (folder / f"c{n}.case.yaml").write_text(text, "utf-8")
    done = treec("distil", "Choose", "-L", root, "--error", "10%")
    assert done.status == 0, done
    assert "Choose: 122 cases in 122 independent groups (expected 122)" in done.out
    assert "the bound rests on 61 independent groups" in done.out
    header = json.loads((root / "distilled/Choose.json").read_text("utf-8"))
    assert header["node"] == "Choose"
    assert header["bound"]["wrong"] <= 3
    assert header["made"]["by"] == {"expected": header["made"]["cases"]}
    assert header["questions"] == {"choose": ["Wave", "Rest"]}
    assert (root / "distilled/Choose.npz").stat().st_size < 100_000
