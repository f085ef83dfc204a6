"""How steadily the parser reads: `python -m tests.talk.vary --help`.

A seen phrase that is read right is said a little differently (`tests.talk.changes`), with its
meaning as it is, or two short ones of one moment are said in a breath; then it is read again. What
is counted is how often it is still right, and what is done that nobody meant. Nobody wrote these
phrases: such a figure says how a reading hangs on small things, not how often people are
understood. Held-back phrases are never used.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from tests.talk.changes import CHANGES, OFTEN, kinds
from tests.talk.corpus import Act, Phrase, load, moment, split
from tests.talk.score import ROUNDS, Judged, judge, key, keys, said

JOINTS = (". ", ", ", " and ", " and then ", " but ", " also ")
PAIRS = 400
"""Pairs of two phrases for each joint."""
_POINTS = re.compile(
    r"\b(?:it|that|this|them|those|these|they|one|ones|rest|other|others|both|all|first|second|last|"
    r"same|too|also|instead|later|then|everything|everyone|next|only|just|else|everybody|either|"
    r"neither|again|before|after|when|while|if|and|but|or|because|so|once|until|not now|latter|"
    r"former|another|your|you|whole|lot|any|anything|nothing|none|nobody|each|swap|myself|him|her|"
    r"not yet|sec|moment|minute|lemme|idea|plan)\b|[\"“:;(?.!—–…-].*\w|,",
    re.I,
)
_THINGS = re.compile(
    r"\b(?:pepper|ranch|sauce|dressing|lettuce|bowl|pot|tomato(?:es)?|stock|broth|onions?|cream|"
    r"salt|yogh?urt|banana|bananas|ladle|spoon|salad|soup|arm|robots?|R1|R2|mobile|leaves|stir\w*|"
    r"chop\w*|slic\w+|wash\w*|pour\w*|greens|bot|machine|wheels)\b",
    re.I,
)
_WHO = re.compile(r"\b(?:arm|robots?|R1|R2|mobile|bot|machine|wheels|guys|mate)\b", re.I)
_TOGETHER = frozenset(
    frozenset(pair.split())
    for pair in (
        "done request", "done", "done stop", "done ask", "request", "request ask", "request stop",
        "request drop", "request decline", "done drop", "done decline", "stop ask", "resume done",
        "resume request", "accept request", "accept done", "accept ask", "decline ask", "drop ask",
        "accept decline", "stop drop", "resume ask", "drop",
    )
)  # fmt: skip
_BARE = frozenset({"accept", "decline", "resume", "stop"})


@dataclass(frozen=True, slots=True)
class Varied:
    """A phrase, how it was changed, and what became of its reading."""

    change: str
    origin: str
    judged: Judged


def right_ones(every: int = 1, rounds: Collection[int] = ()) -> tuple[Phrase, ...]:
    """The seen phrases that are read right as they stand: each, or of so many one, of rounds."""
    seen = [p for p in split(load(ROUNDS))["seen"] if not rounds or p.round in rounds]
    return tuple(p for p in seen[::every] if judge(p).right)


def varied(phrases: Sequence[Phrase], names: Sequence[str], seed: int = 1) -> Iterator[Varied]:
    """Each phrase in each change that fits it, and pairs of them."""
    for name in names:
        if name in CHANGES:
            for phrase in phrases:
                rng = random.Random(f"{seed} {name} {phrase.id}")
                made = [CHANGES[name](phrase, rng) for _ in range(OFTEN.get(name, 1))]
                for changed in {one.text: one for one in made if one is not None}.values():
                    yield Varied(name, phrase.text, judge(changed))
    for joint in JOINTS:
        if f"pair{joint.rstrip()}" in names:
            for one in pairs(phrases, joint, seed):
                yield Varied(f"pair{joint.rstrip()}", "", judge(one))


def pairs(phrases: Sequence[Phrase], joint: str, seed: int) -> Iterator[Phrase]:
    """Two short phrases of one moment in a breath, which neither contradict nor point."""
    short = [p for p in phrases if _short(p)]
    moments: dict[str, list[Phrase]] = defaultdict(list)
    for phrase in short:
        moments[phrase.context].append(phrase)
    rng, made, tried = random.Random(f"{seed} {joint}"), 0, 0
    while made < PAIRS and tried < PAIRS * 200 and short:
        tried += 1
        one = rng.choice(short)
        two = rng.choice(moments[one.context])
        if _fit(one, two, joint):
            made += 1
            head = one.text.rstrip(" .!")
            tail = two.text if joint == ". " or re.match(r"(?:I|R\d)\b", two.text) else (
                two.text[:1].lower() + two.text[1:])  # fmt: skip
            readings = tuple((*a, *b) for a in one.readings for b in two.readings)
            yield Phrase(f"{one.id}+{two.id}", "mixed", one.context, one.person,
                         head + joint + tail, readings)  # fmt: skip


def _short(phrase: Phrase) -> bool:
    """One act, in few words, which point to nothing."""
    acts = phrase.readings[0]
    text = phrase.text.rstrip(" .!?")
    first = any(act.fields.get("first") for act in acts)
    known = len(acts) == 1 and acts[0].kind not in ("remark", "choose") and not first
    plain = "remark" not in kinds(phrase) and not _POINTS.search(text)
    return known and plain and len(text.split()) < 9


def _fit(one: Phrase, two: Phrase, joint: str) -> bool:
    """Whether two phrases may be said in a breath, each meaning what it means alone."""
    (first,), (second,) = one.readings[0], two.readings[0]
    names = ({w.lower().rstrip("s") for w in _THINGS.findall(p.text)} for p in (one, two))
    common = set.intersection(*names)
    kinds_ = frozenset((first.kind, second.kind))
    if kinds_ not in _TOGETHER or common or _subtasks(one) & _subtasks(two):
        return False
    nameless = not _THINGS.search(two.text)
    if second.kind in _BARE and nameless:
        return False  # an answer behind something else may be to that
    if first.kind in _BARE - {"resume"} and not _THINGS.search(one.text):
        # a bare answer is to all, and a bare halt before an order is no halt
        return joint == ". " and second.kind == "ask"
    who = _WHO.search(one.text)
    if who and second.kind in ("request", "stop", "resume") and not _WHO.search(two.text):
        return bool(re.match(r"I\b|(?:can|could|will|would) (?:some|any)", two.text))
    if "?" in one.text:
        return joint == "? "
    if second.kind == "ask" and joint not in (". ", ", ", " and "):
        return False
    alike = first.kind == second.kind
    return joint != " but " or not alike


def _subtasks(phrase: Phrase) -> set[object]:
    """What a phrase's acts are about: subtasks by id."""
    proposed = {p.id: p.subtask for p in moment(phrase.context).proposals}
    found: set[object] = set()
    for act in (act for reading in phrase.readings for act in reading):
        found |= {proposed[id] for id in act.fields.get("proposals", ())}
        found |= set(act.fields.get("subtasks", ()))
        found |= _done_by(act)
    return found


