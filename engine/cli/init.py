"""``treec init``: a folder of one's own that checks, runs and has tests."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import Stop


def command(
    folder: Annotated[Path, typer.Argument(help="The new folder; its name is the library's.")],
    template: Annotated[
        str, typer.Option("--from", help="A template, or PACK/TEMPLATE; 'list' shows them.")
    ] = "empty",
) -> int:
    """Make a new library from a template."""
    from treec.files.library import NoLibrary, find_root
    from treec.files.templates import NoTemplate, all_templates, find_template

    if template == "list":
        for one in all_templates():
            print(f"{one.name:<12} {one.about}".rstrip())
        return 0
    try:
        chosen = find_template(template)
        written = chosen.copy(folder)
    except NoTemplate as error:
        raise Stop(str(error)) from None
    print(f"{folder}: {len(written)} files from the template '{chosen.name}'")
    try:
        above = find_root(folder.resolve().parent)
        print(f"note: it lies inside the library {above}, which does not read it")
    except NoLibrary:
        pass
    system = next((path for path in written if path.name.endswith(".system.yaml")), None)
    scenario = next((path for path in written if path.name.endswith(".scenario.yaml")), None)
    print("\nnext:")
    print(f"  cd {shlex.quote(str(folder))}")
    print("  treec check")
    if system is not None and scenario is not None:
        names = system.name.split(".")[0], scenario.name.split(".")[0]
        print(f"  treec run {names[0]} --scenario {names[1]}")
        task = re.search(r"^task: (.+)$", scenario.read_text("utf-8"), re.MULTILINE)
        print(f"  treec run {names[0]} " + (f"--task {shlex.quote(task[1])}" if task else "--chat"))
    print("  python -m pytest")
    return 0
