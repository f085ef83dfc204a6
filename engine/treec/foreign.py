"""Foreign code: what anybody but treec has written, and the one guard around every call of it.

Workers, node classes, parsers, environments, transports, sensors, filters and extensions are
anybody's code. Each call of it, and each import, stands in a ``with guard(module)`` block: whatever
leaves the block becomes a :class:`ForeignError`, which the caller turns into the failure of the
skill, node, reading, environment or extension that the code belongs to. That includes `exit()`, a
cancelled task, exceptions of its own that are no Exception, one whose message cannot be read, and a
KeyboardInterrupt that it raises itself; the user's Ctrl-C passes. What it prints on the way goes to
standard error, so that the output of a command stays what it is.

What it delivers is looked at inside the same block, since its objects may do anything when they are
compared, iterated or printed: :func:`plain_copy` copies data, within bounds.

No code in the process can contain `os._exit`, a crash of the interpreter, or memory that runs out.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, nullcontext, suppress
from functools import cache
from importlib import import_module
from io import TextIOBase
from itertools import islice
from types import FrameType, ModuleType, TracebackType
from typing import Any, Literal, TextIO, TypeVar

MOST = 10_000
"""Effects, acts, sensed facts or events that foreign code may deliver at once."""

MOST_TEXT = 2_000
"""Characters of a text of foreign code that are kept; the rest is told by its fingerprint."""

_MOST_BITS = 1_024
"""Of a whole number; Python writes none that is much longer."""

_DEPTH = 64

T = TypeVar("T")


class ForeignError(Exception):
    """Foreign code raised, exited or delivered what is none; the message says what and where.

    ``exception`` and ``text`` are the class and the message of what was raised, ``place`` the file
    and line where it arose in the code's package, ``module`` the module that raised it.
    """

    def __init__(self, error: BaseException, module: str) -> None:
        self.exception = _name(type(error))
        self.text = text_of(error)
        self.place, self.module = _place_of(error, module.partition(".")[0])
        where = f" ({self.place})" if self.place else ""
        super().__init__(": ".join(filter(None, (self.exception, self.text))) + where)


class HeldTooLong(KeyboardInterrupt):
    """Raised by a run's watchdog in foreign code that holds its loop for longer than it may."""


class BadReport(ForeignError):
    """Something of the wrong type, or too much, was returned or reported."""

    def __init__(self, text: str) -> None:
        Exception.__init__(self, text)
        self.exception, self.text, self.place, self.module = type(self).__name__, text, "", ""


def as_foreign(error: BaseException, module: str) -> ForeignError:
    """What foreign code of a module has raised, if the guard has not said it already."""
    return error if isinstance(error, ForeignError) else ForeignError(error, module)


class guard:
    """Contains foreign code of a ``module``: raises ForeignError from whatever leaves the block.

    ``passing`` are exceptions of treec's own that the code may raise on purpose. A call that must
    end ``within`` some real seconds is interrupted by the run's watchdog. A copy of the process
    that the code has made (`os.fork`) does not leave the block: it is ended.
    """

    __slots__ = (
        *("_before", "_passing", "_pid", "_stdout"),
        *("began", "is_overdue", "module", "printed", "within"),
    )

    def __init__(
        self, module: str, *passing: type[BaseException], within: float | None = None
    ) -> None:
        self.module = module
        self.within = within
        self.is_overdue = False
        """Whether it has taken longer, and is to be interrupted."""
        self.printed = 0
        """The characters that it has printed."""
        self.began = 0.0 if within is None else time.monotonic()
        self._passing: tuple[type[BaseException], ...] = (ForeignError, *passing)

    def __enter__(self) -> guard:
        self._before = sys.exception()
        self._pid = os.getpid()
        self._stdout = sys.stdout
        _inside.setdefault(threading.get_ident(), []).append(self)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> Literal[False]:
        if os.getpid() != self._pid:
            from treec.child import end_copy

            end_copy(self._pid)
        thread = threading.get_ident()
        global _insists
        if _insists and self.is_overdue:
            _insists = False
            sys.settrace(None)
        calls = _inside[thread]
        calls.pop()
        if not calls:
            del _inside[thread]
        if _taken is not None and not isinstance(sys.stdout, _Stream):
            sys.stdout = self._stdout  # it may have put something else there
        return self._contain(kind, error)

    async def __aenter__(self) -> guard:
        """Contain a coroutine, which others take turns with: it may print, and hold nobody."""
        self._before = sys.exception()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> Literal[False]:
        asyncio: Any = sys.modules.get("asyncio")
        ends = (GeneratorExit, *([asyncio.CancelledError] if asyncio is not None else ()))
        return False if isinstance(error, ends) else self._contain(kind, error)

    def _contain(
        self, kind: type[BaseException] | None, error: BaseException | None
    ) -> Literal[False]:
        if (
            self.is_overdue
            and error is not None
            and any(isinstance(link, HeldTooLong) for link in _chain(error, self._before))
        ):
            raise BadReport(f"did not return within {self.within:g} s") from error
        if error is None or (kind is not None and issubclass(kind, self._passing)):
            return False
        if isinstance(error, HeldTooLong):
            return False
        if is_ctrl_c(error, self._before):
            if isinstance(error, KeyboardInterrupt):
                return False
            raise KeyboardInterrupt from error
        raise ForeignError(error, self.module) from error


