"""Labelled phrases: what a file says, and what is told of one that is wrong."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest
import yaml

from experiments.hearing.phrases import Frames, PhraseError, load_frames, load_phrases, meaning
from tests.hearing.moments import ROOT

WORLD: dict[str, Any] = {
    "user": "operator",
    "agents": {"Rover": {"also": ["the mower"]}, "Digger": {}, "operator": {"person": True}},
    "tasks": {"mow": {"says": ["mow <item>"], "args": {"item": "Item"}}},
    "objects": {"lawn": {"types": ["Item"]}, "roses": {"types": ["Item"], "also": ["flowers"]}},
    "words": {"s1": "mow lawn", "s2": "mow roses"},
    "contexts": {
        "start": {
            "proposals": {"p1": ["Rover", "s1"], "p2": ["operator", "s2"]},
            "subtasks": {"s1": ["ready"], "s2": ["running", "operator"]},
            "recipes": ["Morning Round"],
            "recipe": "Morning Round",
            "offered": ["Morning Round"],
            "stopped": ["Digger"],
        },
        "quiet": {"acts": ["accept", "remark"]},
    },
}
YES: dict[str, Any] = {
    "id": "yes-1",
    "context": "start",
    "text": "Yes to the lawn.",
    "acts": [{"kind": "accept", "proposals": ["p1"]}],
}
MOW: dict[str, Any] = {"kind": "request", "agent": "Rover", "task": "mow", "args": {"item": "lawn"}}


def write(path: Path, data: object) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(
        data if isinstance(data, str) else yaml.safe_dump(data, sort_keys=False), "utf-8"
    )
    return path


def readings(tmp_path: Path, **changed: Any) -> set[frozenset[Any]]:
    """The meanings of one phrase."""
    data = {**WORLD, "phrases": [{**YES, **changed}]}
    (phrase,) = load_phrases(write(tmp_path / "said.yaml", data))
    assert len({*phrase.readings}) == len(phrase.readings)
    return {*phrase.readings}


@pytest.mark.thorough
def test_the_corpus_is_read_with_its_held_back_half() -> None:
    phrases = load_phrases(ROOT / "experiments/corpora/kitchen")
    assert len(phrases) == 12_407
    assert sum(phrase.held_back for phrase in phrases) == 2_525
    assert all(phrase.readings for phrase in phrases)


def test_a_moment_is_made_of_its_world(tmp_path: Path) -> None:
    (phrase,) = load_phrases(write(tmp_path / "said.yaml", {**WORLD, "phrases": [YES]}))
    now = phrase.moment
    assert [(one.name, one.also, one.person, one.stopped) for one in now.agents] == [
        ("Rover", ("the mower",), False, False),
        ("Digger", (), False, True),
        ("operator", (), True, False),
    ]
    assert [(one.id, one.agent, one.subtask, one.words) for one in now.proposals] == [
        ("p1", "Rover", "s1", "mow lawn"),
        ("p2", "operator", "s2", "mow roses"),
    ]
    assert [(one.words, one.status, one.agent) for one in now.subtasks] == [
        ("mow lawn", "ready", None),
        ("mow roses", "running", "operator"),
    ]
    assert (now.user, now.recipe_name) == ("operator", "Morning Round")
    assert now.recipes == now.offered == ("Morning Round",)
    assert [(task.name, task.says, task.args) for task in now.tasks] == [
        ("mow", ("mow <item>",), {"item": "Item"})
    ]
    assert [(thing.name, thing.also, thing.types) for thing in now.objects] == [
        ("lawn", (), ("Item",)),
        ("roses", ("flowers",), ("Item",)),
    ]
    assert (phrase.id, phrase.theme, phrase.text) == ("yes-1", "said", "Yes to the lawn.")


def test_moments_of_a_world_share_its_tasks_and_things(tmp_path: Path) -> None:
    quiet = {**YES, "context": "quiet", "acts": [{"kind": "remark"}]}
    one, again, other = load_phrases(
        write(tmp_path / "said.yaml", {**WORLD, "phrases": [YES, {**YES, "id": "yes-2"}, quiet]})
    )
    assert one.moment is again.moment
    assert one.moment is not other.moment
    assert one.moment.tasks is other.moment.tasks
    assert one.moment.objects is other.moment.objects


def test_an_act_means_one_thing_for_each_of_its_objects(tmp_path: Path) -> None:
    acts = [{"kind": "accept", "proposals": ["p2", "p1"]}, {"kind": "remark"}]
    assert readings(tmp_path, acts=acts) == {frozenset({("accept", "p1"), ("accept", "p2")})}


def test_another_reading_is_right_too(tmp_path: Path) -> None:
    other = [[{"kind": "remark"}], [{"kind": "ask"}, {"kind": "stop", "agent": None}]]
    assert readings(tmp_path, **{"or": other}) == {
        frozenset({("accept", "p1")}),
        frozenset(),
        frozenset({("ask",), ("stop", None)}),
    }


def test_the_reading_of_acts_is_the_plainest_and_stands_first(tmp_path: Path) -> None:
    data = {**WORLD, "phrases": [{**YES, "or": [[{"kind": "ask"}], YES["acts"]]}]}
    (phrase,) = load_phrases(write(tmp_path / "said.yaml", data))
    assert phrase.readings == (frozenset({("accept", "p1")}), frozenset({("ask",)}))


def test_an_optional_act_may_be_missing(tmp_path: Path) -> None:
    no = {"kind": "decline", "proposals": ["p2"], "optional": True}
    assert readings(tmp_path, acts=[*YES["acts"], no]) == {
        frozenset({("accept", "p1")}),
        frozenset({("accept", "p1"), ("decline", "p2")}),
    }


def test_an_order_may_have_more_arguments(tmp_path: Path) -> None:
    may = {**MOW, "args": {"item": "lawn"}, "may": {"with": "mower", "at": "noon"}}
    args = {dict(act[3]).get("with") for one in readings(tmp_path, acts=[may]) for act in one}
    assert args == {None, "mower"}
    assert len(readings(tmp_path, acts=[may])) == 4


def test_a_drop_may_have_more_subtasks(tmp_path: Path) -> None:
    drop = {"kind": "drop", "subtasks": ["s1"], "may": ["s2"]}
    assert readings(tmp_path, acts=[drop]) == {
        frozenset({("drop", "s1")}),
        frozenset({("drop", "s1"), ("drop", "s2")}),
    }


def test_an_order_is_not_first_unless_it_says_so(tmp_path: Path) -> None:
    plain = ("request", "Rover", "mow", (("item", "lawn"),), False)
    assert readings(tmp_path, acts=[MOW]) == {frozenset({plain})}
    first = frozenset({(*plain[:-1], True)})
    assert readings(tmp_path, acts=[{**MOW, "first": True}]) == {first}


def test_acts_of_an_ear_are_compared_in_the_same_form() -> None:
    assert meaning([{**MOW, "quote": "mow the lawn", "agent": "none"}]) == {
        ("request", None, "mow", (("item", "lawn"),), False)
    }
    assert meaning([{"kind": "ask", "about": "time"}, {"kind": "remark"}]) == {("ask",)}
    assert meaning([{"kind": "choose", "recipe": "none"}]) == {("choose", None)}
    assert meaning([{"kind": "release", "subtasks": ["s1"]}]) == set(), "no phrase is labelled so"


# Folders


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Two rounds, one of them open, with forty phrases each."""
    root = tmp_path / "garden"
    write(root / "first.moments.yaml", {**WORLD, "open_rounds": [2]})
    for round in ("1", "2", "extra"):
        phrases = [{**YES, "id": f"{round}-{n}", "text": f"yes {n}"} for n in range(40)]
        write(root / round / "accept.yaml", phrases)
    write(root / "order.frames.yaml", {"unmeant": ["she said {order}"], "meant": ["{order}"]})
    return root


