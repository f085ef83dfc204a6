"""The ear of a reading: from its own templates and its shared file."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, cast

from treec.extensions import ExtensionError, registry
from treec.files.entry import Entry
from treec.files.hearing import HearingFile
from treec.files.library import Library
from treec.files.modules import package_folder
from treec.files.prompts import ReadingFile
from treec.files.view import View
from treec.source.diagnostics import unknown
from treec.team.language import shipped_language
from treec_hearing.network_error import NetworkError

if TYPE_CHECKING:
    from treec_hearing.ear import Ear
    from treec_hearing.heard import ActScorer


def hears(entry: Entry[ReadingFile]) -> bool:
    """Whether the reading has templates."""
    return bool(entry.model.hears or entry.model.hearing)


def ear_of(view: View, entry: Entry[ReadingFile], with_network: bool = True) -> Ear:
    """The reading's ear. Raises TemplateError or NetworkError for what the files say wrong.

    What matches templates is imported here, so that a reading with a parser does without it.
    """
    from treec_hearing.ear import Ear
    from treec_hearing.templates import TemplateError

    model = entry.model
    shared = network = None
    if model.hearing is not None:
        found = view.find("hearing", model.hearing)
        if found is None:
            raise TemplateError(unknown("hearing", model.hearing, view.all("hearing")))
        shared = found.model
        network = network_of(view.library, found) if with_network else None
    return Ear(model.acts, model.hears, shared, network)


def weights_of(library: Library, entry: Entry[HearingFile]) -> Path | None:
    """The file of a hearing file's network: beside it, or PACKAGE:FILE of a package of weights.

    None if it has none, or the package is not installed: then templates alone hear.
    """
    name = entry.model.network
    if name is None:
        return None
    package, colon, file = name.partition(":")
    if not colon:
        return library.file_beside(entry, name)
    folder = package_folder(package)
    return None if folder is None else folder / file


def network_of(library: Library, entry: Entry[HearingFile]) -> ActScorer | None:
    """The network of a hearing file; None if it has none, or no installed package reads it.

    Raises NetworkError if the weights cannot be read.
    """
    path, tables = weights_of(library, entry), registry()
    if path is None:
        return None
    target = tables.scorers.get(path.suffix.removeprefix("."))
    if target is None:
        return None
    read = cast("Callable[[Path], ActScorer]", tables.load(target))
    try:
        return tables.call(target, lambda: read(path), NetworkError)
    except ExtensionError as error:
        raise NetworkError(str(error)) from error


def judging_ear(view: View, entry: Entry[ReadingFile]) -> Ear:
    """The ear whose language judges what a model reads: the reading's, else what treec ships.

    A reading with a parser of its own, or without any, has no templates.
    """
    from treec_hearing.ear import Ear
    from treec_hearing.templates import TemplateError

    if entry.model.hearing is not None:
        with suppress(TemplateError, NetworkError):
            return ear_of(view, entry, with_network=False)
    return Ear(entry.model.acts, {}, shipped_language())
