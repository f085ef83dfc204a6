"""``python -m benchmarks [NAME…] [--json] [--write]``: measure and print the tables.

``lean`` takes a ``--model`` as `treec run` does, ``mutants`` a ``--seed`` and ``--processes``,
``code_mutants`` a ``--seed``; it takes an hour, and is run only where it is named, as are
``chaos``, which takes both and ``--n`` draws or the one ``--draw``, and ``prove``, which takes a
``--seed`` and ``--n`` mutants.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from dataclasses import asdict
from importlib import import_module
from pathlib import Path

from benchmarks.table import Table
from experiments.page import machine, with_body
from treec.world.spec import ModelOptions

NAMES = (
    "check",
    "editor",
    "library",
    "compile",
    "tick",
    "peers",
    "idle",
    "stop",
    "serve",
    "lean",
    "talk",
    "hearing",
    "ask",
    "decisions",
    "schedules",
    "views",
    "watching",
    "physics",
    "learning",
    "search",
    "memory",
    "mutants",
    "styles",
    "growth",
    "fuzz",
    "hostile",
    "resume",
    "resume_sapien",
)
DOCS = Path(__file__).resolve().parent.parent / "docs"


WITH_MODEL = "lean"
"""The benchmark in which a model may answer."""
OPTIONS = {
    "seed": ("mutants", "code_mutants", "chaos", "prove"),
    "processes": ("mutants", "chaos"),
    "n": ("chaos", "prove"),
    "draw": ("chaos",),
}
"""The options of benchmarks that draw what they try, in several processes."""
BY_HAND = ("code_mutants", "chaos", "prove", "ray")
"""Benchmarks whose pages are written by hand."""
NAMED = (*BY_HAND, "ros")
"""Benchmarks that are run only where they are named."""


def measure(name: str, small: bool, **options: object) -> list[Table]:
    """The tables of one benchmark; ``small`` only shows that it runs."""
    run: Callable[..., list[Table]] = import_module(f"benchmarks.bench_{name}").run
    return run(small, **options)


def page_of(name: str) -> Path:
    """The page with the tables of a benchmark."""
    return DOCS / "results" / f"{name}.md"


def draw(docs: Path, name: str) -> None:
    """Write the benchmark's figure, if it has one, beside the other pictures of docs/."""
    figure: Callable[[], str] | None = getattr(
        import_module(f"benchmarks.bench_{name}"), "figure", None
    )
    if figure is not None:
        (docs / "pictures" / f"{name}.svg").write_text(figure(), encoding="utf-8")


def write(page: Path, name: str, tables: list[Table]) -> None:
    """Put the tables between the page's markers of that name. Raises PageMarkerError."""
    begin, end = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    body = "\n".join([f"\n{machine()}.\n", *(table.markdown() for table in tables)])
    page.write_text(with_body(page, begin, end, body), encoding="utf-8")


def main(arguments: list[str] | None = None) -> None:
    """The command line."""
    every = (*NAMES, *NAMED)
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("names", nargs="*", metavar="NAME", help=f"of {', '.join(every)}")
    parser.add_argument("--json", action="store_true", help="print JSON rather than tables")
    parser.add_argument("--write", action="store_true", help="into docs/results, too")
    parser.add_argument("--small", action="store_true", help="tiny sizes: shows that they run")
    parser.add_argument("--model", help=f"provider/name of a model that answers in {WITH_MODEL}")
    parser.add_argument("--api-base", help="URL of the model's server")
    parser.add_argument("--max-tokens", type=int, help="limit on each run's tokens")
    parser.add_argument("--seed", type=int, help="random seed")
    parser.add_argument("--processes", type=int, help="how many at once (default: all cores)")
    parser.add_argument("--n", type=int, help="number of draws")
    parser.add_argument("--draw", type=int, help="number of the only draw")
    given = parser.parse_args(arguments)
    for name in given.names:
        if name not in every:
            parser.error(f"unknown benchmark '{name}'; known: {', '.join(every)}")
    options: dict[str, object] = {}
    for name, takers in OPTIONS.items():
        if (value := getattr(given, name)) is not None:
            options[name] = value
            if len(given.names) != 1 or given.names[0] not in takers:
                parser.error(f"--{name} is for {' or '.join(takers)} alone")
    if given.model is not None:
        if given.names != [WITH_MODEL]:
            parser.error(f"--model is for {WITH_MODEL} alone")
        options["options"] = ModelOptions(given.model, given.api_base, max_tokens=given.max_tokens)
    result = {}
    for name in given.names or NAMES:
        tables = measure(name, given.small, **options)
        result[name] = [asdict(table) for table in tables]
        if not given.json:
            for table in tables:
                print(table.text(), flush=True)
        if given.write and name not in BY_HAND:
            write(page_of(name), name, tables)
            draw(DOCS, name)
    if given.json:
        print(json.dumps({"machine": machine(), **result}, indent=2))
    else:
        print(machine())


if __name__ == "__main__":
    main()
