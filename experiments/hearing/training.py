"""Fitting the network to labelled phrases, with torch; `network.py` runs what comes out.

Each candidate is a yes or a no; of several right readings the nearest one counts. Phrases of one
moment are also joined in pairs, which teaches where one act ends, and orders are put into sentences
that mean them or do not. The same files, seed and number of threads give the same weights on one
machine.
"""

from __future__ import annotations

import json
import math
import random
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, product
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from experiments.hearing.phrases import Frames, Meaning, Phrase, meaning
from treec.atomic import atomic_writer
from treec.team.talk import TalkContext
from treec_hearing.candidates import Candidate
from treec_hearing.ear import Ear
from treec_hearing.encoder import WordEncoder
from treec_hearing.network import (
    FLAGS,
    HEADS,
    MARKS,
    TRIGRAMS,
    EncodedWords,
    network_input,
    signs_of,
    trigrams,
)

WORD, STATE, WIDE = 64, 64, 96
"""Size of a word, of the GRU's state in one direction, of what a candidate is summed up in."""
BATCH = 48
RATE = 3e-3
_READINGS = 24
_RARE = 2
_ORDERS = frozenset({"accept", "choose", "request", "resume", "stop"})
_DOING = "ing"
_SLOT = re.compile(r"<(\w+)>")
_JOINTS = (". ", ", ", " and ", "! ", " but ")
Target = tuple[tuple[bool, ...], tuple[bool, ...]]
"""Which candidates are meant, and which of them first."""


@dataclass(frozen=True, slots=True)
class Example:
    """A phrase as the network sees it, and the candidates that each right reading has."""

    words: EncodedWords
    candidates: tuple[Candidate, ...]
    targets: tuple[Target, ...]
    counts: frozenset[str] | None = None
    """Kinds of candidates that are learned from; all where it is None."""


def example(ear: Ear, text: str, moment: TalkContext, readings: Sequence[Meaning]) -> Example:
    """What is learned from a phrase; of its readings those that the candidates come nearest to."""
    encoded, found = network_input(ear, text, moment)
    acts = [next(iter(meaning([{**one.fields, "kind": one.kind}]))) for one in found]
    first = [(*act[:-1], True) if act[0] == "request" else act for act in acts]
    missing = [len(reading - {*acts, *first}) for reading in readings]
    targets = [
        (
            tuple(
                act in reading or other in reading for act, other in zip(acts, first, strict=True)
            ),
            tuple(
                other in reading and act != other for act, other in zip(acts, first, strict=True)
            ),
        )
        for reading, lost in zip(readings, missing, strict=True)
        if lost == min(missing)
    ]
    return Example(encoded, tuple(found), tuple(dict.fromkeys(targets))[:_READINGS])


def joined(
    ear: Ear, phrases: Sequence[Phrase], count: int, chance: random.Random
) -> Iterator[Example]:
    """Pairs of phrases of one moment that do not speak of the same objects."""
    by_moment: dict[int, list[Phrase]] = {}
    for phrase in phrases:
        if len(phrase.text) < 70:
            by_moment.setdefault(id(phrase.moment), []).append(phrase)
    pairs = [of for of in by_moment.values() if len(of) > 1]
    weights = [len(of) for of in pairs]
    draws = 100 * count  # there may be no such pair
    while count > 0 and pairs and draws > 0:
        draws -= 1
        one, other = chance.sample(chance.choices(pairs, weights)[0], 2)
        objects = [{act[1:] for reading in it.readings for act in reading} for it in (one, other)]
        if objects[0] & objects[1]:
            continue
        count -= 1
        joint = chance.choice(_JOINTS)
        text = one.text if joint in (". ", "! ") else one.text.rstrip(".!? ")
        text = (
            f"{text.rstrip('.! ')}{joint}{other.text}"
            if text[-1:] != "?"
            else f"{text} {other.text}"
        )
        both = islice(product(one.readings[:4], other.readings[:4]), _READINGS)
        yield example(ear, text, one.moment, [a | b for a, b in both])


