"""``treec import``: trees of BehaviorTree.CPP and py_trees as a tree file."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from treec.cli.common import Stop, wants_colour

if TYPE_CHECKING:
    from treec.source.diagnostics import Diagnostic
    from treec_interchange.importer import Imported
    from treec_interchange.includes import ReadFile


def command(
    files: Annotated[
        list[Path], typer.Argument(help="An XML file of BehaviorTree.CPP or py_trees.")
    ],
    output: Annotated[
        Path | None,
        typer.Option("--output", "-o", help="Output file: .tree.yaml (default: print the trees)."),
    ] = None,
    lossy: Annotated[
        bool,
        typer.Option(
            "--lossy", help="What cannot be kept is a node that fails with the reason, no error."
        ),
    ] = False,
    stubs: Annotated[
        Path | None,
        typer.Option(
            "--stubs", help="Also write a Python file with a class for each unknown node type."
        ),
    ] = None,
    compare: Annotated[
        bool,
        typer.Option(
            "--compare",
            help="Write no files: report for each file (several may be given) what would not "
            "survive `treec export --to btcpp`.",
        ),
    ] = False,
) -> int:
    """Read the trees of an XML file, and of those that it includes.

    Its format is BehaviorTree.CPP 4 (Groot2, Nav2) or py_trees.

    Node types that treec does not have become node classes of one's own. What cannot be kept is an
    error at its line. Exit status 0 if the file was read, 1 if not; with --compare 1 also if
    something does not come back as it was.
    """
    from treec_interchange.tree_yaml import to_tree_file

    if compare:
        if output is not None:
            raise Stop("--compare writes no file: leave out --output")
        return max([_compare(file) for file in files])
    if len(files) > 1:
        raise Stop("one file is imported at a time; several are for --compare")
    if output is not None and not output.name.endswith(".tree.yaml"):
        raise Stop(f"the output file must end in .tree.yaml: {output.stem}.tree.yaml")
    done, *_ = _imported(files[0], lossy)
    _tell(done.findings, done)
    if done.failed:
        return 1
    text = to_tree_file(done.trees)
    if stubs is not None:
        _write_stubs(stubs, files[0], done)
    if output is None:
        sys.stdout.write(text)
        return 0
    try:
        output.write_text(text, "utf-8")
    except OSError as error:
        raise Stop(f"{output} cannot be written: {error.strerror}") from None
    count = len(done.trees)
    print(f"{output}: {count} tree{'' if count == 1 else 's'}")
    return 0


def _write_stubs(path: Path, source: Path, done: Imported) -> None:
    from treec_interchange.stubs import write_stubs

    if path.suffix != ".py" or path.exists():
        raise Stop(f"--stubs writes a new file of Python: {path.with_suffix('.py')}")
    try:
        path.write_text(write_stubs(source.name, path.stem, done.own_ports), "utf-8")
    except OSError as error:
        raise Stop(f"{path} cannot be written: {error.strerror}") from None


def _imported(file: Path, lossy: bool) -> tuple[Imported, bytes, ReadFile]:
    """The trees of a file, what is in it, and what reads the files that it includes."""
    from treec_interchange.importer import import_trees
    from treec_interchange.includes import MAX_BYTES

    try:
        with file.open("rb") as stream:
            data = stream.read(MAX_BYTES + 1)
    except OSError as error:
        raise Stop(f"{file} cannot be read: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise Stop(f"{file} is larger than {MAX_BYTES // 1_000_000} MB")

    def read(name: str) -> bytes:
        """A file that is included, which lies below the folder, links followed."""
        target = (file.parent / name).resolve()
        if not target.is_relative_to(file.parent.resolve()):
            raise OSError("it is a link to outside the folder of the imported file")
        with target.open("rb") as stream:
            return stream.read(MAX_BYTES + 1)

    return import_trees(data, file.as_posix(), read, lossy), data, read


def _compare(file: Path) -> int:
    """Say what of a file would not come back; 1 if something would not."""
    from treec_interchange.comparing import differences

    done, data, read = _imported(file, lossy=True)
    if done.failed:
        _tell(done.findings, done)
        return 1
    count, found = differences(done, data, file.as_posix(), read)
    _tell(found, done)
    elements = f"{count} element{'' if count == 1 else 's'}"
    few = f"{len(found)} difference{'' if len(found) == 1 else 's'}"
    print(f"{file}: {elements}, {few if found else 'all come back equal'}")
    return 1 if found else 0


def _tell(findings: list[Diagnostic], done: Imported) -> None:
    from treec.source.diagnostics import format_text
    from treec.source.text import SourceFile

    if findings:
        sources = {
            name: SourceFile(name, text.decode("utf-8", "replace"))
            for name, text in done.sources.items()
        }
        print(format_text(findings, sources, colour=wants_colour()), file=sys.stderr)
