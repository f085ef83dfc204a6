"""The ear of a reading: from its own templates and its shared file."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

from treec.files.entry import Entry
from treec.files.hearing import HearingFile
from treec.files.library import Library
from treec.files.modules import package_folder
from treec.files.prompts import ReadingFile
from treec.files.view import View
from treec.source.diagnostics import unknown

if TYPE_CHECKING:
    from treec.hearing.ear import Ear
    from treec.hearing.network import Network


def hears(entry: Entry[ReadingFile]) -> bool:
    """Whether the reading has templates."""
    return bool(entry.model.hears or entry.model.hearing)


def ear_of(view: View, entry: Entry[ReadingFile], with_network: bool = True) -> Ear:
    """The reading's ear. Raises TemplateError or NetworkError for what the files say wrong.

    What matches templates is imported here, so that a reading with a parser does without it.
    """
    from treec.hearing.ear import Ear
    from treec.hearing.templates import TemplateError

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


def network_of(library: Library, entry: Entry[HearingFile]) -> Network | None:
    """The network of a hearing file; None if it has none, or numpy is not installed.

    Raises NetworkError if the weights cannot be read.
    """
    path = weights_of(library, entry)
    if path is None or find_spec("numpy") is None:
        return None
    from treec.hearing.network import read_network

    return read_network(path)