def framed(
    ear: Ear, moments: Sequence[TalkContext], frames: Frames, count: int, chance: random.Random
) -> Iterator[Example]:
    """Orders that the moments allow in such sentences, two that are not meant to one that is.

    Of a sentence in which nothing is meant only orders and answers are learned: it may well be a
    report, a question or a no.
    """
    usable = [
        one
        for one in moments
        if one.tasks and one.objects and not all(agent.person for agent in one.agents)
    ]
    for number in range(count if usable else 0):
        moment = chance.choice(usable)
        is_meant = number % 3 == 2
        frame = chance.choice(frames.meant if is_meant else frames.unmeant)
        task = chance.choice(moment.tasks)
        args = {
            name: chance.choice([one.name for one in moment.objects if type_ in one.types] or [""])
            for name, type_ in task.args.items()
        }
        robot = chance.choice([agent for agent in moment.agents if not agent.person]).name
        says = chance.choice(task.says)
        said = set(_SLOT.findall(says))
        if not all(args.get(name) for name in said):
            continue
        order = _SLOT.sub(lambda slot, args=args: f"the {args[slot[1]]}", says)  # type: ignore[misc]
        verb, _, rest = order.partition(" ")
        ing = sorted(form for form in ear.language.forms(verb) if form.endswith(_DOING))
        text = frame.format(
            order=order,
            doing=f"{ing[0] if ing else verb} {rest}".strip(),
            thing=chance.choice([*filter(None, args.values())] or [moment.objects[0].name]),
            robot=robot,
        )
        reading: Meaning = frozenset()
        if is_meant:
            agent = robot if "{robot}" in frame else None
            given = tuple(sorted((name, args[name]) for name in said))
            reading = frozenset({("request", agent, task.name, given, False)})
        made = example(ear, text, moment, [reading])
        if not is_meant:
            yield replace(made, counts=_ORDERS)
        elif any(any(target[0]) for target in made.targets):
            yield made


class Tables:
    """The words and signs that the network knows."""

    def __init__(self, examples: Sequence[Example], encoder: WordEncoder | None = None) -> None:
        words = Counter(word for one in examples for word in one.words.words)
        signs = Counter(sign for one in examples for c in one.candidates for sign in signs_of(c))
        kept = [word for word, count in sorted(words.items()) if count >= _RARE]
        self.words = ["<unknown>", *dict.fromkeys(["[verb]", *kept])]
        self.signs = [sign for sign, count in sorted(signs.items()) if count > _RARE]
        self.encoder = encoder
        self._vectors: dict[tuple[str, ...], Tensor] = {}
        self.word = {word: number for number, word in enumerate(self.words)}
        self.sign = {sign: number for number, sign in enumerate(self.signs)}

    def vectors(self, words: tuple[str, ...]) -> Tensor:
        """What the encoder gives for words, worked out once."""
        assert self.encoder is not None
        if words not in self._vectors:
            self._vectors[words] = torch.from_numpy(self.encoder(words)).half()
        return self._vectors[words]


@dataclass(frozen=True, slots=True)
class Batch:
    """Examples side by side; shorter ones are filled up, which `there` and `is_one` tell."""

    words: Tensor
    parts: Tensor
    flags: Tensor
    there: Tensor
    is_one: Tensor
    marks: Tensor
    signs: Tensor
    vectors: Tensor
    """What the encoder gives for each word; of size 0 without one."""


def batch(examples: Sequence[Example], tables: Tables, drop: float, chance: random.Random) -> Batch:
    """A batch; with `drop`, that share of verbs, words and signs is hidden."""
    count = len(examples)
    length = max(len(one.words.words) for one in examples)
    most = max(len(one.candidates) for one in examples)
    pieces = max(len(trigrams(word)) for one in examples for word in one.words.words)
    longest = max((len(c.signs) for one in examples for c in one.candidates), default=0) + 1
    made = Batch(
        torch.zeros(count, length, dtype=torch.long),
        torch.full((count, length, max(pieces, 1)), TRIGRAMS),
        torch.zeros(count, length, FLAGS, dtype=torch.long),
        torch.zeros(count, length, dtype=torch.bool),
        torch.zeros(count, most, dtype=torch.bool),
        torch.zeros(count, most, length, MARKS),
        torch.full((count, most, longest), len(tables.signs)),
        torch.zeros(count, length, tables.encoder.size if tables.encoder else 0),
    )
    for row, one in enumerate(examples):
        size = len(one.words.words)
        made.there[row, :size] = True
        made.flags[row, :size] = torch.tensor(one.words.flags)
        if tables.encoder is not None:
            made.vectors[row, :size] = tables.vectors(one.words.words).float()
        for at, word in enumerate(one.words.words):
            if at and one.words.flags[at][1] and chance.random() < drop:
                word = "[verb]"
            hidden = chance.random() < drop / 4
            made.words[row, at] = 0 if hidden else tables.word.get(word, 0)
            if these := trigrams(word):
                made.parts[row, at, : len(these)] = torch.tensor(these)
        made.is_one[row, : len(one.candidates)] = True
        for number, candidate in enumerate(one.candidates):
            for at, mark in candidate.marks:
                made.marks[row, number, at + 1, mark] = 1
            known = [tables.sign[sign] for sign in signs_of(candidate) if sign in tables.sign]
            known = known[:1] + [sign for sign in known[1:] if chance.random() >= drop * 2 / 3]
            made.signs[row, number, : len(known)] = torch.tensor(known)
    return made


