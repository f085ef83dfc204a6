"""Sentence template that cannot be heard.

A reading's `hears` and the shared file that `hearing` names hold sentence templates for its kinds
of acts: [optional], (one|or another), {slot}, <rule>. A slot is a field of the act, a known name
(agent, task, subtasks, proposals, recipe) or a type with a name for an argument: {Crate:crate}.
In a shared file that no reading of the library uses, fields and kinds of acts are not known: there
only rules, `careful`, and slots that are nearly a known name are checked.

Wrong, where no rule and no field has these names:

    hears:
      report: ["<polite> tell me about {palce}"]

Right:

    hears:
      report: ["[please] tell me about {place}"]
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from treec.check.base import all_entries, entries, once
from treec.check.environments import world
from treec.check.example_data import data_misfits
from treec.check.names import TypeEnvironment
from treec.check.unreadable import unreadable_kinds
from treec.files.entry import AnyEntry
from treec.files.hearing import HearingFile, Hears, SaidForm, SentenceTemplate
from treec.files.library import Library
from treec.files.types import read_type
from treec.files.view import View
from treec.source.diagnostics import Diagnostic, did_you_mean, likely_meant, suggestion
from treec_hearing.heard import SCORED_KINDS
from treec_hearing.reading import weights_of

CODE = "TC421"
Acts = Mapping[str, Mapping[str, str]]
_WORD = re.compile(r"[a-z']+")
FORM = "a template is words with [optional], (one|or another), {slot} and <rule>"


def check(view: View) -> Iterator[Diagnostic]:
    """Report unknown hearing files and kinds, and templates that cannot be read."""
    for entry in entries(view, "reading"):
        if entry.model.hears or entry.model.hearing:
            yield from _of_reading(view, entry)
    for entry in entries(view, "hearing"):
        yield from _of_file(view, entry)
        weights = weights_of(view.library, entry)
        is_own = ":" not in (entry.model.network or "")
        if weights is not None and is_own and view.library.leads_out(weights):
            message = f"'{entry.model.network}' leads out of the library"
            help = "put the file into the library"
            yield Diagnostic(CODE, "error", entry.span("network"), message, help)
        elif weights is not None and not weights.is_file():
            where = f"in {weights.parent}" if ":" in entry.model.network else "beside this one"
            message = f"no file {weights.name} {where}"
            help = "experiments.hearing.train writes it; without `network` templates alone hear"
            yield Diagnostic(CODE, "error", entry.span("network"), message, help)


def _of_reading(view: View, entry: AnyEntry) -> Iterator[Diagnostic]:
    model = entry.model
    shared = view.find("hearing", model.hearing) if model.hearing else None
    if model.hearing and shared is None:
        help = suggestion(model.hearing, view.all("hearing"), "hearings")
        message = f"unknown hearing '{model.hearing}'"
        yield Diagnostic(CODE, "error", entry.span("hearing"), message, help)
        return
    if model.parser is not None:
        span, message = entry.span("parser"), "a reading has a parser or templates, not both"
        yield Diagnostic(CODE, "error", span, message, "remove one of them")
    for kind in model.hears:
        if kind not in model.acts:
            span, help = (
                entry.span("hears", kind, key=True),
                suggestion(kind, model.acts, "its acts"),
            )
            message = f"unknown act '{kind}' of this reading"
            yield Diagnostic(CODE, "error", span, message, help)
    yield from _of_templates(view.library, entry, shared)
    env = world(view)
    for of in (entry, shared):
        if of is not None:
            yield from _fixed_fields(env, model.acts, of)


@once
def _of_templates(
    library: Library, entry: AnyEntry, shared: AnyEntry | None
) -> Iterator[Diagnostic]:
    """Report templates of a reading, and of the file that it shares, that cannot be read."""
    from treec_hearing.templates import template_errors  # only where there are templates

    acts, file = entry.model.acts, shared.model if shared is not None else None
    for of in filter(None, (entry, shared)):
        for kind, number, why in template_errors(acts, of.model.hears, file):
            yield Diagnostic(CODE, "error", of.span("hears", kind, number), why, FORM)
    if shared is not None and file is not None:
        for kind, number, why in template_errors(acts, file.own_words, file):
            yield Diagnostic(CODE, "error", shared.span("own_words", kind, number), why, FORM)


def _fixed_fields(env: TypeEnvironment, acts: Acts, entry: AnyEntry) -> Iterator[Diagnostic]:
    """Report values of `fields` that the act's fields cannot have."""
    for kind, templates in entry.model.hears.items():
        for number, one in enumerate(templates):
            for name, value in one.fields.items() if isinstance(one, SaidForm) else ():
                if name not in acts.get(kind, {}):  # reported with its template
                    continue
                for item in data_misfits(env, read_type(acts[kind][name]), value):
                    loc = ("hears", kind, number, "fields", name, *item.loc)
                    span = entry.span(*loc, key=item.key)
                    yield Diagnostic(CODE, "error", span, item.message, item.help)


