from __future__ import annotations

import json
import random
from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.files import tree
from treec.nodes import observation
from treec.nodes.observation import fingerprint, key_sum, observe, plain


def test_a_proposal_does_not_change_because_its_robot_moves(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("check: true"))
    b.add("get pepper", item="pepper")
    b.emit("proposed", id="p1", agent="R1", subtask="get pepper")
    before = observe(["proposals"], b.run.scope)
    agents = observe(["agents"], b.run.scope)
    b.emit("agent.interrupted", agent="R1")
    assert observe(["proposals"], b.run.scope).key == before.key
    assert observe(["agents"], b.run.scope).key != agents.key


def test_plain_data_have_no_objects_and_no_order_of_their_own() -> None:
    assert fingerprint({"b": 1, "a": (1, None)}) == '{"a":[1,null],"b":1}'


def test_an_entity_is_its_fields_and_inside_another_its_name(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("check: true"))
    b.add("get pepper", item="pepper")
    b.assign("R1", "get pepper")
    shown = plain(b.team.now.agents["R1"])
    assert shown["queue"] == ["get pepper"]  # type: ignore[index]
    assert plain([b.team.now.agents["R1"]], 1) == ["R1"]


def test_the_fingerprint_is_the_plain_data_as_json(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("check: true"))
    b.add("get pepper", item="pepper")
    b.add("get salt", item="salt")
    b.say("yes")
    b.tick()
    names = ["subtasks", "available", "agents", "acts", "chat", "mood", "user_input"]
    for _ in range(2):  # made, and then kept
        values = observe(names, b.run.scope).values
        data = {name: plain(value) for name, value in values.items()}
        told = json.dumps(data, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
        assert fingerprint(values) == told
    before = fingerprint(values)
    b.emit("subtask.done", subtask="get salt")
    assert observe(names, b.run.scope).key != before


def test_a_sum_made_from_one_before_is_the_sum_made_anew() -> None:
    rng = random.Random(3)
    items: tuple[object, ...] = tuple(f"item {n}" for n in range(100))
    seen = []
    for _ in range(60):
        at = rng.randrange(len(items))
        items = rng.choice(
            [
                (*items[:at], f"other {rng.random()}", *items[at + 1 :]),
                (*items[:at], *items[at + 1 :]),
                (*items, "new"),
                items[1:] + items[:1],
            ]
        )
        seen.append((items, key_sum([observation._value_key(items)])))
    assert len({total for _, total in seen}) == len({items for items, _ in seen})
    for items, total in seen:
        observation._long_sums.clear()
        assert key_sum([observation._value_key(items)]) == total


def test_a_sum_looks_at_what_has_changed_however_long_the_list(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    looked: list[object] = []
    sum_of = observation._item_sum
    monkeypatch.setattr(
        observation, "_item_sum", lambda item: (looked.append(item), sum_of(item))[1]
    )
    items = tuple(f"item {n}" for n in range(5_000))
    key_sum([observation._value_key(items)])
    looked.clear()
    key_sum([observation._value_key((*items[:70], "other", *items[71:]))])
    assert looked == ["item 70", "other"] or looked == ["other", "item 70"]