class HearingModel(nn.Module):
    """The network of `network.py`, to be fitted."""

    def __init__(self, tables: Tables) -> None:
        super().__init__()
        self.tables = tables
        self.word = nn.Embedding(len(tables.words), WORD)
        self.part = nn.EmbeddingBag(TRIGRAMS + 1, WORD, mode="sum", padding_idx=TRIGRAMS)
        self.flag = nn.Embedding(FLAGS * 4, WORD)
        size = tables.encoder.size if tables.encoder is not None else 0
        self.under = nn.Linear(size, WORD, bias=False) if size else None
        self.sign = nn.EmbeddingBag(
            len(tables.signs) + 1, WIDE, mode="sum", padding_idx=len(tables.signs)
        )
        nn.init.normal_(self.word.weight, 0, 0.3)
        nn.init.normal_(self.part.weight, 0, 0.1)
        nn.init.normal_(self.sign.weight, 0, 0.1)
        self.context = nn.GRU(WORD, STATE, batch_first=True, bidirectional=True)
        self.over_words = nn.Conv1d(2 * STATE, WIDE, 3, padding=1)
        self.over_marks = nn.Conv1d(MARKS, WIDE, 3, padding=1, bias=False)
        self.query = nn.Linear(WIDE, WIDE)
        self.join = nn.Linear(3 * WIDE + 2 * STATE, WIDE)
        self.compare = nn.Linear(WIDE, 3 * WIDE)
        self.compared = nn.Linear(WIDE, WIDE)
        self.last = nn.Linear(WIDE, WIDE)
        self.out = nn.Linear(WIDE, 2)
        self.dropout = nn.Dropout(0.3)

    def forward(self, given: Batch) -> Tensor:
        """The logits of (meant, first) of each candidate: (examples, candidates, 2)."""
        count, length = given.words.shape
        x = self.word(given.words)
        x = x + self.part(given.parts.view(count * length, -1)).view(count, length, -1)
        x = x + self.flag(given.flags + 4 * torch.arange(FLAGS)).sum(2)
        if self.under is not None:
            x = x + self.under(given.vectors)
        packed = nn.utils.rnn.pack_padded_sequence(
            self.dropout(x), given.there.sum(1), batch_first=True, enforce_sorted=False
        )
        hidden, _ = nn.utils.rnn.pad_packed_sequence(
            self.context(packed)[0], batch_first=True, total_length=length
        )
        hidden = self.dropout(hidden)
        absent = ~given.there[:, :, None]
        whole = hidden.masked_fill(absent, -1e4).max(1)[0]
        row, column = given.is_one.nonzero(as_tuple=True)
        seen = self.over_words(hidden.transpose(1, 2))[row]
        seen = seen + self.over_marks(given.marks[row, column].transpose(1, 2))
        seen = F.relu(seen).transpose(1, 2)
        signs = self.sign(given.signs[row, column])
        weight = (seen * self.query(signs)[:, None]).sum(2) / math.sqrt(WIDE)
        weight = weight.masked_fill(absent[row, :, 0], -1e4).softmax(1)
        pooled = (weight[:, :, None] * seen).sum(1)
        most = seen.masked_fill(absent[row], 0).max(1)[0]
        values = torch.cat([pooled, most, signs, whole[row]], 1)
        values = F.relu(self.join(self.dropout(values)))
        every = values.new_zeros(*given.is_one.shape, WIDE)
        every[row, column] = values
        every = every + self._others(self.dropout(every), given.is_one)
        every = every + F.relu(self.last(self.dropout(every)))
        logits: Tensor = self.out(self.dropout(every))
        return logits

    def _others(self, every: Tensor, is_one: Tensor) -> Tensor:
        count, most, _ = every.shape
        parts = self.compare(every).view(count, most, 3, HEADS, -1)
        query, key, value = parts.permute(2, 0, 3, 1, 4)
        near = query @ key.transpose(2, 3) / math.sqrt(WIDE / HEADS)
        near = near.masked_fill(~is_one[:, None, None, :], -1e4).softmax(-1)
        mixed: Tensor = self.compared((near @ value).transpose(1, 2).reshape(count, most, -1))
        return mixed

    def write(self, path: Path, about: dict[str, object]) -> None:
        """Write the weights as `network.py` reads them."""
        given = self.state_dict()
        found = {
            "words": given["word.weight"],
            "trigrams": given["part.weight"][:-1],
            "flags": given["flag.weight"].view(FLAGS, 4, WORD),
            "signs": given["sign.weight"][:-1],
            "words.conv": given["over_words.weight"].permute(2, 1, 0).reshape(-1, WIDE),
            "marks.conv": given["over_marks.weight"].permute(2, 1, 0).reshape(-1, WIDE),
            "conv.bias": given["over_words.bias"],
        }
        for way, ending in (("forward", ""), ("backward", "_reverse")):
            for name, short in (("ih", "in"), ("hh", "recur")):
                found[f"{way}.{short}"] = given[f"context.weight_{name}_l0{ending}"].T
                found[f"{way}.{short}.bias"] = given[f"context.bias_{name}_l0{ending}"]
        for name in ("query", "join", "compare", "compared", "last", "out"):
            found[name] = given[f"{name}.weight"].T
            found[f"{name}.bias"] = given[f"{name}.bias"]
        if self.under is not None:
            found["encoder"] = given["under.weight"].T
        about = {**about, "words": self.tables.words, "signs": self.tables.signs}
        arrays = {
            name: value.contiguous().numpy().astype(np.float16) for name, value in found.items()
        }
        text = np.frombuffer(json.dumps(about, sort_keys=True).encode(), np.uint8)
        with atomic_writer(path, sync=True) as file:
            np.savez_compressed(file, about=text, **arrays)


