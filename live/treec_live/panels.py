"""The panels of a live run, drawn with rich: talk, agents, recipe and tree.

At 80×24 the tree is below the talk; with more rows it is on the right. A small window shows only
talk and agents.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from rich.box import ROUNDED, SQUARE
from rich.console import Console, ConsoleOptions, RenderResult
from rich.panel import Panel
from rich.segment import Segment
from rich.text import Text

from treec.cli.terminal_text import ASSISTANT, PERSON, Piece, clock
from treec.render.measure import cells, fit, wrap
from treec_live import tree as live_tree
from treec_live.moment import LiveAgent, LiveMoment, LiveSubtask, TalkLine

SMALL = (60, 14)
"""Columns and rows below which only talk and agents are shown."""

TREE_LEAST, TALK_LEAST = 6, 9
"""Minimum rows of the tree and talk panels, with their frames."""

WORK_SIGNS: dict[str, Piece] = {
    "done": ("✓", "green"),
    "running": ("▸", "bold yellow"),
    "interrupted": ("■", "bold yellow"),
    "queued": ("‣", "yellow"),
    "asked": ("?", "magenta"),
    "open": ("○", ""),
    "waiting": ("·", "dim"),
    "failed": ("✗", "red"),
    "dropped": ("–", "dim"),
}
_LINE_STYLE = {"done": "dim", "waiting": "dim", "dropped": "dim", "running": "bold"}
_SAID_OF = {"asked": "{}?", "interrupted": "{}, stopped"}

Row = list[Segment]
Lines = list[list[Piece]]


@dataclass(frozen=True, slots=True)
class PanelBox:
    """The size of a panel in columns and rows, with its frame."""

    name: str
    width: int
    height: int


@dataclass(frozen=True, slots=True)
class PanelPlan:
    """The panels: columns from left to right, each from top to bottom."""

    columns: tuple[tuple[PanelBox, ...], ...]


def plan(moment: LiveMoment, width: int, height: int) -> PanelPlan:
    """Lay out the panels in a window of this size, without the title row."""
    agents = 2 * len(moment.workers) + 2
    if width < SMALL[0] or height < SMALL[1]:
        rows = min(agents, max(height - 5, 0))
        boxes = (PanelBox("talk", width, height - rows), PanelBox("agents", width, rows))
        return PanelPlan((tuple(box for box in boxes if box.height > 2),))
    left = max(min(width // 2, 64), width - 76)
    right = width - left
    agents = min(agents, height // 2)
    rest = height - agents
    recipe = min(len(moment.work) + 3, rest) if moment.work else min(4, rest)
    tree = live_tree.height(moment.tree) + 2
    spare = rest - recipe
    column: tuple[PanelBox, ...]
    if spare >= min(max(tree, 10), 18):
        column = (
            PanelBox("agents", right, agents),
            PanelBox("recipe", right, recipe),
            PanelBox("tree", right, spare),
        )
        return PanelPlan(((PanelBox("talk", left, height),), column))
    column = (PanelBox("agents", right, agents), PanelBox("recipe", right, rest))
    below = min(tree, int(height * 0.45), height - TALK_LEAST)
    if below < TREE_LEAST:
        return PanelPlan(((PanelBox("talk", left, height),), column))
    return PanelPlan(
        ((PanelBox("talk", left, height - below), PanelBox("tree", left, below)), column)
    )


class Screen:
    """Draws a moment into the window; unchanged panels are reused."""

    def __init__(self) -> None:
        self.moment: LiveMoment | None = None
        self._drawn: dict[str, tuple[object, PanelBox, list[Row]]] = {}

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The rows of the whole window."""
        if self.moment is None:
            return
        width, height = options.max_width, options.height or options.max_height
        rows = [self._title(self.moment, console, width)]
        rows += self._rows(console, self.moment, plan(self.moment, width, height - 1))
        for number, row in enumerate(rows[:height]):
            if number:
                yield Segment.line()
            yield from row

    def _rows(self, console: Console, moment: LiveMoment, layout: PanelPlan) -> list[Row]:
        columns: list[list[Row]] = []
        for boxes in layout.columns:
            columns.append([row for box in boxes for row in self._panel(console, moment, box)])
        return [[s for row in rows for s in row] for rows in zip(*columns, strict=True)]

    def _panel(self, console: Console, moment: LiveMoment, box: PanelBox) -> list[Row]:
        part = _part(moment, box.name)
        known = self._drawn.get(box.name)
        if known is not None and known[0] == part and known[1] == box:
            return known[2]
        rows = panel_rows(console, moment, box)
        self._drawn[box.name] = (part, box, rows)
        return rows

    def _title(self, moment: LiveMoment, console: Console, width: int) -> Row:
        time = clock(moment.t)
        name = fit(f" treec  {moment.title}", width - len(time) - 2)
        gap = " " * max(width - cells(name) - len(time) - 1, 1)
        text = Text.assemble((name, "bold"), gap, (time, "bold"), " ")
        return console.render_lines(text, console.options.update(width=width, height=1))[0]


