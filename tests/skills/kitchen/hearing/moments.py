"""What the parser makes of words in a moment of the corpus, in a line for each act."""

from __future__ import annotations

from typing import cast

from skills.kitchen.talk import read
from tests.talk.corpus import moment

Table = list[tuple[str, str, str]]


def heard(text: str, context: str) -> str:
    """The acts as "accept p1 p2; request R2 get salt", remarks left out beside others."""
    lines = list(dict.fromkeys(_line(act) for act in read(text, moment(context))))
    if len(lines) > 1:
        lines = [line for line in lines if line != "remark"]
    return "; ".join(sorted(lines))


def _line(act: dict[str, object]) -> str:
    words = [str(act["kind"])]
    for field in ("proposals", "subtasks"):
        words += cast("list[str]", act.get(field, []))
    if act["kind"] == "request":
        args = cast("dict[str, str]", act["args"])
        words += [str(act["agent"] or "anyone"), str(act["task"])]
        words += [args[name] for name in sorted(args)]
        words += ["first"] * bool(act["first"])
    elif act["kind"] in ("stop", "resume"):
        words.append(str(act["agent"] or "all"))
    elif act["kind"] == "choose":
        words.append(str(act["recipe"] or "none"))
    return " ".join(words)
