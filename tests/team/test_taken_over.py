"""What has not changed since the version before is taken over, and is as if made anew."""

from __future__ import annotations

import random
from pathlib import Path

from tests.support.bench import Bench
from tests.support.files import tree
from treec.team.conversation import Conversation
from treec.team.team import TeamSnapshot

SOUP = "recipe: Soup\nsubtasks:\n  get salt: {}\n  get pepper: {after: [get salt]}\n"


def bench(folder: Path) -> Bench:
    b = Bench(folder, {**tree("check: true"), "pack/Soup.recipe.yaml": SOUP})
    b.add("get salt", item="salt")
    b.emit("subtask.added", id="get pepper", words="get pepper", after=["get salt"])
    b.add("get lettuce", item="lettuce")
    return b


def test_only_what_changed_is_made_anew(tmp_path: Path) -> None:
    b = bench(tmp_path)
    before = dict(b.team.now.subtasks)
    b.emit("subtask.done", subtask="get salt")
    after = b.team.now.subtasks
    assert after["get lettuce"] is before["get lettuce"]
    assert after["get salt"] is not before["get salt"]
    assert (before["get pepper"].ready, after["get pepper"].ready) == (False, True)


def test_after_any_events_all_is_as_if_made_anew(tmp_path: Path) -> None:
    b = bench(tmp_path)
    rng = random.Random(5)
    people = b.team.knowledge.people
    for number in range(120):
        kind = rng.choice(["said", "read", "settle", "done", "drop", "look", "look"])
        told = b.world.state
        unread = [u.id for u in b.team.unread]
        work = [id for id, s in told["subtasks"].items() if s.status == "waiting"]  # type: ignore[attr-defined]
        if kind == "said":
            who = rng.choice(["user", "assistant"])
            b.emit("said", id=f"u{number}", who=who, text=f"words {number}")
        elif kind == "read" and unread:
            act = {"id": f"a{number}", "kind": "remark", "quote": "w", "utterance": unread[0]}
            b.emit("acts.read", utterances=unread, acts=[act] if rng.random() < 0.6 else [])
        elif kind == "settle":
            b.emit("acts.settled", acts=[act.id for act in b.team.now.acts][:1])
        elif kind in ("done", "drop") and len(work) > 1:
            data = {"subtask": work[0]} if kind == "done" else {"subtasks": [work[-1]]}
            b.emit("subtask.done" if kind == "done" else "subtask.dropped", **data)
        else:
            b.add(f"more {number}", item="pepper")
        anew = TeamSnapshot(b.world.state, b.team.knowledge)
        now = b.team.now
        assert now.subtasks == anew.subtasks
        talk = Conversation(b.world.state["utterances"], people)  # type: ignore[arg-type]
        assert (now.talk.chat, now.talk.waiting) == (talk.chat, talk.waiting)
        assert (now.talk.unread, now.talk.last_heard) == (talk.unread, talk.last_heard)
        assert list(now.utterances) == list(talk.utterances)
    assert len(now.talk.chat) > 10
