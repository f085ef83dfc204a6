"""Kinds of sentences, each in many wordings: what the shipped reading hears in them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from experiments import corpora
from experiments.hearing.phrases import LOADER, Meaning, Phrase, load_phrases, meaning
from tests.systems.mosaic.table import Table, library
from treec.files.view import View
from treec_hearing.ear import Ear
from treec_hearing.reading import ear_of

HERE = Path(__file__).parent
MOMENTS = HERE.parents[3] / "experiments/corpora/kitchen/shipped.moments.jsonl.xz"


@dataclass(frozen=True, slots=True)
class DishWish:
    """An opening sentence, and the dish that it sets; '' for none."""

    id: str
    text: str
    sets: str

    @property
    def wrong(self) -> str:
        """What was set instead; '' if it is as it should be."""
        table = Table(self.text)
        found = str(table.run.world.state["recipe"])
        return "" if found == self.sets else f"{self.text!r} sets {found or 'nothing'!r}"


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence in a moment, and the meanings that are right."""

    phrase: Phrase

    @property
    def id(self) -> str:
        """Its kind and number."""
        return self.phrase.id

    @property
    def text(self) -> str:
        """What is said."""
        return self.phrase.text

    @property
    def wrong(self) -> str:
        """What was heard instead; '' if it is as it should be."""
        found = heard(self.phrase)
        is_right = found in self.phrase.readings
        return "" if is_right else f"{self.phrase.text!r} is {sorted(found, key=str)}"


def heard(phrase: Phrase) -> Meaning:
    """What the shipped reading hears; a release counts as an act of its own."""
    text, moment = phrase.text, phrase.moment
    acts = ear().language.stop_words.stop_acts(text, moment.agents) or ear()(text, moment)
    released = (act for act in acts if act["kind"] == "release")
    return meaning(acts) | {("release", *act["subtasks"]) for act in released}


@cache
def ear() -> Ear:
    """That of the shipped kitchen, with its network."""
    view = View(library(), library().find("system", "mosaic"))
    entry = view.find("reading", "Kitchen_Talk")
    assert entry is not None
    return ear_of(view, entry)


def sentences(name: str) -> Iterator[Sentence | DishWish]:
    """Those of a file here."""
    data = yaml.load((HERE / name).read_text("utf-8"), LOADER)
    (world,) = corpora.read(MOMENTS)
    said: Sequence[Mapping[str, Any]] = data["phrases"]
    for key in ("words", "contexts"):
        world[key] = {**world[key], **data.get(key, {})}
    world["phrases"] = [one for one in said if "acts" in one]
    with TemporaryDirectory() as folder:
        path = Path(folder) / name
        path.write_text(yaml.safe_dump(world), "utf-8")
        yield from map(Sentence, load_phrases(path))
    for one in said:
        if "sets" in one:
            yield DishWish(one["id"], one["text"], one["sets"])
