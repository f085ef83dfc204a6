"""``treec packs``: list installed packs and what they contain."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import FormatOption, OutputFormat, Stop

if TYPE_CHECKING:
    from treec.files.entry import AnyEntry
    from treec.files.library import Library
    from treec.files.packs import Pack


def command(
    name: Annotated[str | None, typer.Argument(help="Show only this pack, with its parts.")] = None,
    output_format: FormatOption = OutputFormat.text,
) -> int:
    """List installed packs and what they contain.

    A system's 'uses:' can name a pack or a part of one; 'treec run' runs a pack's systems anywhere.
    """
    import json

    from treec.files.packs import PackError, find_pack, pack_names

    found: list[dict[str, object]] = []
    for pack in pack_names() if name is None else (name,):
        try:
            found.append(_describe(find_pack(pack), parts=name is not None))
        except PackError as error:
            if name is not None:
                raise Stop(
                    f"{error.message}; {error.help}" if error.help else error.message
                ) from None
            found.append({"pack": pack, "problem": error.message})
    if output_format is OutputFormat.json:
        print(json.dumps(found if name is None else found[0], indent=2, ensure_ascii=False))
    elif found:
        print("\n\n".join(_text(one) for one in found))
    else:
        print("no packs are installed")
    return 0


def _describe(pack: Pack, *, parts: bool) -> dict[str, object]:
    from treec.files.library import load_library
    from treec.files.templates import templates_of

    library = load_library(pack.root)
    entries = [entry for entry in library.entries if library.pack_of(entry.path) is None]
    systems = sorted(
        (entry for entry in entries if entry.kind == "system"), key=lambda entry: entry.name
    )
    about: dict[str, object] = {
        "pack": pack.name,
        "version": pack.version,
        "about": pack.about,
        "distribution": pack.distribution,
        "folder": str(pack.root),
        "systems": {entry.name: entry.model.about for entry in systems},
        "templates": [template.name for template in templates_of(pack)],
        "holds": _count_kinds(entries),
    }
    if parts:
        about["parts"] = {
            f"{pack.name}/{part}": {
                "about": spec.about,
                "folders": spec.folders,
                "holds": _count_kinds(_inside(library, spec.folders)),
            }
            for part, spec in pack.parts.items()
        }
    else:
        about["parts"] = [f"{pack.name}/{part}" for part in pack.parts]
    return about


def _inside(library: Library, folders: list[str]) -> list[AnyEntry]:
    found = library.inside(folder.strip("/") for folder in folders)
    return [entry for entry in found if entry.kind not in ("system", "scenario")]


def _count_kinds(entries: list[AnyEntry]) -> dict[str, int]:
    from treec.files.kinds import MODELS

    count = Counter(entry.kind for entry in entries)
    return {kind: count[kind] for kind in MODELS if count[kind]}


def _text(pack: dict[str, object]) -> str:
    if "problem" in pack:
        return f"{pack['pack']}: {pack['problem']}"
    lines = [f"{pack['pack']} {pack['version']}: {pack['about'] or 'no description'}"]
    folder = Path(str(pack["folder"]))
    lines.append(f"  from       {pack['distribution']}, in {folder}")
    lines.append(f"  holds      {_format_counts(pack['holds'])}")
    systems, parts = pack["systems"], pack["parts"]
    assert isinstance(systems, dict)
    if isinstance(parts, dict):
        lines += _table("systems", [(name, str(about)) for name, about in systems.items()])
        rows = [(name, _part(about)) for name, about in parts.items()]
        lines += _table("parts, for 'uses:'", rows)
        templates = pack["templates"]
        assert isinstance(templates, list)
        lines += _table("templates, for 'treec init'", [(str(name), "") for name in templates])
    else:
        assert isinstance(parts, list)
        lines.append(f"  systems    {', '.join(systems) or 'none'}")
        lines.append(f"  parts      {', '.join(parts) or 'none'}")
    return "\n".join(lines)


def _part(about: dict[str, object]) -> str:
    held = _format_counts(about["holds"])
    return f"{about['about']} ({held})" if about["about"] else held


def _table(title: str, rows: list[tuple[str, str]]) -> list[str]:
    if not rows:
        return []
    width = max(len(name) for name, _ in rows)
    return ["", f"{title}:", *(f"  {name:<{width}}  {about}".rstrip() for name, about in rows)]


def _format_counts(counts: object) -> str:
    assert isinstance(counts, dict)
    parts = (f"{n} {kind if n == 1 else _plural(kind)}" for kind, n in counts.items())
    return ", ".join(parts) or "nothing"


def _plural(kind: str) -> str:
    return f"{kind[:-1]}ies" if kind.endswith("y") else f"{kind}s"