def _done_by(act: Act) -> set[object]:
    values = act.fields.get("args", {}).values()
    return {f"{act.fields['task']} {value}" for value in values} if act.kind == "request" else set()


def table(found: Sequence[Varied]) -> str:
    """How many are still read right, by change."""
    lines = []
    for name in [*dict.fromkeys(it.change for it in found), "all"]:
        those = [it.judged for it in found if name in (it.change, "all")]
        right = sum(it.right for it in those)
        harm = Counter(kind for it in those for kind in it.harmful)
        share = 100 * right / max(1, len(those))
        false = ", ".join(f"{kind} {n}" for kind, n in sorted(harm.items())) or "none"
        lines.append(f"{name:16} {right:5} of {len(those):5}  {share:5.1f} %  false: {false}")
    return "\n".join(lines)


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints how many changed phrases are still read right."""
    every = [*CHANGES, *(f"pair{joint.rstrip()}" for joint in JOINTS)]
    options = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    options.add_argument("--change", action="append", choices=every, metavar="NAME",
                         help=f"one of {', '.join(every)}; all without it")  # fmt: skip
    options.add_argument("--seed", type=int, default=1)
    options.add_argument("--show", action="store_true", help="what is read otherwise")
    given = options.parse_args(arguments)
    found: list[Varied] = []
    phrases = right_ones()
    for name in given.change or every:
        found += varied(phrases, [name], given.seed)
        if sys.stderr.isatty():
            print(f"\r{len(found)} read, {name:20}", end="", file=sys.stderr, flush=True)
    print(table(found))
    for it in found if given.show else ():
        if not it.judged.right:
            phrase = it.judged.phrase
            mark = "!! " if it.judged.harmful else ""
            print(f"{mark}{it.change} [{phrase.context}] {phrase.text!r}  ({it.origin})")
            print(f"   found {said(it.judged.found)}")
            print(f"   right {said(keys(map(key, phrase.readings[0])))}")


if __name__ == "__main__":
    main()