def loss_of(logits: Tensor, examples: Sequence[Example]) -> Tensor:
    """The mean over examples of what their nearest reading costs."""
    total = logits.new_zeros(())
    for row, one in enumerate(examples):
        own = logits[row, : len(one.candidates)]
        meant = torch.tensor([target[0] for target in one.targets], dtype=torch.float)
        first = torch.tensor([target[1] for target in one.targets], dtype=torch.float)
        spread = own[None].expand(len(one.targets), -1, -1)
        cost = F.binary_cross_entropy_with_logits(spread[:, :, 0], meant, reduction="none")
        if one.counts is not None:
            counted = torch.tensor([c.kind in one.counts for c in one.candidates])
            cost = cost * counted
        cost = cost.sum(1)
        later = F.binary_cross_entropy_with_logits(spread[:, :, 1], first, reduction="none")
        total = total - torch.logsumexp(-(cost + (later * meant).sum(1)), 0)
    return total / len(examples)


def fit(
    examples: Sequence[Example],
    epochs: int,
    seed: int,
    progress: Callable[[int, float], None],
    encoder: WordEncoder | None = None,
) -> HearingModel:
    """A model fitted to the examples; `progress` is told each epoch and its mean loss.

    With an `encoder` its vectors of words are added to the model's own. Raises ValueError without
    an example that has candidates.
    """
    torch.manual_seed(seed)
    chance = random.Random(seed)
    some = [one for one in examples if one.candidates]
    if not some:
        raise ValueError("no phrases to learn from")
    model = HearingModel(Tables(some, encoder))
    optimizer = torch.optim.AdamW(model.parameters(), RATE, weight_decay=0.02)
    steps = epochs * math.ceil(len(some) / BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, steps)
    for epoch in range(1, epochs + 1):
        model.train()
        total = 0.0
        keys = {id(one): (len(one.candidates) // 6, chance.random()) for one in some}
        order = sorted(some, key=lambda one: keys[id(one)])
        batches = [order[at : at + BATCH] for at in range(0, len(order), BATCH)]
        chance.shuffle(batches)
        for these in batches:
            loss = loss_of(model(batch(these, model.tables, 0.15, chance)), these)
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            optimizer.step()
            schedule.step()
            total += float(loss.detach())
        progress(epoch, total / len(batches))
    return model.eval()
