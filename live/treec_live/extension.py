"""The extension of the terminal: what shows a run there, and what holds it."""

from __future__ import annotations

from treec.extensions import Extension

EXTENSION = Extension(
    name="live",
    events=("treec_live.events",),
    tools={
        "chat": "treec_live.chat:ChatDisplay",
        "debugger": "treec_live.debugger:Debugger",
        "film": "treec_live.film_report:FILMS",
        "reload": "treec_live.reload:watch_files",
        "screen": "treec_live.screen:ScreenDisplay",
        "stepper": "treec_live.stepper:wait_for_somebody",
    },
)
