"""Draw the rooms of the core and the packages on it, and which uses which, from their imports.

``python docs/make_house.py`` rewrites docs/pictures/house.svg and the table of architecture.md;
with ``--check`` it lists what is stale and exits with status 1. FLOORS says which imports are
allowed, the code which there are; tests/test_architecture.py compares them.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from functools import cache
from html import escape
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).parent
ROOT = HERE.parent
CORE = "engine/treec"
PAGE = HERE / "architecture.md"
PICTURE = HERE / "pictures" / "house.svg"
BEGIN, END = "<!-- arrows: made by docs/make_house.py -->", "<!-- end of arrows -->"

FOLDERS = (
    *(
        "engine",
        "systems",
        "interchange",
        "asking",
        "hearing",
        "models",
        "programs",
        "memory",
        "drawing",
        "live",
        "voice",
        "fake_model",
        "testing",
        "prove",
        "serve",
        "editors",
        "envs",
    ),
    *("perception", "forecasting", "learning", "ros"),
)
"""Folders of the packages of this repository."""

FLOORS = (
    ("cli",),
    ("api",),
    ("run", "render", "check"),
    ("compile",),
    ("nodes",),
    ("ask", "program", "team"),
    ("world",),
    ("files",),
    ("source",),
)
"""From the roof down. A room uses rooms of lower floors, never of its own or a higher one."""

OUTSIDE = (
    f"{CORE}/envs",
    "envs/treec_sapien",
    "systems/treec_household",
    "systems/treec_thor",
)
"""Packages that use the core through what its `__init__` exports, and that it never imports."""

FOUNDATION = (
    *("extensions", "core", "companions", "requirements", "installed"),
    *("graph", "arrays", "atomic", "child", "crash", "foreign", "frozen"),
)
"""Modules below all rooms, which import none."""

ABOUT = {
    "cli": "commands",
    "api": "Python API",
    "run": "main loop, users, runs",
    "render": "drawing",
    "check": "one module per rule",
    "compile": "files → py_trees",
    "nodes": "tree nodes",
    "ask": "models",
    "program": "steps, effects, faults",
    "team": "work and dialogue",
    "world": "facts, journal, clock",
    "files": "one model per kind of file",
    "source": "text with positions: YAML, expressions, diagnostics",
}


SYSTEMS = {
    "systems/treec_mosaic": "MOSAIC",
    "systems/treec_dag_plan": "DAG-Plan",
    "systems/treec_helper": "HELPER",
    "interchange/treec_interchange": "trees of other programs",
    "asking/treec_asking": "nodes that ask, rules beside them",
    "hearing/treec_hearing": "what words mean",
    "models/treec_models": "clients of models",
    "programs/treec_program": "programs that models write",
    "memory/treec_memory": "pairs of texts, nearest first",
    "drawing/treec_drawing": "pictures of trees",
    "live/treec_live": "runs in the terminal",
    "voice/treec_voice": "talking with runs",
    "fake_model/treec_fake_model": "scripted model on loopback",
    "testing/treec_testing": "decisions asked and tested, trials",
    "prove/treec_prove": "proofs of systems",
    "serve/treec_serve": "the page of runs",
    "editors/treec_editor": "language server, skeletons",
    "perception/treec_perception": "cameras, localization",
    "forecasting/treec_forecasting": "forecasts of motion",
    "learning/treec_learning": "skills that are learned",
    "ros/treec_ros": "ROS 2",
}
"""Packages that use all that they need of the core and register as extensions."""

NOT_ROOMS = ("envs", "templates", "everyday_english")
"""Folders of the core that stand on it as a stranger's would: an environment, and files."""


class Import(NamedTuple):
    """An import statement: its module, its line, what it imports."""

    path: str
    line: int
    target: str
    typing_only: bool


@cache
def imports(file: Path) -> tuple[Import, ...]:
    """Every import in a file, also those inside functions."""
    return tuple(_imports(file))


@cache
def statements(file: Path) -> tuple[ast.stmt, ...]:
    """Every statement of a file, whatever it is inside of; expressions are not gone through."""
    return tuple(below(ast.parse(file.read_text("utf-8"))))


def below(node: ast.AST) -> Iterator[ast.stmt]:
    """The statements inside of a node, at any depth."""
    for field in ("body", "orelse", "finalbody", "handlers", "cases"):
        for inner in getattr(node, field, ()):
            if isinstance(inner, ast.stmt):
                yield inner
            yield from below(inner)


def is_for_typing(node: ast.stmt) -> bool:
    """Whether a statement is an `if TYPE_CHECKING`."""
    return isinstance(node, ast.If) and getattr(node.test, "id", "") == "TYPE_CHECKING"


