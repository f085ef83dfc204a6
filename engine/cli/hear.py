"""``treec hear``: what an utterance is heard as, by which template, and what is left over."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated, Any

import typer

from treec.cli.common import FormatOption, LibraryOption, OutputFormat, Stop, open_library
from treec.cli.snapshot import check

if TYPE_CHECKING:
    from treec.files.entry import Entry
    from treec.files.library import Library
    from treec.files.prompts import ReadingFile
    from treec.files.view import View


def command(
    words: Annotated[str, typer.Argument(help="What the person says.")],
    system: Annotated[
        str | None, typer.Option("--system", help="System whose reading hears it.")
    ] = None,
    library: LibraryOption = None,
    output_format: FormatOption = OutputFormat.text,
) -> int:
    """Show what words are heard as, without a model. Exit status 1 if nothing is heard."""
    from treec.conformance.orders import run_of
    from treec.hearing.reading import ear_of
    from treec.team.talk_context import talk_context

    found = open_library(library)
    check(found)
    view, entry = _reading(found, system)
    context = talk_context(run_of(view).team, tuple(entry.model.acts))
    heard = ear_of(view, entry).listen(words, context)
    acts = [
        {
            "kind": act.kind,
            "quote": heard.text[act.start : act.end],
            **act.fields,
            "template": act.template,
            "others": [{"kind": other.kind, **other.fields} for other in act.others],
        }
        for act in heard.acts
    ]
    left = [heard.text[first:last] for first, last in heard.left_over]
    back = [act.kind for act in heard.held_back]
    if output_format is OutputFormat.json:
        data = {"reading": entry.name, "acts": acts, "left_over": left, "held_back": back}
        print(json.dumps(data, indent=2, ensure_ascii=False))
    else:
        _print(acts, left, back)
    return 0 if acts else 1


def _reading(library: Library, system: str | None) -> tuple[View, Entry[ReadingFile]]:
    """The first reading with templates of the system, or of any."""
    from treec.api.errors import NotFound
    from treec.api.find import find_system
    from treec.files.view import View
    from treec.hearing.reading import hears

    try:
        homes = library.of_kind("system") if system is None else [find_system(library, system)]
    except NotFound as error:
        raise Stop(str(error)) from None
    for home in homes:
        view = View(library, home)
        for entry in view.all("reading").values():
            if hears(entry):
                return view, entry
    of = f"the system '{system}'" if system else "this library"
    raise Stop(f"no reading of {of} has templates: add `hearing: Everyday_English` to one")


def _print(acts: list[dict[str, Any]], left: list[str], back: list[str]) -> None:
    for act in acts:
        fields = {k: v for k, v in act.items() if k not in ("kind", "quote", "template", "others")}
        print(f"{act['kind']} {_fields(fields)}".rstrip())
        print(f'    words     "{act["quote"]}"')
        print(f"    template  {act['template']}")
        for other in act["others"]:
            rest = {name: value for name, value in other.items() if name != "kind"}
            print(f"    or        {other['kind']} {_fields(rest)}".rstrip())
    for words in left:
        print(f'not understood: "{words}"')
    for kind in back:
        print(f"not taken for an order or an answer, because of its sentence: {kind}")


def _fields(fields: dict[str, Any]) -> str:
    return ", ".join(f"{name}: {json.dumps(v, ensure_ascii=False)}" for name, v in fields.items())
