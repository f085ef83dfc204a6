"""The ear of a reading: from its own templates and its shared file."""

from __future__ import annotations

from typing import TYPE_CHECKING

from treec.files.entry import Entry
from treec.files.prompts import ReadingFile
from treec.files.view import View

if TYPE_CHECKING:
    from treec.hearing.ear import Ear


def hears(entry: Entry[ReadingFile]) -> bool:
    """Whether the reading has templates."""
    return bool(entry.model.hears or entry.model.hearing)


def ear_of(view: View, entry: Entry[ReadingFile]) -> Ear:
    """The reading's ear. Raises TemplateError for what the files say wrong.

    What matches templates is imported here, so that a reading with a parser does without it.
    """
    from treec.hearing.ear import Ear
    from treec.hearing.templates import TemplateError

    model = entry.model
    shared = None
    if model.hearing is not None:
        found = view.find("hearing", model.hearing)
        if found is None:
            known = ", ".join(view.all("hearing")) or "there is none"
            raise TemplateError(f"no hearing file '{model.hearing}' ({known})")
        shared = found.model
    return Ear(model.acts, model.hears, shared)