def _imports(file: Path) -> Iterator[Import]:
    shown = file.relative_to(ROOT)
    every = statements(file)
    guarded = {id(inner) for node in every if is_for_typing(node) for inner in below(node)}
    for node in every:
        targets: list[str] = []
        if isinstance(node, ast.Import):
            targets = [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom):
            base = shown.parent.parts[: len(shown.parent.parts) - node.level + 1]
            module = ".".join((*base, node.module or "")) if node.level else node.module or ""
            targets = [module]
            if module == "treec":
                targets = [f"treec.{alias.name}" for alias in node.names]
        for target in targets:
            yield Import(shown.as_posix(), node.lineno, target, id(node) in guarded)


def modules(package: str) -> list[Path]:
    """The modules of one of our packages."""
    return sorted((ROOT / package).rglob("*.py"))


@cache
def arrows() -> dict[str, dict[str, Import]]:
    """Room → the rooms it uses, each with an import that shows it."""
    found: dict[str, dict[str, Import]] = {room: {} for floor in FLOORS for room in floor}
    for file in modules(CORE):
        parts = file.relative_to(ROOT / CORE).parts
        if len(parts) == 1 or parts[0] in NOT_ROOMS:
            continue
        for item in imports(file):
            target = item.target.split(".")
            if target[0] != "treec" or len(target) < 2:
                continue
            if target[1] in (parts[0], *FOUNDATION):
                continue
            found.setdefault(parts[0], {}).setdefault(target[1], item)
    return found


@cache
def system_arrows() -> dict[str, dict[str, Import]]:
    """Package of SYSTEMS → the rooms of the core, and the other packages, that it uses."""
    found: dict[str, dict[str, Import]] = {name: {} for name in SYSTEMS}
    for name, used in found.items():
        for file in modules(name):
            for item in imports(file):
                parts = item.target.split(".")
                if parts[0].startswith("treec_") and parts[0] != name.rpartition("/")[2]:
                    used.setdefault(parts[0], item)
                elif parts[0] == "treec" and len(parts) > 1 and parts[1] not in FOUNDATION:
                    used.setdefault(parts[1], item)
    return found


def floor_of(room: str) -> int:
    """How far below the roof a room lies. Raises KeyError for a room that FLOORS lacks."""
    for depth, floor in enumerate(FLOORS):
        if room in floor:
            return depth
    raise KeyError(room)


def _order(used: str) -> tuple[int, str]:
    return (floor_of(used) if used in ABOUT else len(FLOORS), used)


def table() -> str:
    """The page's table of arrows."""
    found = arrows()
    lines = ["| package | purpose | uses |", "|---|---|---|"]
    for name, about in SYSTEMS.items():
        used = ", ".join(f"`{u}`" for u in sorted(system_arrows()[name], key=_order))
        lines.append(f"| `{name.rpartition('/')[2]}` | {about} | {used} |")
    for room in (room for floor in FLOORS for room in floor):
        used = ", ".join(f"`{u}`" for u in sorted(found[room], key=floor_of)) or "none"
        lines.append(f"| `treec/{room}` | {ABOUT[room]} | {used} |")
    return "\n".join(lines)


# The picture

WIDTH, ROOM_H, FLOOR_H, TOP = 900, 46, 78, 34
PLACES = {  # middle and width of each room, in pixels
    "cli": (308, 544),
    "testing": (430, 220),
    "api": (308, 544),
    "run": (130, 160),
    "check": (287, 126),
    "render": (467, 130),
    "compile": (150, 200),
    "nodes": (150, 200),
    "ask": (91, 110),
    "program": (220, 110),
    "team": (370, 130),
    "memory": (533, 156),
    "world": (111, 150),
    "files": (425, 310),
    "source": (308, 544),
}
STYLE = """
svg{font:13px Inter,'Segoe UI','Helvetica Neue',Arial,'DejaVu Sans',sans-serif}
.ground{fill:#fff}.room{fill:#eaf1fb;stroke:#4a78b5}.out{fill:#faf6ec;stroke:#b29a5c}
.lib{fill:#e9f6f4;stroke:#3f948a}
text{fill:#1b222c;text-anchor:middle}.name{font-weight:600}.about{fill:#566070;font-size:11.5px}
.side{text-anchor:start}
path{fill:none;stroke:#67728a;stroke-width:1.4}path.far{stroke-dasharray:5 4}
marker path{fill:#67728a;stroke:none}
@media (prefers-color-scheme:dark){
.ground{fill:#12161c}.room{fill:#18263a;stroke:#5585c4}.out{fill:#2a2414;stroke:#9c8448}
.lib{fill:#142a28;stroke:#43978d}
text{fill:#e8ecf2}.about{fill:#a6b0be}path{stroke:#8f9bad}marker path{fill:#8f9bad}}
"""


def essential_arrows() -> list[tuple[str, str]]:
    """The arrows of the picture: those that no path of other arrows already says."""
    uses = {room: set(found) for room, found in arrows().items()}

    def reachable_from(room: str) -> set[str]:
        return set().union(*(uses[u] | reachable_from(u) for u in uses[room]), set())

    pairs = []
    for room, used in uses.items():
        pairs += [(room, target) for target in sorted(used - reachable_from(room))]
    return pairs


