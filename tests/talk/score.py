"""How well the parser reads the corpus: `python -m tests.talk.score --help`.

A phrase is read right when the parser's acts equal one of its readings, by the corpus's own
conventions: order, quotes and what a question is about are not compared, remarks count only
where there is nothing else, and a yes to two proposals is two yeses to one each: nodes that act
on acts see the fields of a kind joined. Phrases of the held-back half are never printed.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from tests.talk.corpus import HERE, Act, Phrase, load, moment, split
from treec import TalkContext
from treec.skills.kitchen.talk import read

HARMFUL = ("accept", "stop", "request")
"""Kinds that set something going or end it: worse invented than missed."""
ROUNDS = HERE / "rounds"
_JOINED = frozenset({"accept", "decline", "done", "drop"})
Key = tuple[object, ...]
Parser = Callable[[str, TalkContext], list[dict[str, object]]]


@dataclass(frozen=True, slots=True)
class Judged:
    """A phrase, what the parser made of it, and whether that is one of its readings."""

    phrase: Phrase
    found: tuple[Key, ...]
    right: bool

    @property
    def harmful(self) -> tuple[str, ...]:
        """The harmful kinds that were found although no reading has them."""
        meant = {act.kind for reading in self.phrase.readings for act in reading}
        found = {str(key[0]) for key in self.found}
        return tuple(kind for kind in HARMFUL if kind in found - meant)


@dataclass(frozen=True, slots=True)
class Score:
    """What `judge` counts; the pairs are (right, of how many)."""

    half: str
    phrases: tuple[int, int]
    acts: tuple[int, int]
    themes: Mapping[str, tuple[int, int]]
    kinds: Mapping[str, tuple[int, int]]
    false_in_chat: Mapping[str, int]
    false_anywhere: Mapping[str, int]

    @property
    def share(self) -> float:
        """The share of phrases that are right."""
        return _share(self.phrases)


def _share(pair: tuple[int, int]) -> float:
    """A share; of nothing, nothing is wrong."""
    return pair[0] / pair[1] if pair[1] else 1.0


def judge(phrase: Phrase, parser: Parser = read) -> Judged:
    """Reads one phrase in its context and compares."""
    found = keys(_of_parser(act) for act in parser(phrase.text, moment(phrase.context)))
    return Judged(phrase, found, found in {keys(map(key, r)) for r in phrase.readings})


def score(
    half: str, parser: Parser = read, rounds: Collection[int] = (), folder: Path = ROUNDS
) -> tuple[Score, tuple[Judged, ...]]:
    """The score of a half, of these rounds (all, if none is said), and its phrases one by one."""
    phrases = [p for p in split(load(folder))[half] if not rounds or p.round in rounds]
    judged = tuple(judge(phrase, parser) for phrase in phrases)
    themes: dict[str, list[bool]] = {}
    kinds: dict[str, list[bool]] = {}
    for it in judged:
        themes.setdefault(it.phrase.theme, []).append(it.right)
        for one in _nearest(it):
            kinds.setdefault(str(one[0]), []).append(one in it.found)
    chat = Counter(kind for it in judged if it.phrase.theme == "chat" for kind in it.harmful)
    anywhere = Counter(kind for it in judged for kind in it.harmful)
    return Score(
        half,
        (sum(it.right for it in judged), len(judged)),
        (sum(sum(v) for v in kinds.values()), sum(len(v) for v in kinds.values())),
        {name: (sum(v), len(v)) for name, v in sorted(themes.items())},
        {name: (sum(v), len(v)) for name, v in sorted(kinds.items())},
        {kind: chat[kind] for kind in HARMFUL},
        {kind: anywhere[kind] for kind in HARMFUL},
    ), judged


def _nearest(it: Judged) -> tuple[Key, ...]:
    """The acts of the reading that the found ones come nearest to."""
    readings = [keys(map(key, reading)) for reading in it.phrase.readings]
    return min(readings, key=lambda reading: len(set(reading) ^ set(it.found)))


def keys(every: Iterable[Key]) -> tuple[Key, ...]:
    """In an order of their own, lists of one kind joined; a remark beside other acts left out."""
    several = set(every)
    if any(one != ("remark",) for one in several):
        several.discard(("remark",))
    joined: dict[object, dict[str, set[str]]] = {}
    for one in [one for one in several if one[0] in _JOINED]:
        several.discard(one)
        fields = cast("tuple[tuple[str, tuple[str, ...]], ...]", one[1:])
        for field, ids in fields:
            joined.setdefault(one[0], {}).setdefault(field, set()).update(ids)
    for kind, found in joined.items():
        several.add((kind, *((field, tuple(sorted(ids))) for field, ids in found.items())))
    return tuple(sorted(several, key=repr))


def key(act: Act) -> Key:
    """An act as it is compared."""
    fields = {name: value for name, value in act.fields.items() if name != "about"}
    return (act.kind, *sorted((name, _plain(value)) for name, value in fields.items()))


def _of_parser(act: Mapping[str, object]) -> Key:
    fields = {name: value for name, value in act.items() if name not in ("kind", "quote")}
    return key(Act(str(act["kind"]), fields))


def _plain(value: Any) -> object:
    if isinstance(value, Mapping):
        return tuple(sorted(value.items()))
    return tuple(sorted(value)) if isinstance(value, list | tuple) else value


def table(score: Score) -> str:
    """The score as text."""
    lines = [f"half: {score.half}"]
    pairs = [("phrases", score.phrases), ("acts", score.acts)]
    pairs += [(f"theme {name}", pair) for name, pair in score.themes.items()]
    pairs += [(f"kind {name}", pair) for name, pair in score.kinds.items()]
    lines += [f"{name:16} {a:4} of {b:4}  {100 * _share((a, b)):5.1f} %" for name, (a, b) in pairs]
    for name, counts in (("in chat", score.false_in_chat), ("anywhere", score.false_anywhere)):
        lines.append(f"false {name}: " + ", ".join(f"{k} {n}" for k, n in counts.items()))
    return "\n".join(lines)


def said(keys: Iterable[Key]) -> str:
    return "; ".join(" ".join(str(part) for part in key) for key in keys)


def _shown(judged: Iterable[Judged]) -> str:
    """What was read wrong; only ever of the seen half."""
    lines = []
    for it in judged:
        if not it.right:
            assert it.phrase.half == "seen"
            mark = "!! " if it.harmful else ""
            lines.append(f"{mark}[{it.phrase.theme}/{it.phrase.context}] {it.phrase.text!r}")
            lines.append(f"   found {said(it.found)}")
            lines += [f"   right {said(keys(map(key, r)))}" for r in it.phrase.readings[:2]]
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the score of one half or both."""
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--round", type=int, action="append", default=[])
    options.add_argument("--folder", type=Path, default=ROUNDS, help="rounds of another place")
    options.add_argument("--half", choices=("seen", "held_back"))
    options.add_argument("--show", action="store_true", help="what was read wrong; seen only")
    options.add_argument("--json", action="store_true")
    given = options.parse_args(arguments)
    if given.show and given.half != "seen":
        options.error("--show goes with --half seen only")
    halves = [given.half] if given.half else ["seen", "held_back"]
    results = [score(half, rounds=given.round, folder=given.folder) for half in halves]
    if given.json:
        print(json.dumps([_json(found) for found, _ in results], indent=1))
        return
    for found, judged in results:
        print(table(found))
        if given.show:
            print(_shown(judged))


def _json(found: Score) -> dict[str, object]:
    return {name: getattr(found, name) for name in Score.__slots__}


if __name__ == "__main__":
    main()
