"""Whom a stop is meant for that does not name all whom it is for.

A stop that names nobody is for the robots that are named beside it: "R1, wait, don't move" stops R1
alone. Words for all ("everybody") and a name that nobody has ("R3") stop everybody: whoever was
meant must not be left running. Robots that are named together stop together ("R1 and R2, stop");
those that are left out go on ("stop all but R2").
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from treec.team.stop_words import STOP
from treec_hearing.heard import FoundAct
from treec_hearing.mentions import Mentions


def addressed(
    acts: Sequence[FoundAct], mentions: Mentions, idle: Collection[str]
) -> tuple[FoundAct, ...]:
    """The acts, with each stop given to whom it is meant for.

    Where the sentence of a stop names no robot it is for those that the other sentences stop.
    ``idle`` are words that say nothing.
    """
    stops = [act for act in acts if act.kind == STOP and "agent" in act.fields]
    named = [act.fields["agent"] for act in stops if act.fields["agent"] is not None]
    found: list[FoundAct] = []
    stopped: list[object] = []
    for act in acts:
        if act not in stops:
            found.append(act)
            continue
        sentence = mentions.sentence_of(act.start)
        to: list[object] = [act.fields["agent"]]
        if spared := _spared(sentence, mentions):
            robots = (agent.name for agent in mentions.context.agents if not agent.person)
            to = [name for name in robots if name not in spared]
        elif to == [None] and not _means_everybody(sentence, mentions):
            to = [name for at in sentence for _, name in mentions.find("Robot", at)] or named or to
        elif to != [None]:
            to += _named_with(str(to[0]), sentence, mentions, idle)
        for name in dict.fromkeys(to):
            if name not in stopped:
                stopped.append(name)
                found.append(replace(act, fields={**act.fields, "agent": name}))
    return tuple(found)


def _means_everybody(sentence: Sequence[int], mentions: Mentions) -> bool:
    """Whether words for all, or a name that nobody has, stand in a sentence."""
    every = any(number == 0 for at in sentence for _, number in mentions.numbers(at))
    return every or any(mentions.find("Stranger", at) for at in sentence)


def _spared(sentence: Sequence[int], mentions: Mentions) -> set[str]:
    """The robots that a stop of all leaves out: "everybody except R2, stop"."""
    after = (end for at in sentence for end in mentions.exceptions(at))
    return {
        robot
        for begin in after
        for at in range(begin, mentions.clause_end(begin))
        for robot in _robots([at], mentions).values()
    }


def _named_with(
    name: str, sentence: Sequence[int], mentions: Mentions, idle: Collection[str]
) -> Iterator[str]:
    """The robots in the list of names in which a robot stands: "R1 and R2, stop".

    A clause next to it that is a name and words that say nothing belongs to the list.
    """
    language = mentions.lexicon.language
    listing = language.file.listing
    clauses: list[list[int]] = []
    for at in sentence:
        if not clauses or mentions.words[at].breaks or mentions.words[at].text in listing:
            clauses.append([])
        clauses[-1].append(at)
    robots = [_robots(clause, mentions) for clause in clauses]
    own = next((n for n, found in enumerate(robots) if name in found.values()), None)
    for way in (-1, 1):
        n = len(clauses) if own is None else own + way
        while 0 <= n < len(clauses):
            rest = {mentions.words[at].text for at in clauses[n] if at not in robots[n]}
            if not rest <= {*idle, *language.stop_words.beside, *listing} or not (
                robots[n] or rest
            ):
                break
            yield from robots[n].values()
            n += way


def _robots(clause: Sequence[int], mentions: Mentions) -> dict[int, str]:
    """The words that are a robot's name, and whose."""
    return {
        word: str(robot)
        for at in clause
        for end, robot in mentions.find("Robot", at)[:1]
        for word in range(at, end)
    }
