"""Workers that are Ray's, on this machine or on a cluster. Nothing is told to its makers.

Ray makes each call once: whether it is made again is decided in one place for all workers. A node
that is cut off and comes back cannot give a result for the second time.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from typing import Any

from treec.requirements import needs_extra
from treec_testing.pool.workers import CannotOpen, Ended, WorkerDied

RAY = "ray"
CLIENT = "ray://"


class RayWorkers:
    """Ray's workers: as many as ``jobs``, or as the cluster has processors."""

    def __init__(
        self, function: Callable[[Any], Any], on: str, jobs: int | None, fresh: int = 0
    ) -> None:
        """Connect to what ``on`` names. Raises CannotOpen."""
        address = address_of(on)
        os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
        try:
            import ray
        except ImportError as error:
            raise CannotOpen(needs_extra(f"--on {on}", "ray", error)) from None
        self._ray = ray
        given: dict[str, Any] = {"log_to_driver": False, "logging_level": "ERROR"}
        if address is None:
            given |= {"num_cpus": jobs, "include_dashboard": False}
        elif address.startswith(CLIENT):  # else Ray lets workers import from this folder
            given["runtime_env"] = {"env_vars": {"PYTHONPATH": f"{os.getcwd()}:${{PYTHONPATH}}"}}
        try:
            ray.init(address=address or "local", **given)
        except ImportError as error:
            raise CannotOpen(needs_extra(f"--on {on}", "ray", error)) from None
        except (ConnectionError, RuntimeError, ValueError) as error:
            why = str(error).partition("\n")[0] or type(error).__name__
            raise CannotOpen(f"--on {on}: no cluster of Ray answers: {why}") from None
        has = ray.cluster_resources()  # type: ignore[no-untyped-call]
        self.size = jobs or max(1, int(has.get("CPU", 1)))
        try:
            self._function = ray.put(function)
        except ModuleNotFoundError as error:  # of `ray://`, which imports it at once
            ray.shutdown()
            raise _named(error) from None
        kind = ray.remote(max_retries=0, max_calls=fresh, scheduling_strategy="SPREAD")
        self._call = kind(call)
        self._running: dict[Any, int] = {}

    def begin(self, number: int, item: Any) -> None:
        """Give a call to Ray, which finds a worker for it."""
        self._running[self._call.remote(self._function, item, _version())] = number

    def wait(self) -> list[Ended[Any]]:
        """Wait until a call ends; all that have ended since."""
        every = list(self._running)
        self._ray.wait(every)
        done, _ = self._ray.wait(every, num_returns=len(every), timeout=0)
        return sorted(map(self._end, done), key=lambda ended: ended.number)

    def _end(self, reference: Any) -> Ended[Any]:
        number = self._running.pop(reference)
        try:
            return Ended(number, self._ray.get(reference))
        except self._ray.exceptions.RayTaskError as error:
            return Ended(number, error=_named(error.cause if error.cause is not None else error))
        except self._ray.exceptions.RayError as error:
            return Ended(number, error=WorkerDied(type(error).__name__))
        except ModuleNotFoundError as error:  # raised by the client of `ray://` as it is
            return Ended(number, error=_named(error))

    def close(self) -> None:
        """Drop what is left, and leave the cluster; one of this process's own ends."""
        for reference in self._running:
            self._ray.cancel(reference, force=True)
        self._ray.shutdown()


def address_of(on: str) -> str | None:
    """The address that `--on` names, None for this machine. Raises CannotOpen."""
    if on == RAY:
        return None
    if on.startswith(CLIENT) and on != CLIENT:
        return on
    if on.startswith(f"{RAY}=") and on != f"{RAY}=":
        return on.removeprefix(f"{RAY}=")
    raise CannotOpen(
        f"--on is ray (this machine), ray=ADDRESS or ray://HOST:PORT (a cluster), not '{on}'"
    )


def call(function: Callable[[Any], Any], item: Any, asked_by: str) -> Any:
    """Make a call, in a worker."""
    own = _version()
    if own != asked_by:
        raise CannotOpen(f"a worker has treec {own}, and was asked by treec {asked_by}")
    return function(item)


def _named(error: BaseException) -> BaseException:
    """The error of a call, in words of a cluster where it is one of the cluster's."""
    missing = re.search("No module named '.*?'", str(error))
    if missing is None:
        return error
    return CannotOpen(
        f"a worker cannot import what it was sent ({missing[0]}): packages and the current folder "
        f"({os.getcwd()}) must be the same on each node"
    )


@cache
def _version() -> str:
    return version("treec")
