"""The judge believes nobody: it imports nothing of what it judges, nor of anything else of ours."""

from __future__ import annotations

import ast
import sys
from pathlib import Path

import treec.systems.mosaic.evaluate.judge

ROOM = Path(treec.systems.mosaic.evaluate.judge.__file__).parent


def test_it_imports_itself_and_the_standard_library_alone() -> None:
    for file in ROOM.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                if node.level:
                    assert node.level == 1, f"{file.name}:{node.lineno} reaches out of the room"
                    assert (ROOM / f"{node.module}.py").is_file(), f"{file.name}:{node.lineno}"
                    continue
                found = [node.module or ""]
            else:
                continue
            for name in found:
                assert name.partition(".")[0] in sys.stdlib_module_names, f"{file.name}: {name}"
