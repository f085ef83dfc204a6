"""The extension of trees of other programs: commands that write and read them, nodes of Nav2."""

from __future__ import annotations

from treec.extensions import Command, Extension

EXTENSION = Extension(
    name="interchange",
    commands={
        "export": Command(
            "treec_interchange.cli.export:command",
            "Write a tree with what it inserts, or a run, for other programs.",
            "Core",
        ),
        "import": Command(
            "treec_interchange.cli.import_trees:command",
            "Read the trees of an XML file, and of those that it includes.",
            "Core",
        ),
    },
    nodes={
        "pipeline": "treec_interchange.nav2.pipeline:NODE",
        "recovery": "treec_interchange.nav2.recovery:NODE",
        "round_robin": "treec_interchange.nav2.round_robin:NODE",
    },
    monitors={
        "groot2": "treec_interchange.groot2:open_monitor",
        "otel": "treec_interchange.otel:open_monitor",
    },
    recordings={"mcap": "treec_interchange.mcap.read:read_journal_of"},
)
