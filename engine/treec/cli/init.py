"""``treec init``: create a library that checks, runs and has tests."""

from __future__ import annotations

import importlib.util
import re
import shlex
from pathlib import Path
from typing import Annotated

import typer

from treec.cli.common import Stop


def command(
    folder: Annotated[
        Path | None,
        typer.Argument(help="Folder to create; its name stands for 'my_robot' in the files."),
    ] = None,
    template: Annotated[
        str, typer.Option("--from", help="TEMPLATE or PACK/TEMPLATE; 'list' lists them.")
    ] = "empty",
) -> int:
    """Create a new library from a template."""
    from treec.files.library import NoLibrary, find_root
    from treec.files.templates import NoTemplate, all_templates, find_template, library_name

    if template == "list":
        for one in all_templates():
            print(f"{one.name:<12} {one.about}".rstrip())
        return 0
    if folder is None:
        raise Stop("name the folder to create: treec init my_robot")
    try:
        chosen = find_template(template)
        written = chosen.copy(folder)
    except NoTemplate as error:
        raise Stop(str(error)) from None
    print(f"{folder}: {len(written)} files from the template '{chosen.name}'")
    try:
        above = find_root(folder.resolve().parent)
        print(f"note: it is inside the library {above}, which ignores it")
    except NoLibrary:
        pass
    name = library_name(folder)
    if name != folder.resolve().name and any(name in path.name for path in written):
        print(f"note: the system is named '{name}': letters, digits and _")
    system = next((path for path in written if path.name.endswith(".system.yaml")), None)
    scenario = next((path for path in written if path.name.endswith(".scenario.yaml")), None)
    print("\nnext:")
    print(f"  cd {shlex.quote(str(folder))}")
    print("  treec check")
    if system is not None and scenario is not None:
        names = system.name.split(".")[0], scenario.name.split(".")[0]
        print(f"  treec run {names[0]} --scenario {names[1]}")
        task = re.search(r"^task: (.+)$", scenario.read_text("utf-8"), re.MULTILINE)
        print(f"  treec run {names[0]}" + (f" --task {shlex.quote(task[1])}" if task else ""))
    if importlib.util.find_spec("pytest") is None:
        print("  pip install pytest    # the tests need it")
    print("  python -m pytest")
    return 0