_inside: dict[int, list[guard]] = {}
"""The foreign calls that each thread is in, the outermost first."""


@contextmanager
def outside() -> Iterator[None]:
    """Code of treec's own that foreign code has called: what it prints is the command's output."""
    thread = threading.get_ident()
    calls = _inside.pop(thread, None)
    try:
        yield
    finally:
        if calls is not None:
            _inside[thread] = calls


def module_inside(thread: int) -> str | None:
    """The module of the foreign code that a thread has called last; None while it runs none."""
    calls = _inside.get(thread)
    return calls[-1].module if calls else None


USUAL = 5.0
"""Real seconds that a call may take which must end in time, if its code says nothing else."""


def overdue_call(thread: int, now: float, hurry: float | None = None) -> guard | None:
    """The call of a thread that has taken longer than it may at ``now`` (``time.monotonic()``).

    ``hurry`` is how long one may take whose code does not say that it may take longer than usual.
    """
    for call in tuple(_inside.get(thread, ())):
        if call.within is None:
            continue
        if hurry is not None and hurry < call.within <= USUAL and now - call.began >= hurry:
            call.within = hurry
        if now - call.began >= call.within:
            return call
    return None


def insist(frame: FrameType | None, module: str) -> None:
    """Interrupt the code of others again as soon as it catches its interrupt: at its next line."""
    global _insists
    if sys.gettrace() is not None:  # a debugger's
        return
    package = module.partition(".")[0]

    def trace(frame: FrameType, event: str, argument: object) -> Any:
        if event == "line":
            raise HeldTooLong
        return trace

    while frame is not None:
        if str(frame.f_globals.get("__name__", "")).partition(".")[0] == package:
            frame.f_trace = trace
        frame = frame.f_back
    _insists = True
    sys.settrace(lambda frame, event, argument: None)


_insists = False
"""Whether the interpreter traces the code of others because it is interrupted."""


def is_overdue(thread: int) -> bool:
    """Whether a thread is in a call that is to be interrupted."""
    return any(call.is_overdue for call in tuple(_inside.get(thread, ())))


def guarded(function: Callable[..., T], module: str, *passing: type[Exception]) -> Callable[..., T]:
    """A foreign function that raises ForeignError from whatever it raises."""

    def call(*args: object, **values: object) -> T:
        with guard(module, *passing):
            return function(*args, **values)

    return call


@cache
def is_foreign(module: str) -> bool:
    """Whether a module belongs to neither treec, its companions nor py_trees."""
    return module.partition(".")[0] not in _ours()


@cache
def _ours() -> frozenset[str]:
    from treec.companions import COMPANIONS

    return frozenset(
        (
            "treec",
            "py_trees",
            *(it for one in COMPANIONS for it in one.modules if not one.is_guarded),
        )
    )


