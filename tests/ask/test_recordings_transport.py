from __future__ import annotations

import dataclasses
from pathlib import Path

import pytest

from treec.ask.transport import Answer, Message, Request, ScriptedTransport, Unavailable
from treec_models.fingerprint import FingerprintParts
from treec_testing.decisions.request_queue import run_sync
from treec_testing.recordings.recording import Recording, make_recording
from treec_testing.recordings.transport import NotRecorded, RecordedTransport, Recorder


def request(mood: str = "merry", head: str = "Choose exactly one.") -> Request:
    return Request(
        node="Choose",
        kind="decision",
        messages=(Message("system", head), Message("user", f"mood: {mood}")),
        schema={"type": "object"},
        observation={"mood": mood},
    )


def again(first: Request, answer: str, reason: str) -> Request:
    more = (Message("assistant", answer), Message("user", reason))
    return dataclasses.replace(first, messages=(*first.messages, *more), attempt=2)


def test_what_a_model_said_is_said_again(tmp_path: Path) -> None:
    model = ScriptedTransport({"Choose": ["hm", '{"choose": "Wave"}', '{"choose": "Rest"}']})
    recorder = Recorder(model)
    asked = [request(), again(request(), "hm", "No."), request("calm")]
    first = [run_sync(recorder.ask(one)) for one in asked]
    assert len(recorder.save(tmp_path)) == 2
    with RecordedTransport.of(tmp_path) as recordings:
        assert [run_sync(recordings.ask(one)) for one in asked] == first
        assert recordings.unused == []


def test_a_miss_names_the_nearest_and_shows_the_difference(tmp_path: Path) -> None:
    recorder = Recorder(ScriptedTransport({}, default='{"choose": "Wave"}'))
    for mood in ("merry", "calm"):
        run_sync(recorder.ask(request(mood)))
    recorder.save(tmp_path)
    recordings = RecordedTransport.of(tmp_path)
    with pytest.raises(NotRecorded) as missed:
        run_sync(recordings.ask(request("calm", "Choose just one.")))
    told = str(missed.value)
    assert "nearest is 'Choose/mood-calm-" in told
    assert "'exactly' → 'just'" in told
    assert len(recordings.unused) == 2


def test_a_miss_that_a_node_got_over_fails_the_test_all_the_same() -> None:
    def get_over_it(transport: RecordedTransport) -> None:
        try:
            run_sync(transport.ask(request()))
        except NotRecorded:
            return

    with pytest.raises(NotRecorded, match="nor any other of Choose"), RecordedTransport([]) as none:
        get_over_it(none)


def test_an_error_of_the_test_itself_is_not_hidden() -> None:
    def break_off(transport: RecordedTransport) -> None:
        with pytest.raises(NotRecorded), transport:
            run_sync(transport.ask(request()))
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError), RecordedTransport([]) as none:
        break_off(none)


def offline() -> Recording:
    question = FingerprintParts.of(request())
    return make_recording("Choose/x", question, "offline", {}, [], node="Choose", kind="decision")


def test_what_was_answered_offline_is_no_miss() -> None:
    with RecordedTransport([offline()]) as recordings:
        with pytest.raises(Unavailable, match="answered offline"):
            run_sync(recordings.ask(request()))
        assert recordings.unused == []


def test_two_answers_to_one_question_are_refused() -> None:
    recorder = Recorder(ScriptedTransport({}, default='{"choose": "Wave"}'))
    other = Recorder(ScriptedTransport({}, default='{"choose": "Rest"}'))
    run_sync(recorder.ask(request()))
    run_sync(other.ask(request()))
    with pytest.raises(ValueError, match="answer the same question differently"):
        RecordedTransport([*recorder.recordings(), *other.recordings()])


def test_keys_are_taken_out_of_what_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SOME_API_KEY", "correct-horse-battery")

    class Leaky:
        async def ask(self, request: Request) -> Answer:
            return Answer("my key is correct-horse-battery", "leaky@1")

    recorder = Recorder(Leaky())
    run_sync(recorder.ask(request()))
    assert recorder.recordings()[0].attempts[0].answer == "my key is [key]"
