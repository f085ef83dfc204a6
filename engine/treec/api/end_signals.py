"""SIGTERM and SIGHUP end a program of somebody's own as Ctrl-C does: robots are stopped first."""

from __future__ import annotations

import os
import signal
import threading
from functools import partial


def end_as_ctrl_c() -> None:
    """Handle them in this process, where nothing does and this is the main thread.

    They would kill it, and neither `with` nor `atexit` would tell a robot to stop.
    """
    if threading.current_thread() is not threading.main_thread():
        return
    for number in filter(None, (signal.SIGTERM, getattr(signal, "SIGHUP", None))):
        if signal.getsignal(number) is signal.SIG_DFL:
            signal.signal(number, signal.default_int_handler)
            if hasattr(os, "register_at_fork"):  # a copy of the process has no robots
                os.register_at_fork(after_in_child=partial(signal.signal, number, signal.SIG_DFL))
