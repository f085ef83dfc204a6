"""`read`: a reading of what people said and nobody has read yet.

All unread utterances are read together; the commit that holds their acts marks them read. The
parser's acts are the answer when no model is there, and a floor under the model's: kinds in `veto`
are never taken away. A `stop` of the parser takes effect in the tick in which it is read.

SUCCESS: nothing is unread; or, while an answer is awaited, a vetoed act was just committed, so
that the tree can act on it in this very tick.

FAILURE: neither parser nor model could read the words. They are marked read all the same, as a
`remark` where the reading has that kind, so that they are not tried for ever.

RUNNING: an answer is awaited.

Memory: the request in flight and the acts committed ahead of it; kept over a SUCCESS.

Halting: the request is cancelled; what is unread stays unread, and what was committed ahead is not
committed again. New words discard a request in flight, and all are read together.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any, cast

from py_trees.common import Status

from treec.files.entry import Entry
from treec.files.prompts import ReadingFile
from treec.files.types import BOOL, ListOf, Type, json_schema, misfit, parse_type
from treec.nodes.asking import Asking, answer_json, closed, messages, parse_answer
from treec.nodes.leaf import WorldLeaf
from treec.nodes.observation import observe, plain
from treec.nodes.runtime import NodeError, Runtime, load
from treec.source.marks import quoted
from treec.source.scope import Scope
from treec.team.entities import Utterance
from treec.team.events import ActsRead
from treec.team.talk import TalkContext
from treec.team.talk_context import talk_context
from treec.world.events import Commit, Refused

REMARK = "remark"

Act = dict[str, Any]
Parser = Callable[[str, TalkContext], list[Act]]


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
        self._unreadable = ""
        self._parser: Parser | None = None

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
        self._reading = ids
        self._floor, self._unreadable = [], ""
        try:
            self._floor = self._parsed(unread)
        except NodeError as error:
            self._unreadable = str(error)
        if self.runtime.asker is None:
            return self._read_offline(unread)
        if self._unreadable:
            self.runtime.node_failed(self.path, self._unreadable, __name__)
        certain = self._commit_ahead()  # before asking: what is certain waits for nothing
        self._ask()
        return Status.SUCCESS if certain else Status.RUNNING

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
            self._unreadable = f"{self.entry.name} has no parser, and no model has read the words"
            return []
        if self._parser is None:
            try:
                self._parser = cast(Parser, load(target))
            except Exception as error:  # a parser is anybody's code
                raise NodeError(f"the parser {target}: {error}") from error
        found: list[Act] = []
        for utterance in unread:
            context = talk_context(self.runtime.team, tuple(self.entry.model.acts))
            try:
                acts = list(self._parser(utterance.text, context))
            except Exception as error:
                raise NodeError(f"the parser {target} raised {error!r}") from error
            try:
                found.extend(self._valid_act(act, [utterance]) for act in acts)
            except ValueError as error:
                raise NodeError(f"the parser {target}: {error}") from error
        return found

    def _commit_ahead(self) -> bool:
        """Let the parser's vetoed acts take effect; whether there were new ones."""
        certain = [act for act in self._floor if act["kind"] in self.entry.model.veto]
        fresh = self._new(certain)
        if fresh:
            self._tell([], fresh, "parser")
            self._ahead.extend(fresh)
        return bool(fresh)

    def _new(self, acts: list[Act]) -> list[Act]:
        """Those that were not committed ahead; the same act may quote other words."""
        done = [_without_quote(act) for act in self._ahead]
        return [act for act in acts if _without_quote(act) not in done]

    def _read_offline(self, unread: Sequence[Utterance]) -> Status:
        self._commit(unread, self._floor, "offline")
        return self.fail(self._unreadable) if self._unreadable else Status.SUCCESS

    def _ask(self) -> None:
        model = self.entry.model
        seen = observe(model.sees, self.scope)
        prompt = messages(
            self.runtime, self.entry, self.scope, {"kinds": list(model.acts)}, answer_json
        )
        self._asking = Asking(self.runtime, self.entry, self.path, prompt, _schema(model), seen)

    def _look_at_answer(self, unread: Sequence[Utterance]) -> Status:
        assert self._asking is not None
        asking = self._asking
        result = asking.take()
        if result is None:
            return Status.RUNNING
        if isinstance(result, Exception):
            asking.failed(result)
            self._asking = None
            return self._read_offline(unread)
        try:
            self._commit(unread, self._valid(parse_answer(result), unread), result.by)
        except (ValueError, Refused) as error:
            if asking.again(result, str(error)):
                return Status.RUNNING
            self._asking = None
            return self._read_offline(unread)
        asking.accepted(result)
        self._asking = None
        return Status.SUCCESS

    def _valid(self, answer: Mapping[str, Any], unread: Sequence[Utterance]) -> list[Act]:
        data = answer.get("acts")
        if not isinstance(data, list):
            raise ValueError("'acts' must be a list.")
        return [self._valid_act(item, unread) for item in data]

    def _valid_act(self, item: Any, unread: Sequence[Utterance]) -> Act:
        kinds = self.entry.model.acts
        if not isinstance(item, Mapping) or item.get("kind") not in kinds:
            raise ValueError(f"every act has a 'kind', one of {', '.join(kinds)}.")
        quote = item.get("quote")
        said = ((u, quoted(quote, u.text)) for u in unread) if isinstance(quote, str) else ()
        source, words = next(((u, words) for u, words in said if words), (None, ""))
        if source is None:
            raise ValueError(f"the quote {quote!r} is not what the user said, word for word.")
        known = {"kind", "quote", *kinds[item["kind"]]}
        extra = [key for key in item if key not in known]
        if extra:
            raise ValueError(f"an act of kind {item['kind']} has no field '{extra[0]}'.")
        for name, kind in kinds[item["kind"]].items():
            if isinstance(kind, str) and not self._fits(parse_type(kind), item.get(name)):
                given = f"not {item[name]!r}" if name in item else "and is missing"
                raise ValueError(f"'{name}' of an act of kind {item['kind']} is {kind}, {given}.")
        return {**item, "quote": words, "utterance": source.id}

    def _fits(self, kind: Type, value: object) -> bool:
        """Whether a field is what its type asks for; a list or a bool may be left out."""
        if value is None and (isinstance(kind, ListOf) or kind == BOOL):
            return True
        return misfit(kind, value, self.runtime.team.now) is None

    def _commit(self, unread: Sequence[Utterance], acts: list[Act], by: str) -> None:
        fresh = self._new(acts)
        if REMARK in self.entry.model.acts:
            spoken = {act["utterance"] for act in (*acts, *self._ahead)}
            fresh += [
                {"kind": REMARK, "quote": u.text, "utterance": u.id}
                for u in unread
                if u.id not in spoken
            ]
        self._tell([u.id for u in unread], fresh, by)
        self._ahead = []

    def _tell(self, read: list[str], acts: list[Act], by: str) -> None:
        numbers = Counter(act["utterance"] for act in self._ahead)
        told = []
        for act in acts:
            utterance = act["utterance"]
            numbers[utterance] += 1
            told.append({**_plain_act(act), "id": f"{utterance}.{numbers[utterance]}"})
        read_now = ActsRead(tuple(read), tuple(told))
        done = Commit("reading", (read_now,), node=self.path, name=self.entry.name, by=by)
        self.runtime.world.emit(done, self.path)


def _plain_act(act: Act) -> dict[str, object]:
    return {name: plain(value, 1) for name, value in act.items()}


def _without_quote(act: Act) -> dict[str, object]:
    return {name: value for name, value in _plain_act(act).items() if name != "quote"}


def _schema(model: ReadingFile) -> dict[str, object]:
    options = []
    for kind, fields in model.acts.items():
        properties: dict[str, object] = {"kind": {"const": kind}, "quote": {"type": "string"}}
        properties.update({name: _field_schema(type_) for name, type_ in fields.items()})
        options.append(closed(properties, ("kind", "quote")))
    acts = {"type": "array", "items": {"anyOf": options}}
    return closed({"reasoning": {"type": "string"}, "acts": acts})


def _field_schema(kind: object) -> dict[str, object]:
    """Of a field's type; a mapping of types, as of a task's arguments, holds names."""
    if isinstance(kind, str):
        return json_schema(parse_type(kind))
    return {"type": "object", "additionalProperties": {"type": "string"}}
