from __future__ import annotations

from pathlib import Path

import pytest

from engine.ask.transport import NEVER, Answer
from engine.nodes.asking import Asking, parse_answer
from engine.nodes.observation import observe
from tests.support.bench import Bench
from tests.support.files import tree


def asking(folder: Path, answers: list[object]) -> tuple[Bench, Asking]:
    b = Bench(folder, tree("check: true"), answers={"Talk": answers})  # type: ignore[dict-item]
    entry = b.library.find("reading", "Talk")
    assert entry is not None
    seen = observe(["level"], b.run.scope)
    return b, Asking(b.run.runtime, entry, "main/x", (), {}, seen)


def test_an_answer_is_taken_once(tmp_path: Path) -> None:
    b, one = asking(tmp_path, ["hello"])
    assert one.take() is None
    b.tick()
    assert isinstance(one.take(), Answer)
    assert one.take() is None


def test_asked_again_it_tells_the_reason_and_counts(tmp_path: Path) -> None:
    b, one = asking(tmp_path, ["a", "b", "c"])
    for left in (True, True, False):
        b.tick()
        answer = one.take()
        assert isinstance(answer, Answer)
        assert one.again(answer, "No.") is left
    assert [r.attempt for r in b.requests] == [1, 2, 3]
    assert [m.content for m in b.requests[1].messages] == [
        "a",
        "That cannot be used: No. Answer again.",
    ]


def test_cancelled_it_is_silent(tmp_path: Path) -> None:
    b, one = asking(tmp_path, ["a"])
    one.cancel()
    b.tick()
    assert one.take() is None


def test_only_what_people_say_overtakes_it(tmp_path: Path) -> None:
    b, one = asking(tmp_path, [NEVER])
    b.emit("said", id="u1", who="assistant", text="hello")
    b.set(level=3)
    assert not one.overtaken
    b.emit("said", id="u2", who="user", text="hello")
    assert one.overtaken


@pytest.mark.parametrize(
    ("text", "reason"), [("{", "not JSON"), ("[1]", "a JSON object"), ("[" * 100_000, "nested")]
)
def test_what_is_no_json_object_is_said(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_answer(Answer(text, by="x"))
