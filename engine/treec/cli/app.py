"""Run a command line: its exit status, and what is printed of its errors.

What lists the commands imports none of them, nor typer.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from io import TextIOWrapper
from pathlib import Path
from typing import TYPE_CHECKING

from treec import crash
from treec.cli.overview import overview, version
from treec.companions import missing_help
from treec.extensions import ExtensionError, registry
from treec.foreign import own_output
from treec.requirements import missing_package

if TYPE_CHECKING:
    import typer


def run(argv: Sequence[str] | None, application: Callable[[], typer.Typer] | None = None) -> int:
    """Run a command line and return its exit status; see `treec.cli.main`.

    Of another ``application`` it is that one's, with treec's errors and exit statuses.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # names in files may not fit the encoding
    try:
        args = list(sys.argv[1:] if argv is None else argv)
        with own_output(to_the_end=argv is None):
            status = _run(args) if application is None else _run_command(args, application)
    except BrokenPipeError as error:
        return _end_output(error)
    try:
        sys.stdout.flush()
    except (OSError, ValueError) as error:
        return _end_output(error)
    return status


def _end_output(error: OSError | ValueError) -> int:
    """The status of a command whose output cannot be written."""
    from treec.cli.exits import CLOSED_OUTPUT, NOT_WRITTEN, close_output

    close_output()
    if isinstance(error, BrokenPipeError):
        return CLOSED_OUTPUT
    with suppress(OSError, ValueError):
        why = getattr(error, "strerror", None) or error
        print(f"treec: the output cannot be written: {why}", file=sys.stderr)
    return NOT_WRITTEN


def _run(args: list[str]) -> int:
    if args == ["--version"]:
        print(version())
        return 0
    try:
        if args == ["--help"]:
            print(overview())
            return 0
        if not args and "_TREEC_COMPLETE" not in os.environ:
            print(overview(), file=sys.stderr)
            return 2
        return _run_command(args)
    finally:
        for problem in registry().problems:
            print(f"treec: {problem}", file=sys.stderr)


def _run_command(args: list[str], make: Callable[[], typer.Typer] | None = None) -> int:
    """Run a command and return its exit status. Raises BrokenPipeError."""
    from treec.cli.basics import Stop

    help = missing_help("commands", args[0]) if args else None
    if help is not None:
        print(f"treec: unknown command '{args[0]}': {help}", file=sys.stderr)
        return 2
    try:
        checked = _check(args[1:]) if args[:1] == ["check"] and make is None else None
        result = _call(args, make) if checked is None else checked
    except Stop as error:
        if str(error):
            print(f"treec: {error}", file=sys.stderr)
        return error.status
    except ExtensionError as error:
        print(f"treec: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("treec: stopped", file=sys.stderr)
        return 130
    except BrokenPipeError:
        raise
    except SystemExit as error:  # typer's, of a broken pipe
        if isinstance(error.__context__, BrokenPipeError):
            raise error.__context__ from None
        raise
    except Exception as error:
        if missing := missing_package(error):
            print(f"treec: this {missing}", file=sys.stderr)
            return 2
        from treec.world.spec import InvalidSpec

        if isinstance(error, InvalidSpec):
            print(f"treec: {error}", file=sys.stderr)
            return 2
        return crash.report(error)
    return result if isinstance(result, int) else 0


def _check(args: list[str]) -> int | None:
    """Check as `[WHICH]... [--library FOLDER]` says; None for what typer has to read.

    A check has all but no time to import typer, which takes as long as all its rules.
    """
    which: list[str] = []
    library = None
    words = iter(args)
    for word in words:
        if word in ("--library", "-L"):
            library = next(words, "-")
        else:
            which.append(word)
    if any(word.startswith("-") for word in (*which, library or "")):
        return None
    from treec.cli.check_library import check

    return check(which, None if library is None else Path(library))


def _call(args: list[str], make: Callable[[], typer.Typer] | None) -> object:
    """Have typer read the arguments and call the command. Raises what that raises, and Stop."""
    import typer
    from typer.exceptions import TyperException

    from treec.cli.application import application

    try:
        app = application(*args[:1]) if make is None else make()
        return app(args=args, prog_name="treec" if make is None else None, standalone_mode=False)
    except TyperException as error:
        show = getattr(error, "show", None)
        if show is not None:
            show()
        return 2
    except typer.Abort:
        raise KeyboardInterrupt from None
