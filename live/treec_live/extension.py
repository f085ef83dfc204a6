"""The extension of the terminal: what shows a run there or afterwards, and what holds it."""

from __future__ import annotations

from treec.extensions import Command, Extension

EXTENSION = Extension(
    name="live",
    events=("treec_live.events",),
    commands={
        "report": Command("treec_live.report:command", "Write an HTML report of a run.", "Core"),
        "replay": Command("treec_live.replay:command", "Replay a run from its journal.", "Core"),
    },
    tools={
        "chat": "treec_live.chat:ChatDisplay",
        "debugger": "treec_live.debugger:Debugger",
        "reload": "treec_live.reload:watch_files",
        "report": "treec_live.report_page:render_report",
        "screen": "treec_live.screen:ScreenDisplay",
        "stepper": "treec_live.stepper:wait_for_somebody",
    },
)
