"""`read`: a reading of what people said and nobody has read yet.

All unread utterances are read together; the commit that holds their acts marks them read. The
parser's acts are the answer when no model is there, and a floor under the model's: kinds in `veto`
are never taken away. A `stop` of the parser takes effect in the tick in which it is read.

SUCCESS: nothing is unread; or, while an answer is awaited, a vetoed act was just committed, so
that the tree can act on it in this very tick.

FAILURE: neither parser nor model could read the words.

RUNNING: an answer is awaited.

Memory: the request in flight and the acts committed ahead of it; kept over a SUCCESS.

Halting: the request is cancelled; what is unread stays unread. New words discard a request in
flight, and all are read together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from py_trees.common import Status

from engine.ask.transport import Answer
from engine.files.entry import Entry
from engine.files.prompts import ReadingFile
from engine.nodes.asking import Asking, answer_json, messages, parse_answer
from engine.nodes.leaf import WorldLeaf
from engine.nodes.observation import observe, plain
from engine.nodes.runtime import NodeError, Runtime, load
from engine.source.scope import Scope
from engine.team.entities import Utterance
from engine.team.talk_context import talk_context
from engine.world.world import Refused

REMARK = "remark"

Act = dict[str, Any]


class Reading(WorldLeaf):
    """Turns words into acts."""

    def __init__(
        self, name: str, runtime: Runtime, scope: Scope, entry: Entry[ReadingFile]
    ) -> None:
        super().__init__(name, runtime, scope)
        self.entry = entry
        self._asking: Asking | None = None
        self._reading: tuple[str, ...] = ()
        self._ahead: list[Act] = []
        self._floor: list[Act] = []
        self._parser: Callable[..., list[Act]] | None = None

    def work(self) -> Status:
        """Read what is unread."""
        unread = self.runtime.team.unread
        ids = tuple(utterance.id for utterance in unread)
        if self._asking is not None and ids != self._reading:
            self._drop()
        if not unread:
            return Status.SUCCESS
        if self._asking is not None:
            return self._look_at_answer(unread)
        self._floor = self._parsed(unread)
        self._reading = ids
        if self.runtime.asker is None:
            self._commit(unread, self._floor, "offline")
            return Status.SUCCESS
        return self._ask()

    def terminate(self, new_status: Status) -> None:
        """Close the request when stopped from above."""
        if new_status is Status.INVALID:
            self._drop()

    def _drop(self) -> None:
        if self._asking is not None:
            self._asking.cancel()
            self._asking = None

    def _parsed(self, unread: Sequence[Utterance]) -> list[Act]:
        target = self.entry.model.parser
        if target is None:
            if self.runtime.asker is None:
                raise NodeError(f"{self.entry.name} has no parser, and no model is there to read")
            return []
        if self._parser is None:
            try:
                self._parser = load(target)
            except (ImportError, AttributeError) as error:
                raise NodeError(f"the parser {target}: {error}") from error
        found: list[Act] = []
        for utterance in unread:
            context = talk_context(self.runtime.team, tuple(self.entry.model.acts))
            try:
                acts = self._parser(utterance.text, context)
            except Exception as error:  # a parser is anybody's code
                raise NodeError(f"the parser {target} raised {error!r}") from error
            found.extend({**act, "utterance": utterance.id} for act in acts)
        return found

    def _ask(self) -> Status:
        model = self.entry.model
        seen = observe(model.sees, self.scope)
        prompt = messages(
            self.runtime, self.entry, self.scope, {"kinds": list(model.acts)}, answer_json
        )
        self._asking = Asking(self.runtime, self.entry, self.path, prompt, _schema(model), seen)
        done = {(act["kind"], act["quote"], act["utterance"]) for act in self._ahead}
        certain = [act for act in self._floor if act["kind"] in model.veto]
        fresh = [a for a in certain if (a["kind"], a["quote"], a["utterance"]) not in done]
        if not fresh:
            return Status.RUNNING
        self._ahead.extend(fresh)
        self._tell([], fresh, "parser")
        return Status.SUCCESS

    def _look_at_answer(self, unread: Sequence[Utterance]) -> Status:
        assert self._asking is not None
        asking = self._asking
        result = asking.take()
        if result is None:
            return Status.RUNNING
        if isinstance(result, Exception):
            asking.failed(result)
            self._asking = None
            self._commit(unread, self._floor, "offline")
            return Status.SUCCESS
        try:
            acts = self._valid(result, unread)
            self._asking = None
            self._commit(unread, self._with_floor(acts), result.by)
            asking.accepted(result)
            return Status.SUCCESS
        except (ValueError, Refused) as error:
            self._asking = asking
            if asking.again(result, str(error)):
                return Status.RUNNING
        self._asking = None
        self._commit(unread, self._floor, "offline")
        return Status.SUCCESS

    def _with_floor(self, acts: list[Act]) -> list[Act]:
        """The model's acts, and those of the parser that it may not take away."""
        kinds = {(act["kind"], act["utterance"]) for act in acts}
        kept = [
            act
            for act in self._floor
            if act["kind"] in self.entry.model.veto and (act["kind"], act["utterance"]) not in kinds
        ]
        return [*acts, *kept]

    def _valid(self, answer: Answer, unread: Sequence[Utterance]) -> list[Act]:
        data = parse_answer(answer).get("acts")
        if not isinstance(data, list):
            raise ValueError("'acts' must be a list.")
        return [self._valid_act(item, unread) for item in data]

    def _valid_act(self, item: Any, unread: Sequence[Utterance]) -> Act:
        kinds = self.entry.model.acts
        if not isinstance(item, Mapping) or item.get("kind") not in kinds:
            raise ValueError(f"every act has a 'kind', one of {', '.join(kinds)}.")
        quote = item.get("quote")
        source = next((u for u in unread if isinstance(quote, str) and quote in u.text), None)
        if source is None or not quote:
            raise ValueError(f"the quote {quote!r} is not what the user said, word for word.")
        known = {"kind", "quote", *kinds[item["kind"]]}
        extra = [key for key in item if key not in known]
        if extra:
            raise ValueError(f"an act of kind {item['kind']} has no field '{extra[0]}'.")
        return {**item, "utterance": source.id}

    def _commit(self, unread: Sequence[Utterance], acts: list[Act], by: str) -> None:
        done = {(act["kind"], act["utterance"]) for act in self._ahead}
        fresh = [act for act in acts if (act["kind"], act["utterance"]) not in done]
        if REMARK in self.entry.model.acts:
            spoken = {act["utterance"] for act in acts}
            fresh += [
                {"kind": REMARK, "quote": u.text, "utterance": u.id}
                for u in unread
                if u.id not in spoken
            ]
        self._tell([u.id for u in unread], fresh, by)
        self._ahead = []

    def _tell(self, read: list[str], acts: list[Act], by: str) -> None:
        numbers: dict[str, int] = {}
        earlier = list(self._ahead if read else ())
        for act in earlier:
            numbers[act["utterance"]] = numbers.get(act["utterance"], 0) + 1
        told = []
        for act in acts:
            number = numbers[act["utterance"]] = numbers.get(act["utterance"], 0) + 1
            told.append({**_plain_act(act), "id": f"{act['utterance']}.{number}"})
        data = {"for": "reading", "node": self.path, "name": self.entry.name, "by": by}
        events = [("acts.read", {"utterances": read, "acts": told})]
        self.runtime.world.commit(self.path, data, events)


def _plain_act(act: Act) -> dict[str, object]:
    return {name: plain(value, 1) for name, value in act.items()}


def _schema(model: ReadingFile) -> dict[str, object]:
    options = []
    for kind, fields in model.acts.items():
        properties: dict[str, object] = {"kind": {"const": kind}, "quote": {"type": "string"}}
        properties.update({name: {} for name in fields})
        options.append(
            {
                "type": "object",
                "properties": properties,
                "required": ["kind", "quote"],
                "additionalProperties": False,
            }
        )
    return {
        "type": "object",
        "properties": {
            "reasoning": {"type": "string"},
            "acts": {"type": "array", "items": {"anyOf": options}},
        },
        "required": ["reasoning", "acts"],
        "additionalProperties": False,
    }
