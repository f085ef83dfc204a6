"""``treec schema``: JSON Schemas for editors."""

from __future__ import annotations

from typing import Annotated

import typer

from treec.cli.common import LibraryOption, Stop, open_library


def command(
    kind: Annotated[str | None, typer.Argument(help="Print the schema of this kind.")] = None,
    write: Annotated[
        bool, typer.Option("--write", help="Write all, and the editor's settings.")
    ] = False,
    library: LibraryOption = None,
) -> int:
    """Write the schemas that give editors completion and inline errors, or print one."""
    import json

    from treec.files.kinds import MODELS
    from treec.files.schema import schema_of, write_schemas
    from treec.source.diagnostics import did_you_mean

    if write:
        root = open_library(library).root
        try:
            paths = write_schemas(root)
        except ValueError as error:
            raise Stop(str(error)) from None
        for path in paths:
            print(path.relative_to(root))
        return 0
    if kind is None:
        raise Stop(f"name a kind ({', '.join(MODELS)}), or write them all with --write")
    if kind not in MODELS:
        near = did_you_mean(kind, MODELS)
        raise Stop(f"there is no kind '{kind}'" + (f": did you mean '{near}'?" if near else ""))
    print(json.dumps(schema_of(kind), indent=2, ensure_ascii=False))
    return 0
