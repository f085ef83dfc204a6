"""Quotes the pairs of a memory that are nearest to a text, for the prompt of a node that asks."""

from __future__ import annotations

import sqlite3

from treec.files.prompts import RecallSpec
from treec.memory.embedders import LexicalEmbedder
from treec.memory.store import Memory, MemoryFault
from treec.nodes.runtime import NodeError, Runtime
from treec.source.expression import Expression
from treec.source.scope import Scope


def recall(runtime: Runtime, spec: RecallSpec, scope: Scope) -> list[str]:
    """The nearest pairs, a text each; none while there is no memory.

    Raises NodeError for a file that is no memory.
    """
    library = runtime.view.library
    path = (library.root if library.work is None else library.work) / spec.from_
    if not path.is_file():
        return []
    key = Expression.parse(spec.key).evaluate(scope)
    try:
        memory = runtime.memories.get(path)
        if memory is None:
            memory = runtime.memories[path] = Memory(path, LexicalEmbedder())
        found = memory.nearest(str(key), spec.k)
    except (MemoryFault, OSError, sqlite3.Error) as error:
        raise NodeError(f"the memory cannot be read: {error}") from None
    return [f"{one.pair.key.strip()}\n{one.pair.answer.strip()}" for one in found]