def test_moments_stand_above_the_phrases(folder: Path) -> None:
    found = load_phrases(folder)
    assert len(found) == 120
    assert {phrase.round for phrase in found} == {"1", "2", "extra"}
    assert [one.id for one in load_phrases(folder / "1")] == [f"1-{n}" for n in range(40)]
    assert len(load_phrases(folder / "1" / "accept.yaml")) == 40


def test_half_of_a_numbered_round_is_held_back_by_its_text(folder: Path) -> None:
    held = dict.fromkeys(("1", "2", "extra"), 0)
    for phrase in load_phrases(folder):
        held[phrase.round] += phrase.held_back
    assert 10 < held["1"] < 30
    assert (held["2"], held["extra"]) == (0, 0)
    again = {phrase.id: phrase.held_back for phrase in load_phrases(folder / "1")}
    assert again == {one.id: one.held_back for one in load_phrases(folder) if one.round == "1"}


# What is told


def wrong(path: Path) -> str:
    with pytest.raises(PhraseError) as error:
        load_phrases(path)
    return str(error.value)


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"text": ""}, "'text' is missing"),
        ({"acts": []}, "'acts' is missing"),
        ({"context": None}, "'context' is missing"),
        ({"context": "noon"}, "no moment 'noon'"),
        ({"acts": [{"kind": "agree"}]}, "no kind 'agree' in this moment"),
        ({"acts": [{"kind": "accept"}]}, "'proposals' of accept is missing"),
        ({"acts": [{"kind": "accept", "proposals": ["p7"]}]}, "no proposal 'p7' in this moment"),
        ({"acts": [{"kind": "done", "subtasks": ["s7"]}]}, "no subtask 's7' in this moment"),
        ({"acts": [{"kind": "stop"}]}, "'agent' of stop is missing"),
        ({"or": [[{"kind": "agree"}]]}, "no kind 'agree' in this moment"),
        ({"context": "quiet", "acts": [{"kind": "ask"}]}, "no kind 'ask' in this moment"),
    ],
)
def test_a_wrong_phrase_is_told_with_its_file(
    tmp_path: Path, changed: dict[str, Any], why: str
) -> None:
    path = write(tmp_path / "said.yaml", {**WORLD, "phrases": [YES, {**YES, "id": "b", **changed}]})
    assert wrong(path) == f"{path}: phrase b: {why}"