def import_foreign(target: str, passing: tuple[type[Exception], ...] = ()) -> object:
    """A foreign module, or the object at ``package.module:name``. Raises ForeignError.

    The folder of the process, which paths of a command are relative to, stays as it is.
    """
    module, _, name = target.partition(":")
    known = None if name else sys.modules.get(module)
    if known is not None and not getattr(known.__spec__, "_initializing", False):
        return known  # else another thread imports it at this moment
    own = module.startswith("treec.")  # it prints nothing
    with guard(module, *passing), nullcontext() if own else _same_process():
        found: object = import_module(module)
        for part in name.split(".") if name else ():
            found = getattr(found, part)
    return found


# Whose interrupt it is


def _chain(error: BaseException, before: BaseException | None) -> Iterator[BaseException]:
    """An exception and those that were being handled when it was raised, up to ``before``."""
    seen: set[int] = set()
    link: BaseException | None = error
    while link is not None and link is not before and id(link) not in seen:
        yield link
        seen.add(id(link))
        link = link.__context__


def is_ctrl_c(error: BaseException, before: BaseException | None = None) -> bool:
    """Whether Ctrl-C ended a block, also if the code has made another exception of it.

    ``before`` is what was being handled when the block began.
    """
    is_main = threading.current_thread() is threading.main_thread()
    return any(
        isinstance(link, HeldTooLong)
        or (is_main and isinstance(link, KeyboardInterrupt) and not _is_raised_by_code(link))
        for link in _chain(error, before)
    )


def _is_raised_by_code(error: KeyboardInterrupt) -> bool:
    """Whether a `raise` statement raised it, and neither Python nor a handler of the signal."""
    import signal  # only now: most processes never need to know
    from opcode import opname

    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return True
    code = trace.tb_frame.f_code
    handler: object = signal.getsignal(signal.SIGINT)
    if getattr(getattr(handler, "func", handler), "__code__", None) is code:
        return False
    return opname[code.co_code[trace.tb_lasti]] == "RAISE_VARARGS"


# What it prints, and what else of the process is not its own

MOST_PRINTED = 100_000
"""Characters that one call of foreign code may print."""


