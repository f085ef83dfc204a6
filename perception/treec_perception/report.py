"""What each look of a run found, in its report: pictures, proposals, scores, point and error."""

from __future__ import annotations

import io
import math
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from treec.nodes.events import NeedAnswered
from treec.render.page import PagePart, render_table
from treec.run.timeline import Timeline
from treec_live.film_page import render_shots, style
from treec_perception.stages import LOCALIZER_STAGES, eye_of

ROWS = 60
"""Maximum number of looks; of a longer run the first and the last half."""

WIDTH = 480
"""Width of the pictures, in pixels."""

LEARNED = {
    "place": "seen at",
    "uncertainty": "may be off by",
    "moved": "moved by",
    "gone": "its place is empty for",
    "doubt": "doubt",
    "says": "said",
}
"""What a look has changed in what is known, by the key of its record."""

Look = Mapping[str, Any]


def looks(times: Timeline) -> Iterator[PagePart]:
    """Yield the part about the looks of a run with `--see`; nothing for other runs."""
    answers = [(t, need) for t, need in times.needs if need.provider == "localize"]
    if not answers:
        return
    yield PagePart("How the looks went", tuple(_summary(answers)))
    shown, note = answers, "Pink is the mask of the best box."
    if len(answers) > ROWS:
        shown = [*answers[: ROWS // 2], *answers[-ROWS // 2 :]]
        note = f"The first and the last {ROWS // 2} of {len(answers)} looks. {note}"
    html = "".join(_one(t, need, times.folder) for t, need in shown)
    yield PagePart("What each look found", html=html, note=note, style=style())


def _summary(answers: Sequence[tuple[float, NeedAnswered]]) -> Iterator[tuple[str, str]]:
    last = _last_answers(answers)
    there = [need for need in last if need.value is not None]
    names = dict.fromkeys(it.record["localizer"] for it in last if "localizer" in it.record)
    if names:
        yield "localizer", ", ".join(names)
    yield "found", f"{len(there)} of {len(last)}"
    errors = sorted(need.record["error"] for need in there if "error" in need.record)
    if errors:
        middle = errors[(len(errors) - 1) // 2]
        yield "off the truth", f"{1000 * middle:.0f} mm (median), {1000 * errors[-1]:.0f} mm (most)"


def _last_answers(answers: Sequence[tuple[float, NeedAnswered]]) -> list[NeedAnswered]:
    """The answers, without those after which the same was looked for again from elsewhere."""
    last: dict[int, NeedAnswered] = {}
    newest: dict[tuple[str, ...], int] = {}
    for number, (_, need) in enumerate(answers):
        key = (need.agent, need.skill, need.need, *need.args.values())
        if need.record.get("again") and key in newest:
            del last[newest[key]]
        last[number] = need
        newest[key] = number
    return list(last.values())


def _one(t: float, need: NeedAnswered, folder: Path | None) -> str:
    thing = ", ".join(need.args.values())
    answer = need.why or str(need.record.get("summary", "answered"))
    title = f"{t:.1f} s, {need.agent}: {need.skill}({thing}): {answer}"
    rows: Sequence[Look] = need.record.get("looks", ())
    pictures = []
    for look in rows:
        picture = _picture(folder, look, need.record.get("files", ()))
        if picture is not None:
            pictures.append((eye_of(look), picture))
    tables = "".join(_table(look, need.record.get("truth")) for look in rows)
    learned = [
        (words, text) for key, words in LEARNED.items() if (text := _plain(need.record, key))
    ]
    return render_shots([(title, pictures)]) + (render_table(learned) if learned else "") + tables


def _plain(record: Mapping[str, Any], key: str) -> str:
    value = record.get(key)
    if isinstance(value, float):
        return f"{1000 * value:.0f} mm"
    return ", ".join(value) if isinstance(value, list | tuple) else str(value or "")


def _table(look: Look, truth: Sequence[float] | None) -> str:
    """One camera's point, and its proposals with the score after each stage."""
    stages = [
        name
        for name in LOCALIZER_STAGES
        if any(name in it["scores"] for it in (*look["proposals"], *look["dropped"]))
    ]
    rows = [
        (str(at), _box(it), *_scores(it, stages), "chosen" if at == 1 and look["found"] else "")
        for at, it in enumerate(look["proposals"], 1)
    ]
    rows += [("", _box(it), *_scores(it, stages), "suppressed") for it in look["dropped"]]
    head = ("", "box (pixels)", *stages, "")
    facts = [("camera", eye_of(look)), ("result", _result(look, truth))]
    return render_table(facts) + (render_table(rows, head) if rows else "")


def _result(look: Look, truth: Sequence[float] | None) -> str:
    parts = ["found" if look["found"] else look["why"] or look["note"] or "not found"]
    point = look["point"]
    if point is not None:
        where = ", ".join(f"{x:.3f}" for x in point)
        parts.append(f"point ({where}) m in the frame of the {look['frame']}")
        if truth is not None:
            parts.append(f"{1000 * math.dist(point, truth):.0f} mm off the truth")
    elif truth is not None:
        parts.append(f"it is at ({', '.join(f'{x:.3f}' for x in truth)}) m")
    if look["spread"] is not None:
        parts.append(f"spread {1000 * look['spread']:.0f} mm")
    if look["depth"] is not None:
        parts.append(f"{look['depth']:.2f} m away")
    parts.append(f"mask of {look['mask_pixels']} pixels")
    return "; ".join(parts)


def _box(proposal: Look) -> str:
    return " ".join(f"{x:.0f}" for x in proposal["box"])


def _scores(proposal: Look, stages: Sequence[str]) -> list[str]:
    scores = proposal["scores"]
    return [f"{scores[name]:.3f}" if name in scores else "" for name in stages]


def _picture(folder: Path | None, look: Look, files: Sequence[str]) -> bytes | None:
    """Return a look's annotated picture as WebP; None if it is not beside the journal."""
    if folder is None:
        return None
    ending = f"-{look['camera']}-{look['picture']}.png"
    name = next((it for it in files if it.endswith(ending)), None)
    if name is None or Path(name).is_absolute() or ".." in Path(name).parts:
        return None  # a journal may come from elsewhere
    try:
        from PIL import Image

        with Image.open(folder / name) as image:
            image.thumbnail((WIDTH, WIDTH))
            data = io.BytesIO()
            image.save(data, "WEBP", quality=80)
    except (ImportError, OSError):
        return None
    return data.getvalue()
