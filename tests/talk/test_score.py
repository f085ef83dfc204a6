"""What the parser reaches on phrases that nobody made it with. Only numbers, never a phrase."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.talk.corpus import load, split
from tests.talk.score import ROUNDS, judge, main, score, table
from treec import TalkContext

# The goal is 95 % of acts and nothing false in chat. Rounds 10 and 14 are the figures to report: of
# the kitchen that treec ships; round 14 was scored once before what is learned came: 95.9 % then.
# The totals of the others were read while the parser was made, their phrases never; they are of
# the corpus' first kitchen. docs/parser.md has the table; the command measures it anew.
REACHED = {1: 0.92, 3: 0.95, 4: 0.95, 7: 0.95, 10: 0.915, 14: 0.96}
FALSE_IN_CHAT = {
    1: {"accept": 2, "stop": 1, "request": 0},
    3: {"accept": 0, "stop": 0, "request": 0},
    4: {"accept": 0, "stop": 0, "request": 0},
    7: {"accept": 1, "stop": 0, "request": 0},
    10: {"accept": 0, "stop": 0, "request": 0},
    14: {"accept": 0, "stop": 0, "request": 0},
}
FEW = """\
- {id: a, context: salad_start, person: child, text: "Yes please", acts: [ACCEPT]}
- {id: b, context: salad_start, person: child, text: "What lovely weather", acts: [REMARK]}
""".replace("ACCEPT", "{kind: accept, proposals: [p1, p2]}").replace("REMARK", "{kind: remark}")


@pytest.mark.slow
@pytest.mark.parametrize("number", sorted(REACHED))
def test_held_back_phrases_are_read_right_as_often_as_stated(number: int) -> None:
    found = score("held_back", rounds=[number])[0]
    right, total = found.acts
    assert right / total >= REACHED[number]
    stated = FALSE_IN_CHAT[number]
    assert not {kind: n for kind, n in found.false_in_chat.items() if n > stated[kind]}


@pytest.mark.slow
def test_chat_of_the_seen_half_sets_nothing_going() -> None:
    chat = [phrase for phrase in split(load(ROUNDS))["seen"] if phrase.theme == "chat"]
    assert [one.phrase.text for one in map(judge, chat) if one.harmful] == []


def test_the_command_prints_what_was_read_right(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "2").mkdir()  # an open round: all of it is seen
    (tmp_path / "2" / "chat.yaml").write_text(FEW, "utf-8")
    main(["--half", "seen", "--folder", str(tmp_path), "--show"])
    out = capsys.readouterr().out
    assert "phrases" in out
    assert "2 of    2  100.0 %" in out
    assert "false in chat: accept 0, stop 0, request 0" in out


def test_a_parser_that_hears_remarks_alone_is_right_in_chat_alone() -> None:
    def deaf(text: str, context: TalkContext) -> list[dict[str, object]]:
        return [{"kind": "remark", "quote": text}]

    found, _ = score("seen", deaf)
    right, total = found.themes["chat"]
    assert right > 0.98 * total  # some chat is a question
    assert {kind for kind, (right, _) in found.kinds.items() if right} == {"remark"}


def test_a_half_without_phrases_has_a_score(tmp_path: Path) -> None:
    (tmp_path / "1").mkdir()
    found, judged = score("seen", folder=tmp_path)
    assert (found.share, judged) == (1.0, ())
    assert "phrases" in table(found)


def test_held_back_phrases_are_not_shown(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["--half", "held_back", "--show"])
    capsys.readouterr()
