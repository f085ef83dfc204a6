"""The model of an evaluation of HELPER, chosen by options or settings."""

from __future__ import annotations

from experiments.helper.dialogue_trial import SYSTEM, ProgramModel
from treec.api.find import find_system
from treec.ask.asker import OpenedModel
from treec.ask.transport import Transport
from treec.cli.model_options import open_chosen
from treec.files.library import Library
from treec.world.spec import ModelOptions


def choose_model(library: Library, name: str | None, api_base: str | None) -> ProgramModel | None:
    """The model that the options or the library's settings choose; None without one."""
    system = find_system(library, SYSTEM).model
    options = ModelOptions(name, api_base)

    def open_one() -> OpenedModel | None:
        return open_chosen(library.root, system, options)

    opened = open_one()
    if opened is None:
        return None

    def connect() -> Transport:
        again = open_one()
        assert again is not None
        return again.transport

    return ProgramModel(opened.name, connect)
