"""A conversation of any length: what is said now costs nothing of what was said before."""

from __future__ import annotations

from typing import ClassVar

import pytest

from treec.team.conversation import MAX_TEXTS, Conversation
from treec.team.state import UtteranceState
from treec.world.persistent import PersistentMap

PEOPLE = ("user",)


class Words(str):
    """A text that counts how often texts are looked into."""

    looked: ClassVar[int] = 0

    def lower(self) -> str:
        """Count, and do as texts do."""
        Words.looked += 1
        return super().lower()


@pytest.fixture
def long() -> Conversation:
    """A thousand utterances, the last of them by the assistant."""
    Words.looked = 0
    stored: PersistentMap[str, UtteranceState] = PersistentMap()
    for number in range(1000):
        who = "assistant" if number % 2 else "user"
        heard = UtteranceState(who, Words(f"Words {number}"), float(number), True, True)
        stored = stored.set(f"u{number}", heard)
    return Conversation(stored, PEOPLE)


def say(talk: Conversation, text: str, who: str = "user", read: bool = False) -> Conversation:
    id = f"u{len(talk.utterances)}"
    stored = talk.stored
    assert isinstance(stored, PersistentMap)
    new = UtteranceState(who, Words(text), float(len(stored)), read, read)
    return talk.at(stored.set(id, new), PEOPLE)


def test_a_new_utterance_makes_no_list_of_the_others(long: Conversation) -> None:
    first = long.utterances["u0"]
    long.chat  # noqa: B018 (somebody has asked for it)
    talk = say(long, "Stop!")
    assert "chat" not in vars(talk)
    assert [u.text for u in talk.waiting] == ["Stop!"]
    assert talk.last_heard == "u1000"
    assert next(talk.backwards()).text == "Stop!"
    assert talk.utterances["u0"] is first
    assert talk.chat[-1].text == "Stop!"
    assert len(talk.chat) == 1001


def test_words_that_nobody_reads_do_not_make_the_next_ones_dearer(long: Conversation) -> None:
    talk = long
    for _ in range(100):
        talk = say(talk, "Hello?")
    assert not {"waiting", "unread", "chat"} & vars(talk).keys()
    assert len(talk.waiting) == len(talk.unread) == 100


def test_what_was_said_is_looked_through_once(long: Conversation) -> None:
    assert long.last_said("stop", by_people=True) is None
    assert Words.looked == 500
    talk = long
    for _ in range(10):
        talk = say(talk, "Nice weather", "assistant", read=True)
        assert talk.last_said("stop", by_people=True) is None
    assert Words.looked == 500  # the assistant's are not people's
    talk = say(talk, "STOP it")
    assert talk.last_said("stop", by_people=True) == 1010.0
    assert talk.last_said("stop", by_people=True) == 1010.0
    assert Words.looked == 501


def test_an_earlier_version_does_not_know_what_is_said_later(long: Conversation) -> None:
    talk = say(long, "Stop!")
    assert talk.last_said("stop", by_people=True) == 1000.0
    assert long.last_said("stop", by_people=True) is None
    assert talk.last_said("stop", by_people=True) == 1000.0


def test_texts_are_not_remembered_without_bound(long: Conversation) -> None:
    for number in range(MAX_TEXTS * 2):
        long.last_said(f"words {number} ", by_people=True)
    assert len(long._last_said) <= MAX_TEXTS
