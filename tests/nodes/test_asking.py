from __future__ import annotations

from pathlib import Path

import pytest

from tests.support.bench import Bench
from tests.support.files import tree
from treec.ask.limits import LimitReached
from treec.ask.transport import NEVER, Answer, Scripted, TooLarge, Unavailable
from treec.nodes import model_status
from treec.nodes.observation import observe
from treec.world.clock import VirtualClock
from treec_asking.asking import Exchange
from treec_asking.prompt import Question, object_schema, read_answer


def asking(folder: Path, answers: list[object]) -> tuple[Bench, Exchange]:
    b = Bench(folder, tree("check: true"), answers={"Talk": answers})  # type: ignore[dict-item]
    entry = b.library.find("reading", "Talk")
    assert entry is not None
    seen = observe(["level"], b.run.scope)
    return b, Exchange(b.run.runtime, entry, "main/x", Question((), {}, seen))


def test_an_answer_is_taken_once(tmp_path: Path) -> None:
    b, one = asking(tmp_path, ["hello"])
    assert one.take() is None
    b.tick()
    assert isinstance(one.take(), Answer)
    assert one.take() is None


def test_asked_again_it_tells_the_reason_and_counts(tmp_path: Path) -> None:
    b, one = asking(tmp_path, ["{}", "{}", "{}"])
    for left in (True, True, False):
        b.tick()
        answer = one.take()
        assert isinstance(answer, Answer)
        assert one.again(answer, "No.") is left
    assert [r.attempt for r in b.requests] == [1, 2, 3]
    assert [m.content for m in b.requests[1].messages] == [
        "{}",
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
    assert not one.outdated
    b.emit("said", id="u2", who="user", text="hello")
    assert one.outdated


@pytest.mark.parametrize(
    ("text", "reason"),
    [("{]", "not JSON"), ("{", "cut off"), ("[1]", "a JSON object"), ("[" * 100_000, "nested")],
)
def test_what_is_no_json_object_is_said(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        read_answer(Answer(text, by="x"), {})


def test_every_attempt_is_kept_with_its_verdict(tmp_path: Path) -> None:
    b, one = asking(tmp_path, ["{}", "{}", "{}"])
    for reason in ("Too short.", "Too long."):
        b.tick()
        answer = one.take()
        assert isinstance(answer, Answer)
        one.again(answer, reason)
    b.tick()
    answer = one.take()
    assert isinstance(answer, Answer)
    one.record_use(answer)
    told = [(e.data["attempt"], e.data.get("refused")) for e in b.told("answered")]
    assert told == [(1, "Too short."), (2, "Too long."), (3, None)]
    assert [e.data["name"] for e in b.told("asked")] == ["Talk"] * 3
    assert one.why == "no valid answer came; attempt 1: Too short. attempt 2: Too long."


def test_what_an_answer_took_is_in_the_journal(tmp_path: Path) -> None:
    b, one = asking(tmp_path, ["{}"])
    one.record_use(Answer("{}", "m@1", 10, 2, 0.001, 0.25, ("429",)))
    (told,) = b.told("answered")
    numbers = {"input_tokens": 10, "output_tokens": 2, "cost": 0.001, "seconds": 0.25}
    assert {name: told.data[name] for name in numbers} == numbers
    assert list(told.data["tries"]) == ["429"]  # type: ignore[arg-type]


def test_a_silent_model_is_told_once_until_it_answers_or_the_reason_is_another(
    tmp_path: Path,
) -> None:
    b, one = asking(tmp_path, ["{}"])
    for error in (Unavailable("down"), Unavailable("still"), LimitReached("spent")):
        one.record_failure(error)
    one.record_use(Answer("{}", "m@1"))
    one.record_failure(TimeoutError("no answer within 5 s"))
    lost = [(e.data["reason"], e.data["module"]) for e in b.told("model.lost")]
    assert lost == [
        ("down", "treec.ask.transport"),
        ("spent", "treec.ask.limits"),
        ("no answer within 5 s", "treec_asking.driver"),
    ]
    assert len(b.told("model.back")) == 1
    failed = [e for e in b.told("answered") if "failed" in e.data]
    assert len(failed) == 4
    assert all(e.data["module"] for e in failed)


def test_one_that_answered_in_prose_is_told_the_form(tmp_path: Path) -> None:
    b, one = asking(tmp_path, ["I would rest.", "{}"])
    b.tick()
    answer = one.take()
    assert isinstance(answer, Answer)
    one.again(answer, "it has no JSON object.")
    assert b.requests[1].messages[-1].content.endswith("that fits this JSON Schema: {}.")


def test_a_long_wrong_answer_is_kept_whole_and_repeated_in_part(tmp_path: Path) -> None:
    b, one = asking(tmp_path, ['{"a": "' + "x" * 10_000, "{}"])
    b.tick()
    answer = one.take()
    assert isinstance(answer, Answer)
    one.again(answer, "No.")
    assert len(str(b.told("answered")[0].data["text"])) > 10_000
    assert len(b.requests[1].messages[0].content) < 5000


def test_an_answer_beyond_all_bounds_is_none(tmp_path: Path) -> None:
    b, one = asking(tmp_path, ["x" * 1_000_001])
    b.tick()
    assert isinstance(one.take(), TooLarge)


def test_errors_are_told_by_field_and_reasons_may_be_missing() -> None:
    properties = {"reasoning": {"type": "string"}, "choose": {"enum": ["A", "B"]}}
    schema = object_schema(properties)
    assert read_answer(Answer('{"choose": "A"}', "x"), schema)["choose"] == "A"
    with pytest.raises(ValueError, match="'choose' must be one of A, B, not \"C\"") as error:
        read_answer(Answer('{"choose": "C", "sure": 1}', "x"), schema)
    assert "sure" not in str(error.value)


def test_who_waits_long_is_told_once_until_an_answer_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_status, "RealClock", VirtualClock)
    late = Scripted("{}", after=7.0)
    b, one = asking(tmp_path, [late, late, "{}"])
    b.pass_time(4.0)
    assert b.told("model.slow") == []
    b.pass_time(4.0)
    (told,) = b.told("model.slow")
    assert (told.t, told.data) == (5.0, {"node": "main/x", "seconds": 5.0})
    answer = one.take()
    assert isinstance(answer, Answer)
    one.again(answer, "No.")
    b.pass_time(8.0)
    assert len(b.told("model.slow")) == 2  # the model had answered in between


def test_on_virtual_time_nobody_is_told_of_waiting(tmp_path: Path) -> None:
    b, one = asking(tmp_path, [NEVER])
    b.pass_time(9.0)
    assert one.take() is None
    assert b.told("model.slow") == []


def test_an_answer_in_time_is_not_waited_for(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(model_status, "RealClock", VirtualClock)
    b, _ = asking(tmp_path, [Scripted("{}", after=1.0)])
    b.pass_time(9.0)
    assert b.told("model.slow") == []
