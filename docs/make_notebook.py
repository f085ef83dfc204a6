"""Runs the cells of docs/python_api.ipynb and writes what they give below them.

``python docs/make_notebook.py`` rewrites the notebook's outputs; with ``--check`` it says which
cell no longer gives what stands below it, and ends with status 1.
"""

from __future__ import annotations

import ast
import asyncio
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path
from typing import Any

NOTEBOOK = Path(__file__).parent / "python_api.ipynb"


def outputs_of(cells: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """What each code cell gives, run in order in one namespace, as Jupyter runs them."""
    names: dict[str, Any] = {"__name__": "__main__"}
    return [_run("".join(cell["source"]), names) for cell in cells if cell["cell_type"] == "code"]


def _run(source: str, names: dict[str, Any]) -> list[dict[str, Any]]:
    """Run a cell: what it prints, and the value of the expression that it ends with."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    flags = ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    with contextlib.redirect_stdout(printed):
        _evaluate(compile(tree, "cell", "exec", flags), names)
        if isinstance(last, ast.Expr):
            value = _evaluate(compile(ast.Expression(last.value), "cell", "eval", flags), names)
    outputs: list[dict[str, Any]] = []
    if text := printed.getvalue():
        lines = text.splitlines(keepends=True)
        outputs.append({"name": "stdout", "output_type": "stream", "text": lines})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(keepends=True)}
        result = {"data": data, "execution_count": None, "metadata": {}}
        outputs.append({**result, "output_type": "execute_result"})
    return outputs


def _evaluate(code: Any, names: dict[str, Any]) -> Any:
    value = eval(code, names)
    return asyncio.run(value) if asyncio.iscoroutine(value) else value


def main(argv: list[str]) -> int:
    """Run, then write or compare."""
    notebook = json.loads(NOTEBOOK.read_text("utf-8"))
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        os.environ["COLUMNS"] = "100"
        found = outputs_of(notebook["cells"])
    code = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
    stale = [
        n
        for n, (cell, new) in enumerate(zip(code, found, strict=True), 1)
        if cell["outputs"] != new
    ]
    if "--check" in argv:
        for number in stale:
            print(f"{NOTEBOOK.name}: cell {number} gives something else now")
        return 1 if stale else 0
    for cell, outputs in zip(code, found, strict=True):
        cell["outputs"] = outputs
    NOTEBOOK.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", "utf-8")
    print(f"{NOTEBOOK}: {len(code)} cells run, {len(stale)} changed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