def _top(room: str) -> int:
    return TOP + floor_of(room) * FLOOR_H


def _box(x: float, y: float, width: float, kind: str, name: str, about: str) -> str:
    return (
        f'<rect class="{kind}" x="{x - width / 2:g}" y="{y:g}" width="{width:g}" '
        f'height="{ROOM_H}" rx="6"/>'
        f'<text class="name" x="{x:g}" y="{y + 19:g}">{escape(name)}</text>'
        f'<text class="about" x="{x:g}" y="{y + 36:g}">{escape(about)}</text>'
    )


def _arrow(start: tuple[float, float], end: tuple[float, float], kind: str = "") -> str:
    (x1, y1), (x2, y2) = start, end
    bend = (y2 - y1) * 0.5
    curve = f"M{x1:g} {y1:g}C{x1:g} {y1 + bend:g} {x2:g} {y2 - bend:g} {x2:g} {y2 - 2:g}"
    return f'<path class="{kind}" d="{curve}" marker-end="url(#tip)"/>'


def _arrow_left(start: float, end: float, y: float) -> str:
    return f'<path d="M{start:g} {y:g}H{end + 2:g}" marker-end="url(#tip)"/>'


def _between(upper: str, lower: str) -> str:
    """An arrow as straight as the two rooms allow."""
    (x1, w1), (x2, w2) = PLACES[upper], PLACES[lower]
    left, right = max(x1 - w1 / 2, x2 - w2 / 2), min(x1 + w1 / 2, x2 + w2 / 2)
    if left < right:
        leave = arrive = (left + right) / 2
    else:
        side = 1 if x2 > x1 else -1
        leave, arrive = x1 + side * (w1 / 2 - 16), x2 - side * (w2 / 2 - 16)
    return _arrow((leave, _top(upper) + ROOM_H), (arrive, _top(lower)))


def picture() -> str:
    """docs/pictures/house.svg."""
    height = TOP + len(FLOORS) * FLOOR_H + 6
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" '
        f'width="{WIDTH}" height="{height}" role="img" '
        f'aria-label="Rooms of the core and packages on it; arrows point at what each uses.">',
        f"<style>{STYLE}</style>",
        '<defs><marker id="tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" '
        'markerHeight="8" orient="auto"><path d="M0 0L8 4L0 8z"/></marker></defs>',
        f'<rect class="ground" width="{WIDTH}" height="{height}" rx="8"/>',
        '<text class="about" x="330" y="20">treec: an arrow points at what a package uses, '
        "always downward</text>",
    ]
    parts += [_between(upper, lower) for upper, lower in essential_arrows()]
    parts += [
        _box(*(PLACES[room][0], _top(room), PLACES[room][1]), "room", room, ABOUT[room])
        for floor in FLOORS
        for room in floor
    ]
    side, middle = 775, 775
    nodes, files = _top("nodes"), _top("files")
    parts += [
        _box(
            side,
            _top("cli"),
            200,
            "out",
            "systems and rooms",
            ", ".join(name.rpartition("_")[2] for name in SYSTEMS),
        ),
        _arrow_left(side - 100, 580, _top("cli") + ROOM_H / 2),
        f'<text class="about" x="628" y="{_top("cli") + ROOM_H / 2 - 8:g}">extensions</text>',
        _box(side, nodes, 200, "out", "treec/__init__", "what it exports"),
        _box(side, _top("run"), 200, "out", "envs", "workers, parsers, environments"),
        _box(side, files, 200, "lib", "trees, prompts, skills, envs", "YAML: people write these"),
        _arrow((middle, _top("run") + ROOM_H), (middle, nodes)),
        f'<path class="far" d="M{side - 100} {files + ROOM_H / 2:g}H{583}" '
        'marker-end="url(#tip)"/>',
        f'<path class="far" d="M{side + 70} {files}V{_top("run") + ROOM_H + 2:g}" '
        'marker-end="url(#tip)"/>',
        f'<text class="about" x="{side - 50}" y="{files - 12}">named in YAML</text>',
        f'<text class="about" x="629" y="{files + ROOM_H / 2 - 8:g}">reads</text>',
    ]
    return "\n".join((*parts, "</svg>")) + "\n"


def page() -> str:
    """docs/architecture.md with today's table."""
    text = PAGE.read_text("utf-8")
    before, _, rest = text.partition(BEGIN)
    _, _, after = rest.partition(END)
    return f"{before}{BEGIN}\n\n{table()}\n\n{END}{after}"


def main(argv: list[str]) -> int:
    """Write or check."""
    stale = []
    for path, text in ((PAGE, page()), (PICTURE, picture())):
        if not path.is_file() or path.read_text("utf-8") != text:
            stale.append(path.relative_to(ROOT).as_posix())
            if "--check" not in argv:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, "utf-8")
    if stale and "--check" in argv:
        print(f"stale: {', '.join(stale)}: run 'python docs/make_house.py'")
        return 1
    print(f"written: {', '.join(stale)}" if stale else "nothing has changed")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
