"""``treec hear``: what an utterance is heard as, by which template, and what is left over."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.cli.correct import require_correct

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from treec.files.entry import Entry
    from treec.files.library import Library
    from treec.files.prompts import ReadingFile
    from treec.files.view import View
    from treec.team.talk import TalkContext
    from treec_hearing.ear import Ear


SystemOption = Annotated[
    str | None, typer.Option("--system", help="System whose reading hears it.")
]


def command(
    words: Annotated[str, typer.Argument(help="What the person says.")],
    system: SystemOption = None,
    given: Annotated[
        str | None,
        typer.Option(
            "--given",
            help="The moment, as an example's `given`: a YAML file, or YAML itself "
            "(default: the beginning of a run).",
        ),
    ] = None,
    library: LibraryOption = None,
    output_format: FormatOption = OutputFormat.text,
) -> int:
    """Show what words are heard as, without a model. Exit status 1 if nothing is heard."""
    from treec.team.language import stop_words_of

    found = open_library(library)
    require_correct(found, status=2)
    view, entry = reading_of(found, system)
    context = _moment(view, entry, given)
    ear = ear_of_reading(view, entry)
    heard = ear.listen(words, context)
    acts = [
        {
            "kind": act.kind,
            "quote": heard.text[act.start : act.end],
            **act.fields,
            **({"template": act.template} if act.template else {"likely": act.likely}),
            "others": [{"kind": other.kind, **other.fields} for other in act.others],
        }
        for act in heard.acts
    ]
    strange = _for_strangers(view, ear, words, acts, context)
    acts = _in_time_order(ear, words, [one for one in acts if one not in strange], context)
    for stop in (
        stop_words_of(view).stop_acts(words, context.agents) if "stop" in entry.model.acts else ()
    ):
        if not any(act["kind"] == "stop" and act["agent"] == stop["agent"] for act in acts):
            acts.append({**stop, "template": "a plain stop, which needs no template", "others": []})
            heard = replace(heard, left_over=())
    if system is None:
        where = f"{entry.name} of the system '{view.system.name}'" if view.system else entry.name
        print(f"heard by {where}; another one: --system NAME", file=sys.stderr)
    left = [heard.text[first:last] for first, last in heard.left_over]
    left += [str(act["quote"]) for act in strange]
    back = [act.kind for act in heard.held_back]
    if output_format is OutputFormat.json:
        home = view.system.name if view.system else None
        data = {
            "system": home,
            "reading": entry.name,
            "acts": acts,
            "left_over": left,
            "held_back": back,
        }
        print(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        _print(acts, left, back)
    return 0 if acts else 1


def _in_time_order(
    ear: Ear, words: str, acts: Sequence[dict[str, object]], context: TalkContext
) -> list[dict[str, object]]:
    """The acts with what they wait for, as a reading takes them."""
    from treec_hearing.time_order import in_time_order

    own = [{"utterance": "", **act} for act in acts]
    found = in_time_order(ear, {"": words}, own, context).acts
    return [{name: value for name, value in act.items() if name != "utterance"} for act in found]


def _for_strangers(
    view: View, ear: Ear, words: str, acts: Sequence[dict[str, object]], context: TalkContext
) -> list[dict[str, object]]:
    """The orders that are said to somebody who is not here, as a reading leaves them out."""
    from functools import partial

    from treec.team.knowledge import knowledge_of
    from treec_hearing.licence import Licence, TalkBefore
    from treec_hearing.spoken_names import find_unknown_agents

    licence = Licence(ear, {"": words}, TalkBefore(context), None)
    find = partial(find_unknown_agents, knowledge_of(view))
    said = ({"utterance": "", **act} for act in acts)
    lost = (licence.strangers(one, find) and not licence.names_its_agent(one) for one in said)
    return [act for act, is_lost in zip(acts, lost, strict=True) if is_lost]


def _moment(view: View, entry: Entry[ReadingFile], given: str | None) -> TalkContext:
    """The beginning of a run, or the moment that is given. Raises Stop."""
    from treec.cli.basics import tool
    from treec.run.unbegun import run_of
    from treec_hearing.talk_context import talk_context

    if given is None:
        return talk_context(run_of(view).team, tuple(entry.model.acts))
    make_moment: Any = tool("talk_moment", "a moment cannot be made")
    try:
        found: TalkContext = make_moment(view, entry, given)
        return found
    except ValueError as error:
        raise Stop(f"--given: {error}") from None


def reading_of(
    library: Library, system: str | None, kinds: Collection[str] = ()
) -> tuple[View, Entry[ReadingFile]]:
    """The first reading with templates of the system, or of any, that declares the kinds of acts.

    Raises Stop.
    """
    from treec.api.errors import NotFound
    from treec.api.find import find_system
    from treec.files.view import View
    from treec_hearing.reading import hears

    try:
        homes = library.of_kind("system") if system is None else [find_system(library, system)]
    except NotFound as error:
        raise Stop(str(error)) from None
    lacking = ""
    for home in homes:
        view = View(library, home)
        for entry in filter(hears, view.all("reading").values()):
            missing = [kind for kind in kinds if kind not in entry.model.acts]
            if not missing:
                return view, entry
            lacking = lacking or f"'{entry.name}' has no acts of the kinds {', '.join(missing)}"
    of = f"the system '{system}'" if system else "this library"
    if lacking:
        raise Stop(f"no reading of {of} hears all that the phrases say: {lacking}")
    raise Stop(f"no reading of {of} has templates: add `hearing: Everyday_English` to one")


def ear_of_reading(view: View, entry: Entry[ReadingFile], with_network: bool = True) -> Ear:
    """The reading's ear. Raises Stop for what its files or its weights say wrong."""
    from treec_hearing.network_error import NetworkError
    from treec_hearing.reading import ear_of
    from treec_hearing.templates import TemplateError

    try:
        return ear_of(view, entry, with_network)
    except (NetworkError, TemplateError) as error:
        raise Stop(str(error)) from None


_ABOUT = ("kind", "quote", "template", "likely", "others")


def _print(acts: list[dict[str, Any]], left: list[str], back: list[str]) -> None:
    for act in acts:
        fields = {k: v for k, v in act.items() if k not in _ABOUT}
        print(f"{act['kind']} {_fields(fields)}".rstrip())
        print(f'    words     "{act["quote"]}"')
        if "template" in act:
            print(f"    template  {act['template']}")
        else:
            print(f"    network   likely: {act['likely']:.2f}")
        for other in act["others"]:
            rest = {name: value for name, value in other.items() if name != "kind"}
            print(f"    or        {other['kind']} {_fields(rest)}".rstrip())
    for words in left:
        print(f'not understood: "{words}"')
    for kind in back:
        print(f"not taken for an order or an answer, because of its sentence: {kind}")


def _fields(fields: dict[str, Any]) -> str:
    return ", ".join(f"{name}: {json.dumps(v, ensure_ascii=False)}" for name, v in fields.items())
