"""``treec --help`` and ``treec --version``: what there is, without importing what runs it."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator

from treec.core import CORE
from treec.extensions import Command, ExtensionError, registry
from treec.installed import own_version

USAGE = """\
Usage: treec [OPTIONS] COMMAND [ARGS]...

  Check, run and test robot systems that are written as YAML files.

Options:
  --version             Print the version and exit.
  --install-completion  Install completion for the current shell.
  --show-completion     Show completion for the current shell, to copy it or
                        customize the installation.
  --help                Show this message and exit.
"""


def version() -> str:
    """What ``treec --version`` prints."""
    return f"treec {own_version()}"


def overview() -> str:
    """What ``treec --help`` prints: all commands by their headings, one line each."""
    by_heading: dict[str, dict[str, str]] = {"Core": {}, "Models": {}}  # these are first
    for name, heading, summary in _rows():
        by_heading.setdefault(heading, {})[name] = summary
    width = max(len(name) for rows in by_heading.values() for name in rows)
    parts = [USAGE]
    for heading, rows in ((name, it) for name, it in by_heading.items() if it):
        parts.append(f"{heading}:\n")
        parts[-1] += "".join(f"  {name:{width}}  {text}\n" for name, text in rows.items())
    return "\n".join(parts).rstrip()


def _rows() -> Iterator[tuple[str, str, str]]:
    """The name, heading and summary of each command and group."""
    commands = registry().commands
    for words, command in commands.items():
        top, _, name = words.partition(" ")
        if not name:
            summary = command.summary or summary_of_code(command)
            if summary is not None:
                yield words, command.heading, summary
        elif top not in commands:
            yield top, command.heading, f"Commands of '{top}'."


def summary_of_code(command: Command) -> str | None:
    """The first sentence of a command's docstring; None if its code cannot be used."""
    tables = registry()
    try:
        found = tables.load(command.call)
    except ExtensionError as error:
        if tables.owner(command.call).name == CORE.name:
            raise
        tables.problem(error)
        return None
    text = getattr(getattr(found, "info", None), "help", None)  # a typer.Typer
    text = text if isinstance(text, str) else inspect.getdoc(found) or ""
    sentence = re.match(r".*?\.(?=\s|$)", " ".join(text.partition("\n\n")[0].split()))
    return text.partition("\n")[0] if sentence is None else sentence[0]
