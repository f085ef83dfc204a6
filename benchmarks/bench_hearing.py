"""What it costs to hear an utterance: by templates, with the network, by hassil's recognizer."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from itertools import islice, product

from hassil import Intents, recognize_all
from hassil.intents import SlotList, TextSlotList, WildcardSlotList

from benchmarks.process import ROOT
from benchmarks.table import Cell, Table
from experiments.hearing.phrases import Phrase, load_phrases
from treec.files.hearing import HearingFile, SaidForm
from treec.files.library import load_library
from treec.files.view import View
from treec.team.talk import TalkContext
from treec_hearing.ear import Ear
from treec_hearing.reading import ear_of
from treec_hearing.templates import SLOTS

MOST_OF_A_TASK = 400
"""Sentences that one task's words and things give hassil at most."""


def run(small: bool) -> list[Table]:
    """Phrases of the kitchen's corpus, heard one after the other."""
    every = load_phrases(ROOT / "experiments/corpora/kitchen")
    phrases = [one for one in every if one.round in ("10", "14") and not one.held_back]
    phrases = phrases[:: 80 if small else 8]
    library = load_library(ROOT)
    view = View(library, library.find("system", "mosaic"))
    entry = view.all("reading")["Kitchen_Talk"]
    templates, both = ear_of(view, entry, with_network=False), ear_of(view, entry)
    own = {**{kind: list(said) for kind, said in templates.language.file.hears.items()}}
    rows = [row("templates", phrases, lambda p: is_explained(templates, p))]
    if both.network is not None:
        rows.append(row("templates and network", phrases, lambda p: bool(heard(both, p))))
    recognizer = Recognizer(templates.language.file, own)
    rows.append(row("hassil's recognizer, the shared templates", phrases, recognizer.explains))
    return [
        Table(
            "Hearing an utterance",
            ("", "phrases", "explained", "median, ms", "worst, ms"),
            rows,
            (
                "Open phrases of rounds 10 and 14. Explained: templates cover every word; with the "
                "network, an act or more is heard; hassil gives a result for the whole sentence. "
                "hassil's lists hold the moment's names, and each task with its things; it hears "
                "one act of a sentence.",
            ),
        )
    ]


def row(
    name: str, phrases: Sequence[Phrase], explains: Callable[[Phrase], bool]
) -> tuple[Cell, ...]:
    """Times of all phrases, after each was heard once."""
    found = [explains(phrase) for phrase in phrases]
    times = []
    for phrase in phrases:
        begun = time.perf_counter()
        explains(phrase)
        times.append(1000 * (time.perf_counter() - begun))
    return name, len(phrases), sum(found), statistics.median(times), max(times)


def heard(ear: Ear, phrase: Phrase) -> list[dict[str, object]]:
    """The acts but remarks."""
    return [act for act in ear(phrase.text, phrase.moment) if act["kind"] != "remark"]


def is_explained(ear: Ear, phrase: Phrase) -> bool:
    """Whether templates cover every word."""
    found = ear.listen(phrase.text, phrase.moment)
    return bool(found.acts) and not found.left_over


class Recognizer:
    """hassil's own recognizer with the shared templates, and lists that a moment fills."""

    def __init__(self, file: HearingFile, hears: dict[str, list[str | SaidForm]]) -> None:
        sentences = {
            kind: [text for one in items for text in _texts(one)] for kind, items in hears.items()
        }
        data = {
            "language": "en",
            "intents": {kind: {"data": [{"sentences": of}]} for kind, of in sentences.items()},
            "expansion_rules": file.rules,
            "skip_words": [*file.fillers],
        }
        self.intents = Intents.from_dict(data)
        self._lists: dict[int, dict[str, SlotList]] = {}

    def explains(self, phrase: Phrase) -> bool:
        """Whether the whole sentence has a result."""
        lists = self._lists.get(id(phrase.moment))
        if lists is None:
            lists = self._lists[id(phrase.moment)] = slot_lists(phrase.moment)
        text = phrase.text.rstrip(".!?")
        return next(iter(recognize_all(text, self.intents, slot_lists=lists)), None) is not None


def slot_lists(moment: TalkContext) -> dict[str, SlotList]:
    """The names of a moment as hassil takes them."""

    def names(of: Sequence[str]) -> TextSlotList:
        return TextSlotList.from_tuples([(name, name) for name in of] or [("-", "-")], False)

    agents = [said for agent in moment.agents for said in (agent.name, *agent.also)]
    robots = [said for a in moment.agents if not a.person for said in (a.name, *a.also)]
    subtasks = [subtask.words for subtask in moment.subtasks]
    lists: dict[str, SlotList] = {
        **{name: names([]) for name in SLOTS},
        "agent": names([*agents, "i", "me"]),
        "robot": names(robots),
        "task": names([*_tasks(moment)]),
        "recipe": names(moment.recipes),
        "proposals": names([*(p.words for p in moment.proposals), *agents]),
        "proposed": names(["it", "that", "this"]),
        "text": WildcardSlotList("text"),
    }
    return lists | {name: names(subtasks) for name in ("subtasks", "held", "work", "finished")}


def _tasks(moment: TalkContext) -> Iterator[str]:
    """Every task with every fitting thing: `chop the onions`."""
    for task in moment.tasks:
        things = [
            [one.name for one in moment.objects if kind in one.types] for kind in task.args.values()
        ]
        for says in task.says:
            for chosen in islice(product(*things), MOST_OF_A_TASK):
                text = says
                for name, thing in zip(task.args, chosen, strict=True):
                    text = text.replace(f"<{name}>", f"the {thing}")
                yield text


def _texts(one: str | SaidForm) -> list[str]:
    if isinstance(one, str):
        return [one]
    return [one.says] if isinstance(one.says, str) else one.says