def test_all_that_is_wrong_is_told_at_once(tmp_path: Path) -> None:
    bad = {**YES, "id": "b", "context": "noon"}
    write(tmp_path / "a.yaml", {**WORLD, "phrases": [bad, "hello", {**bad, "id": "c"}]})
    write(tmp_path / "z.yaml", {**WORLD, "phrases": "hello"})
    lines = wrong(tmp_path).splitlines()
    assert [line.partition(": ")[2] for line in lines] == [
        "phrase b: no moment 'noon'",
        "phrase 2: a mapping with id, context, text and acts is expected",
        "phrase c: no moment 'noon'",
        "a list of phrases is expected",
    ]


@pytest.mark.parametrize("text", ["phrases: [", "phrases: {a: b: c}", "\x00"])
def test_what_is_no_yaml_is_told_with_its_file(tmp_path: Path, text: str) -> None:
    path = write(tmp_path / "said.yaml", text)
    assert wrong(path).startswith(f"{path}: ")


def test_a_file_that_is_no_text_is_told(tmp_path: Path) -> None:
    path = tmp_path / "said.yaml"
    path.write_bytes(b"\xff\xfe\xfa")
    assert wrong(path).startswith(f"{path}: ")


@pytest.mark.parametrize(
    "changed",
    [
        {"acts": ["accept"]},
        {"acts": {"kind": "accept"}},
        {"or": [{"kind": "ask"}]},
        {"or": {"kind": "ask"}},
        {"acts": [{**MOW, "args": ["lawn"]}]},
        {"acts": [{**MOW, "may": ["item"]}]},
    ],
    ids=["word", "mapping", "or of acts", "or mapping", "list of arguments", "may list"],
)
def test_acts_of_a_wrong_shape_are_told(tmp_path: Path, changed: dict[str, Any]) -> None:
    path = write(tmp_path / "said.yaml", {**WORLD, "phrases": [{**YES, **changed}]})
    assert wrong(path).startswith(f"{path}: phrase yes-1: ")


