import pytest

from treec.ask.asker import deliver_answer
from treec.ask.transport import (
    NEVER,
    Answer,
    Request,
    Scripted,
    ScriptedTransport,
    TransportError,
)
from treec.world.clock import VirtualClock
from treec.world.inbox import Inbox
from treec_asking.driver import SteppedAsker


def request(node: str = "Execution", attempt: int = 1) -> Request:
    return Request(node, "decision", (), {}, {}, attempt)


def ask(transport: ScriptedTransport, *requests: Request) -> list[Answer | Exception]:
    clock = VirtualClock()
    inbox = Inbox(clock)
    asker = SteppedAsker(transport, clock, inbox)
    got: list[Answer | Exception] = []
    for one in requests:
        asker.start(one, got.append)
    for message in inbox.drain():
        deliver_answer(message)
    return got


def test_answers_come_in_order_for_each_node() -> None:
    transport = ScriptedTransport({"a": ["one", {"choose": "é"}], "b": ["three"]})
    got = ask(transport, request("a"), request("b"), request("a"))
    assert [answer.text for answer in got if isinstance(answer, Answer)] == [
        "one",
        "three",
        '{"choose": "é"}',
    ]
    assert [one.node for one in transport.requests] == ["a", "b", "a"]
    assert transport.unused() == {}


def test_a_list_that_has_run_out_is_an_error_that_names_the_node() -> None:
    got = ask(ScriptedTransport({"a": ["one"]}), request("a"), request("a"))
    assert isinstance(got[1], TransportError)
    assert str(got[1]) == "a asked 2 times, but 1 are scripted"


def test_the_default_answers_when_a_list_has_run_out() -> None:
    got = ask(ScriptedTransport({"a": ["one"]}, default="no"), *[request("a")] * 3)
    assert got == [Answer("one", "scripted"), Answer("no", "scripted"), Answer("no", "scripted")]


def test_an_exception_is_raised() -> None:
    error = TransportError("down")
    assert ask(ScriptedTransport({"a": [error]}), request("a")) == [error]


def test_an_answer_may_never_come() -> None:
    assert ask(ScriptedTransport({"a": [NEVER]}), request("a")) == []


def test_what_was_not_asked_for_is_told() -> None:
    transport = ScriptedTransport({"a": ["one", "two"], "b": ["x"]})
    ask(transport, request("a"))
    assert transport.unused() == {"a": 1, "b": 1}


def test_an_answer_that_takes_time_needs_a_clock() -> None:
    with pytest.raises(ValueError, match="needs a clock"):
        ScriptedTransport({"a": [Scripted("one", after=2.0)]})


def test_a_lone_text_is_not_a_list_of_answers() -> None:
    with pytest.raises(TypeError, match="must be a list"):
        ScriptedTransport({"a": "one"})
