"""What actions, worlds and expressions are refused for, by the whole message."""

from __future__ import annotations

from pathlib import Path

from tests.support import golden
from tests.support.bench import Bench
from tests.support.files import tree
from treec.source.expression import Expression
from treec.team.actions import _guarded
from treec.world.events import StateSet


def test_what_cannot_be_is_told_by_these_words(tmp_path: Path) -> None:
    b = Bench(tmp_path, tree("check: true"))

    def value(text: str) -> object:
        return Expression.parse(text).evaluate(b.run.scope)

    owner = "the extension 'yard.acts:go': yard.acts:go"
    golden.check_told(
        {
            f"EventRefused: {owner}: it gave 3 among its events, not an Event": (
                lambda: _guarded("yard.acts:go", lambda: [3])()
            ),
            f"EventRefused: {owner}: it gave: 3 is not a list": (
                lambda: _guarded("yard.acts:go", lambda: 3)()
            ),
            "WorldError: 'state.set' by me: a trace is of a kind that changes nothing": (
                lambda: b.world.trace(StateSet("a", 1), "me")
            ),
            "WorldError: a world is restored before its first event": lambda: b.world.restore(()),
            "EventRefused: no state is called 'nosuch' (there is: level, mood, recipe_name)": (
                lambda: b.emit("state.set", name="nosuch", value=1)
            ),
            "EvaluationError: status takes (who)": lambda: value("status()"),
            "EvaluationError: unknown name 'nosuch'": lambda: value("nosuch('R1')"),
            "EvaluationError: at takes (Item), not (R1, R2)": lambda: value("at('R1', 'R2')"),
        }
    )