class _Stream(TextIOBase):
    """A standard stream of a command: what others print goes ``aside``, and nobody closes it."""

    def __init__(self, file: TextIO, aside: _Stream | None = None) -> None:
        self.file = file
        self._aside = aside or self

    def _goes_to(self) -> _Stream:
        thread = threading.current_thread()
        target = getattr(thread, "_target", None)
        begun_by = str(getattr(target, "__module__", None) or type(thread).__module__)
        is_own = thread is threading.main_thread() or not is_foreign(begun_by)
        return self if is_own and thread.ident not in _inside else self._aside

    def write(self, text: str) -> int:
        """Write a text; of what a foreign call prints only the first ``MOST_PRINTED``."""
        calls = _inside.get(threading.get_ident())
        if not calls:
            return self._goes_to().file.write(text)
        call = calls[0]
        before, call.printed = call.printed, call.printed + len(text)
        if before <= MOST_PRINTED:
            file = self._goes_to().file
            file.write(text[: MOST_PRINTED - before])
            if call.printed > MOST_PRINTED:
                file.write(f"… ({call.module} prints more, which is left out)\n")
        return len(text)

    def flush(self) -> None:
        """Flush what was written."""
        self._goes_to().file.flush()

    def close(self) -> None:
        """Leave it open, since others print to it as well."""

    def writable(self) -> bool:
        """Whether it can be written: yes."""
        return True

    def isatty(self) -> bool:
        """Whether it is a terminal."""
        return self.file.isatty()

    def fileno(self) -> int:
        """The number of its file."""
        return self._goes_to().file.fileno()

    @property
    def buffer(self) -> Any:
        """Its bytes."""
        return self._goes_to().file.buffer

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding of its texts."""
        return self.file.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        """What becomes of characters that the encoding lacks."""
        return self.file.errors

    def __getattr__(self, name: str) -> Any:
        return getattr(self.file, name)


class _Streams:
    """The standard streams of a command, in place of those of the process while it runs."""

    def __init__(self) -> None:
        self._before = sys.stdout, sys.stderr
        self._files: dict[int, TextIO] = {}
        self.stderr = _Stream(sys.stderr)
        is_shown = sys.stdout.isatty()  # on a terminal both are seen; a prompt may be waiting there
        self.stdout = _Stream(sys.stdout, None if is_shown else self.stderr)
        self.enter()

    def enter(self) -> None:
        """Be the streams of the process."""
        sys.stdout, sys.stderr = self.stdout, self.stderr

    def part(self) -> None:
        """Write to files of its own: whatever else writes to standard output is not the command.

        That is compiled code, programs that foreign code starts, and what it does at exit.
        """
        for stream in (self.stderr, self.stdout):
            with suppress(OSError, ValueError, AttributeError):  # closed, or no file
                number = stream.file.fileno()
                if number not in (1, 2) or number in self._files or stream.isatty():
                    continue
                file = stream.file
                file.flush()
                form = (file.encoding, file.errors)
                line = 1 if number == 2 else -1
                # at the end of the process nobody closes it, which is no leak to be warned of
                own = open(os.dup(number), "w", line, *form, closefd=False)  # noqa: SIM115
                self._files[number], stream.file = file, own
                if number == 1:
                    os.dup2(2, 1)

    def restore(self) -> None:
        """Give the process its streams back. Raises OSError if one cannot be written."""
        sys.stdout, sys.stderr = self._before
        for number, file in self._files.items():
            stream = self.stdout if number == 1 else self.stderr
            own, stream.file = stream.file, file
            copy = own.fileno()
            try:
                with own:
                    os.dup2(copy, number)
            finally:
                os.close(copy)


_taken: _Streams | None = None
"""The streams of the command that this process is."""


@contextmanager
def own_output(*, to_the_end: bool = False) -> Iterator[None]:
    """Standard output is the output of a command here: what foreign code prints is not.

    ``to_the_end`` of the process: foreign code may go on in threads.
    """
    global _taken
    if _taken is not None or any(one is None or one.closed for one in (sys.stdout, sys.stderr)):
        yield
        return
    _taken = _Streams()
    try:
        yield
    finally:
        if not to_the_end:
            taken, _taken = _taken, None
            taken.restore()


@contextmanager
def _same_process() -> Iterator[None]:
    """Keep a command's output, standard files, folder, path of modules and depth of calls."""
    if _taken is not None:
        _taken.part()
    folder, path, depth = None, [*sys.path], sys.getrecursionlimit()
    with suppress(OSError):
        folder = os.getcwd()
    try:
        yield
    finally:
        if sys.getrecursionlimit() < depth:
            sys.setrecursionlimit(depth)
        sys.path += [one for one in path if one not in sys.path]
        if folder is not None:
            with suppress(OSError):
                os.chdir(folder)
        if _taken is not None:
            _taken.enter()
        for number in range(3):  # the next file would be opened in the place of a closed one
            try:
                os.fstat(number)
            except OSError:
                os.dup2(os.open(os.devnull, os.O_RDWR), number)


# What is said of it


def text_of(error: BaseException) -> str:
    """The message of an exception, whose class may be anybody's; a long one is cut."""
    if isinstance(error, SystemExit) and type(error).__str__ is BaseException.__str__:
        return cut(f"it called exit({show(error.code) if error.code is not None else ''})")
    try:
        return cut(str.__str__(str(error)))
    except BaseException as other:
        if is_ctrl_c(other, error):
            raise
        return "its message cannot be read"


def show(value: object) -> str:
    """The `repr` of a foreign object; its class if that cannot be had, and a long one is cut."""
    before = sys.exception()
    try:
        return cut(str.__str__(repr(value)), 200)
    except BaseException as error:
        if is_ctrl_c(error, before):
            raise
        return f"<{_name(type(value))}>"


