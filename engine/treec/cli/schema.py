"""``treec schema``: JSON Schemas for editors."""

from __future__ import annotations

from typing import Annotated

import typer

from treec.cli.common import LibraryOption, Stop, open_library


def command(
    kind: Annotated[
        str | None, typer.Argument(help="Kind of file whose schema is printed.")
    ] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Write all schemas, and settings for VS Code.")
    ] = False,
    library: LibraryOption = None,
) -> int:
    """Write JSON Schemas for editors, or print one.

    There is one for each kind of file, and `journal` for the records of a run's journal.
    """
    import json

    from treec.files.kinds import MODELS
    from treec.files.schema import FOLDER, schema_of, write_schemas
    from treec.source.diagnostics import unknown
    from treec.world.schema import journal_schema

    if write:
        root = open_library(library, or_none=True).root
        try:
            paths = write_schemas(root)
        except ValueError as error:
            raise Stop(str(error)) from None
        journal = root / FOLDER / "journal.schema.json"
        text = json.dumps(journal_schema(), indent=1, ensure_ascii=False) + "\n"
        journal.write_text(text, "utf-8")
        for path in (*paths, journal):
            print(path.relative_to(root))
        return 0
    if kind is None:
        kinds = ", ".join((*MODELS, "journal"))
        raise Stop(f"specify a kind ({kinds}), or write all schemas with --write")
    if kind == "journal":
        print(json.dumps(journal_schema(), indent=2, ensure_ascii=False))
        return 0
    if kind not in MODELS:
        raise Stop(unknown("kind", kind, (*MODELS, "journal")))
    print(json.dumps(schema_of(kind), indent=2, ensure_ascii=False))
    return 0
