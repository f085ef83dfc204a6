"""The extension of memories: what prompts quote, the node `remember`, and a command."""

from __future__ import annotations

from treec.extensions import Command, Extension

EXTENSION = Extension(
    name="memory",
    nodes={"remember": "treec_memory.remember:NODE"},
    memories={"pairs": "treec_memory.memories:open_memories"},
    commands={
        "memory": Command("", "Show, search and edit a memory of requests and programs.", "Models"),
        "memory list": "treec_memory.command:list_pairs",
        "memory show": "treec_memory.command:show",
        "memory add": "treec_memory.command:add",
        "memory remove": "treec_memory.command:remove",
        "memory export": "treec_memory.command:export_pairs",
        "memory import": "treec_memory.command:import_pairs",
        "memory search": "treec_memory.command:search",
    },
)
