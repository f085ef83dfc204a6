"""The extension of trees of other programs: the commands that write and read them."""

from __future__ import annotations

from treec.extensions import Command, Extension

EXTENSION = Extension(
    name="interchange",
    commands={
        "export": Command(
            "treec_interchange.cli.export:command",
            "Write a tree, with all that it inserts, or a run, for other programs.",
            "Core",
        ),
        "import": Command(
            "treec_interchange.cli.import_trees:command",
            "Read the trees of an XML file, and of those that it includes.",
            "Core",
        ),
    },
    monitors={"groot2": "treec_interchange.groot2:open_monitor"},
    recordings={"mcap": "treec_interchange.mcap.read:read_journal_of"},
)