def _of_file(view: View, entry: AnyEntry) -> Iterator[Diagnostic]:
    """What is wrong with a hearing file whatever readings use it."""
    unreadable = _of_rules(view.library, entry)
    yield from unreadable
    if unreadable:
        return
    readings = [
        one.model for one in all_entries(view, "reading") if one.model.hearing == entry.name
    ]
    known = {kind for reading in readings for kind in reading.acts}
    yield from _of_other_kinds(view.library, entry, frozenset(known))
    for kind in entry.model.hears:
        meant = did_you_mean(kind, known.difference(entry.model.hears))
        if kind not in known and kind not in SCORED_KINDS and meant:
            message = f"unknown act '{kind}': no reading that uses this file has it"
            span = entry.span("hears", kind, key=True)
            yield Diagnostic(CODE, "error", span, message, f"did you mean '{meant}'?")
    for key in ("careful", "careful_after", "own_words"):
        for number, kind in enumerate(getattr(entry.model, key)):
            number = kind if key == "own_words" else number
            if kind not in entry.model.hears and kind not in known:
                message = f"unknown act '{kind}' of this file and of the readings that use it"
                help = suggestion(kind, [*entry.model.hears, *known], "acts")
                yield Diagnostic(CODE, "error", entry.span(key, number), message, help)
    yield from _words(view, entry)


@once
def _of_rules(library: Library, entry: AnyEntry) -> Iterator[Diagnostic]:
    from treec_hearing.templates import rule_errors

    for name, why in rule_errors(entry.model):
        yield Diagnostic(CODE, "error", entry.span("rules", name), why, FORM)


@once
def _of_other_kinds(
    library: Library, entry: AnyEntry, known: frozenset[str]
) -> Iterator[Diagnostic]:
    """Report templates of kinds that no reading with the file declares."""
    from treec_hearing.templates import template_errors

    others = {kind: said for kind, said in entry.model.hears.items() if kind not in known}
    acts = _likely_acts(entry.model, others)
    for kind, number, why in template_errors(acts, others, entry.model):
        yield Diagnostic(CODE, "error", entry.span("hears", kind, number), why, FORM)


def _words(view: View, entry: AnyEntry) -> Iterator[Diagnostic]:
    """Report words of tasks that no task has, and polite words without guard or word of an act."""
    file: HearingFile = entry.model
    if "task" not in unreadable_kinds(view.library):
        says = " ".join(text for it in all_entries(view, "task") for text in it.model.says)
        words = set(_WORD.findall(says))
        for number, wish in enumerate(file.wishes):
            meant = None if wish in words else likely_meant(wish, sorted(words))
            if meant:
                span, message = entry.span("wishes", number), f"no task says '{wish}'"
                yield Diagnostic(CODE, "error", span, message, f"did you mean '{meant}'?")
    unmeant = (word for words in file.unmeant.values() for word in words)
    guards = [f" {guard} " for guard in (*file.guards, *unmeant)]
    said = [text for texts in file.own_words.values() for text in texts]
    acting = set(_WORD.findall(" ".join([*said, *file.rules.values()] if said else said)))
    for number, polite in enumerate(file.polite):
        acts = not acting.isdisjoint(polite.split())
        if guards and not acts and not any(guard in f" {polite} " for guard in guards):
            message = f"'{polite}' contains no guard and no word of an act, so it has no effect"
            help = "a polite is words around a guard, or one of `unmeant`: if you could"
            yield Diagnostic(CODE, "warning", entry.span("polite", number), message, help)


def _likely_acts(file: HearingFile, hears: Hears) -> dict[str, dict[str, str]]:
    """Kinds of acts that no reading declares, with the fields that their templates give them.

    A slot is none if it is nearly one that every kind has.
    """
    from treec_hearing.templates import SLOTS, TEXT

    templates = [text for kind in hears.values() for one in kind for text in _templates(one)]
    used = re.findall(r"\{(?:\w+:)?(\w+)\}", " ".join([*file.rules.values(), *templates]))
    given = [
        name
        for kind in hears.values()
        for one in kind
        if isinstance(one, SaidForm)
        for name in one.fields
    ]
    slots = [slot for slot in used if slot not in SLOTS and did_you_mean(slot, SLOTS) is None]
    return {kind: dict.fromkeys([*given, *slots], TEXT) for kind in hears}


def _templates(one: SentenceTemplate) -> list[str]:
    says = one.says if isinstance(one, SaidForm) else one
    return [says] if isinstance(says, str) else says