def _drop(key: str) -> Callable[[dict[str, Any]], None]:
    return lambda world: world.pop(key)


def _moment(**given: Any) -> Callable[[dict[str, Any]], None]:
    return lambda world: world["contexts"]["start"].update(given)


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_drop("words"), "words"),
        (_drop("user"), "user"),
        (_drop("agents"), "agents"),
        (_drop("tasks"), "tasks"),
        (_drop("objects"), "objects"),
        (_moment(subtasks={"s9": ["ready"]}), "s9"),
        (_moment(proposals={"p1": "Rover"}), "start"),
        (lambda world: world["contexts"].update(start=None), "start"),
    ],
    ids=["words", "user", "agents", "tasks", "objects", "unknown subtask", "proposal", "empty"],
)
def test_a_moment_that_lacks_something_is_told(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], said: str
) -> None:
    world = deepcopy(WORLD)
    change(world)
    path = write(tmp_path / "said.yaml", {**world, "phrases": [YES]})
    message = wrong(path)
    assert str(path) in message
    assert said in message


@pytest.mark.parametrize("text", ["", "hello", "user: x", "contexts:", "- a"])
def test_a_file_of_moments_without_moments_is_told(tmp_path: Path, text: str) -> None:
    write(tmp_path / "said.yaml", [YES])
    moments = write(tmp_path / "first.moments.yaml", text)
    assert str(moments) in wrong(tmp_path)


# Frames


def test_frames_are_read_from_all_files(folder: Path) -> None:
    write(folder / "1" / "more.frames.yaml", {"unmeant": ["I was {doing} the {thing}, {robot}"]})
    assert load_frames(folder) == Frames(
        ("I was {doing} the {thing}, {robot}", "she said {order}"), ("{order}",)
    )


def test_those_of_the_kitchen_are_read() -> None:
    frames = load_frames(ROOT / "experiments/corpora/kitchen")
    assert frames
    assert len(frames.unmeant) > 100
    assert any("{robot}" in frame for frame in frames.meant)


def test_without_frames_of_both_sorts_there_is_nothing_to_learn(tmp_path: Path) -> None:
    assert not load_frames(tmp_path)
    file = write(tmp_path / "order.frames.yaml", {"unmeant": ["{order}?"]})
    assert not load_frames(tmp_path)
    assert not load_frames(file), "a single file has no frames beside it"


@pytest.mark.parametrize("frame", ["{ordr} at once", "{} at once", "{order at once"])
def test_a_wrong_slot_is_told_with_its_file(tmp_path: Path, frame: str) -> None:
    file = write(tmp_path / "order.frames.yaml", {"meant": ["{order}", frame], "unmeant": []})
    with pytest.raises(PhraseError) as error:
        load_frames(tmp_path)
    assert str(error.value).startswith(f"{file}: meant, sentence 2: ")
    assert str(error.value).endswith("the slots are {order}, {doing}, {thing}, {robot}")


@pytest.mark.parametrize(
    "text", ["unment: [a]\nmeant: [b]", "- a", "unmeant: a\nmeant: [b]", "unmeant:\nmeant: [b]"]
)
def test_frames_of_a_wrong_shape_are_told(tmp_path: Path, text: str) -> None:
    file = write(tmp_path / "order.frames.yaml", text)
    with pytest.raises(PhraseError) as error:
        load_frames(tmp_path)
    assert str(file) in str(error.value)
