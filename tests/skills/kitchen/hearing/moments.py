"""What the grammar makes of words in a moment of the corpus, in a line for each act."""

from __future__ import annotations

from typing import cast

from tests.talk.corpus import moment
from treec.skills.kitchen.hearing.act_selection import weigh
from treec.skills.kitchen.hearing.acts import HeardAct
from treec.skills.kitchen.hearing.reader import Reader

Table = list[tuple[str, str, str]]


def heard(text: str, context: str) -> str:
    """The acts as "accept p1 p2; request R2 get salt", remarks left out beside others."""
    reader = Reader(moment(context))
    lines = {_line(act) for act in weigh(reader.read(text), reader.refs)}
    if len(lines) > 1:
        lines.discard("remark")
    return "; ".join(sorted(lines))


def _line(act: HeardAct) -> str:
    words = [act.kind]
    for field in ("proposals", "subtasks"):
        words += cast("list[str]", act.fields.get(field, []))
    if act.kind == "request":
        args = cast("dict[str, str]", act.fields["args"])
        words += [str(act.fields["agent"] or "anyone"), str(act.fields["task"])]
        words += [args[name] for name in sorted(args)]
        words += ["first"] * bool(act.fields["first"])
    elif act.kind in ("stop", "resume"):
        words.append(str(act.fields["agent"] or "all"))
    elif act.kind == "choose":
        words.append(str(act.fields["recipe"] or "none"))
    return " ".join(words)