def _part(moment: LiveMoment, name: str) -> object:
    return {
        "talk": moment.talk,
        "agents": moment.workers,
        "recipe": (moment.recipe, moment.work),
        "tree": (moment.tree, moment.acted),
    }[name]


def panel_rows(console: Console, moment: LiveMoment, box: PanelBox) -> list[Row]:
    """The rows of one panel."""
    width, rows = box.width - 4, box.height - 2
    lines: Lines
    title = {"talk": "talk", "agents": "agents", "tree": "behaviour tree"}.get(box.name, "")
    match box.name:
        case "talk":
            lines = talk_lines(moment.talk, width, rows)
        case "agents":
            lines = agent_lines(moment.workers, width, rows)
        case "recipe":
            title = fit(moment.recipe or "no recipe yet", width - 2)
            lines = recipe_lines(moment.work, width, rows)
        case _:
            lines = [list(line) for line in live_tree.lines(moment.tree, width, rows)]
    text = Text("\n").join(_text(line, width) for line in lines[: max(rows, 0)])
    acted = fit(f"last: {moment.acted}", width - 2) if box.name == "tree" and moment.acted else ""
    panel = Panel(
        text,
        subtitle=Text(acted) if acted else None,
        subtitle_align="right",
        title=Text(title),
        title_align="left",
        box=ROUNDED if console.encoding.startswith("utf") else SQUARE,
        width=box.width,
        height=box.height,
        border_style="dim",
        padding=(0, 1),
    )
    options = console.options.update(width=box.width, height=box.height)
    return console.render_lines(panel, options)


def _text(line: Iterable[Piece], width: int) -> Text:
    text = Text.assemble(*((words, style) for words, style in line if words), no_wrap=True)
    text.truncate(width, overflow="ellipsis")
    return text


def talk_lines(talk: Sequence[TalkLine], width: int, rows: int) -> Lines:
    """The newest lines of talk, wrapped, the last at the bottom."""
    found: Lines = []
    for utterance in reversed(talk):
        if len(found) >= rows:
            break
        found = _format_utterance(utterance, width) + found
    return found[max(len(found) - rows, 0) :]


def _format_utterance(utterance: TalkLine, width: int) -> Lines:
    time = clock(utterance.t).rjust(5) + " "
    indent = len(time)
    if not utterance.who:
        noted = wrap(utterance.text, max(width - indent, 8), cells)
        style = "red" if utterance.text[:1] in "✗!" else "yellow"
        head: list[Piece] = [(time, "dim"), (noted[0], style)]
        return [head, *([(" " * indent + line, style)] for line in noted[1:])]
    name = utterance.who + ": "
    words = wrap(name + utterance.text, max(width - indent, 8), cells)
    style = PERSON if utterance.person else ASSISTANT if utterance.who == "assistant" else "bold"
    first = words[0]
    shown = min(len(name.rstrip()), len(first))
    head = [(time, "dim"), (first[:shown], style), (first[shown:], "")]
    return [head, *([(" " * indent + line, "")] for line in words[1:])]