def cut(text: str, most: int = MOST_TEXT) -> str:
    """A text of at most ``most`` characters; of a longer one its beginning and fingerprint."""
    if len(text) <= most:
        return text
    from hashlib import sha256  # slow to import, and most texts are short

    mark = sha256(text.encode(errors="surrogatepass")).hexdigest()[:16]
    return f"{text[:most]}… ({len(text):,} characters, sha256 {mark})"


def _name(kind: type) -> str:
    return str(type.__dict__["__name__"].__get__(kind))


def _place_of(error: BaseException, package: str) -> tuple[str, str]:
    """The line of a package where an exception arose, and the module that raised it."""
    place, module = "", "unknown"
    trace = error.__traceback__
    while trace is not None:
        module = str(trace.tb_frame.f_globals.get("__name__", module))
        if module.partition(".")[0] == package:
            place = line_of(trace.tb_frame, trace.tb_lineno)
        trace = trace.tb_next
    return place, module


def line_of(frame: FrameType, line: int | None = None) -> str:
    """The file and line of a frame, relative to where its package is: `depot/nodes.py:31`."""
    name = str(frame.f_globals.get("__name__", ""))
    path = frame.f_code.co_filename.replace("\\", "/").split("/")
    levels = len(name.split(".")) + (path[-1] == "__init__.py")
    return f"{'/'.join(path[-levels:])}:{line or frame.f_lineno}"


def kind_of(value: object) -> str:
    """What something of the wrong type is: `None`, `a dict`, `the type Outcome`."""
    kind = type(value)
    if value is None or kind in (bool, int, float):
        return show(value)
    name = _name(kind)
    if isinstance(value, type):
        return f"the {name} {_name(value)}"
    if kind is ModuleType:
        return f"the module {show(vars(value).get('__name__'))[1:-1]}"
    return f"{'an' if name[:1] in 'AEIOUaeiou' else 'a'} {name}"


# What it delivers


def listed(value: object, what: str) -> list[object]:
    """The items of a list of foreign code. Raises BadReport, which says that ``what``."""
    if isinstance(value, str | bytes | Mapping) or not isinstance(value, Iterable):
        raise BadReport(f"{what}: {kind_of(value)} is not a list")
    items = list(islice(value, MOST + 1))
    if len(items) > MOST:
        raise BadReport(f"{what} more than {MOST:,} at once")
    return items


def plain_copy(
    value: object, what: str, *, longest: int = MOST_TEXT, objects: bool = False
) -> object:
    """A copy of foreign data as exactly dict, list, str, int, float, bool and None.

    Texts longer than ``longest`` are cut. Raises BadReport, which begins with ``what``, for
    anything else unless ``objects`` are left as they are, and for more than ``MOST`` values.
    """
    left = MOST

    def copy(value: object, depth: int) -> object:
        nonlocal left
        left -= 1
        if left < 0:
            raise BadReport(f"{what} has more than {MOST:,} values")
        kind = type(value)
        if value is None or kind is bool or kind is float:
            return value
        if isinstance(value, str):
            return cut(str.__str__(value), longest)
        if isinstance(value, int):
            if int.bit_length(value) > _MOST_BITS:
                raise BadReport(f"{what} has a whole number of more than {_MOST_BITS:,} bits")
            return int.__int__(value)
        if isinstance(value, float):
            return float.__float__(value)
        if depth == _DEPTH:
            raise BadReport(f"{what} is nested deeper than {_DEPTH} levels")
        if isinstance(value, Mapping):
            pairs = [(key, value[key]) for key in islice(value, left + 1)]
            wrong = next((key for key, _ in pairs if not isinstance(key, str)), None)
            if wrong is not None:
                raise BadReport(f"{what} has the key {show(wrong)}: keys are text")
            return {cut(str.__str__(key)): copy(item, depth + 1) for key, item in pairs}
        if isinstance(value, list | tuple):
            return [copy(item, depth + 1) for item in islice(value, left + 1)]
        if objects:
            return value
        raise BadReport(f"{what} has {kind_of(value)}, which is not plain data")

    return copy(value, 0)