def agent_lines(workers: Sequence[LiveAgent], width: int, rows: int) -> Lines:
    """Two lines per agent, or one if space is short: current subtask, then queue."""
    name_width = min(max((cells(w.name) for w in workers), default=0), 12)
    short = rows < 2 * len(workers)
    found: Lines = []
    for worker in workers:
        name = fit(worker.name, name_width)
        name += " " * (name_width - cells(name) + 1)
        sign, words, style = _at(worker)
        room = width - cells(name) - 2
        head: list[Piece] = [(name, PERSON if worker.person else "bold"), (sign + " ", style)]
        gap = room - cells(words) - cells(worker.doing)
        beside = bool(worker.doing) and (gap >= 2 or short)
        step = " " * max(gap, 2) + worker.doing if beside else ""
        found.append([*head, (words, "bold" if worker.current else "dim"), (step, "")])
        if not short:
            below = "" if beside else worker.doing
            then = _waits(worker)
            below += ", " if below and then else ""
            found.append([(" " * (name_width + 3), ""), (below, ""), (then, "dim")])
    return found


def _at(worker: LiveAgent) -> tuple[str, str, str]:
    if worker.unconfirmed:
        return "!", "did not confirm its stop", "bold red"
    if worker.status == "Interrupted":
        return "■", "stopped, waits for a yes", "bold yellow"
    if worker.current:
        return "▸", worker.current, "bold yellow"
    return "·", "idle", "dim"


def _waits(worker: LiveAgent) -> str:
    parts = []
    if worker.queue:
        verb = "holds" if worker.status == "Interrupted" else "then"
        parts.append(f"{verb} {', '.join(worker.queue)}")
    if worker.asked:
        parts.append(f"asked: {', '.join(worker.asked)}?")
    return "; ".join(parts)


def recipe_lines(work: Sequence[LiveSubtask], width: int, rows: int) -> Lines:
    """A progress bar, then the subtasks; if space is short, finished ones share a line."""
    if not work:
        return [[("no subtasks yet", "dim")]]
    done = sum(1 for item in work if item.status == "done")
    whole = sum(1 for item in work if item.status != "dropped")
    counted = f" {done} of {whole} done"
    room = max(width - len(counted), 4)
    filled = round(room * done / whole) if whole else 0
    found: Lines = [[("━" * filled, "green"), ("─" * (room - filled), "dim"), (counted, "")]]
    shown = list(work)
    if len(shown) > rows - 1:
        over = [item for item in work if item.status in ("done", "dropped")]
        if len(over) > 1:
            shown = [item for item in work if item not in over]
            names = ", ".join(item.words for item in over)
            found.append([("✓ ", "green"), (fit(names, width - 2), "dim")])
    room = rows - len(found)
    if len(shown) > room:
        order = ("running", "interrupted", "failed", "asked", "queued", "open", "waiting")
        kept = sorted(shown, key=lambda item: order.index(item.status))[: max(room - 1, 0)]
        rest = len(shown) - len(kept)
        shown = [item for item in shown if item in kept]
        return [*found, *(_work_line(i, width) for i in shown), [(f"… {rest} more", "dim")]]
    return [*found, *(_work_line(item, width) for item in shown)]


def _work_line(item: LiveSubtask, width: int) -> list[Piece]:
    sign, style = WORK_SIGNS.get(item.status, ("·", ""))
    status = _SAID_OF.get(item.status, "{}").format(item.agent) if item.agent else ""
    if item.status in ("open", "dropped", "failed"):
        status = item.status
    status = fit(status, width // 2)
    words = fit(item.words, max(width - cells(status) - 3, 4))
    gap = " " * max(width - 2 - cells(words) - cells(status), 1)
    return [(sign + " ", style), (words, _LINE_STYLE.get(item.status, "")), (gap + status, "dim")]


def status_rows(console: Console, moment: LiveMoment, tree: bool) -> Text:
    """The panels of agents, recipe and, if wanted, the tree, to be printed once."""
    width = min(console.width, 100)
    boxes = [
        PanelBox("agents", width, 2 * len(moment.workers) + 2),
        PanelBox("recipe", width, max(len(moment.work), 0) + 3),
    ]
    if tree:
        boxes.append(PanelBox("tree", width, live_tree.height(moment.tree) + 2))
    text = Text()
    for box in boxes:
        for row in panel_rows(console, moment, box):
            text.append_text(Text.assemble(*((s.text, s.style or "") for s in row)))
            text.append("\n")
    text.rstrip()
    return text
