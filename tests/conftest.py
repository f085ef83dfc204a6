"""What holds for every test."""

from __future__ import annotations

import signal

# A shell without job control starts what runs in the background with Ctrl-C ignored, and what is
# started from here would inherit it: tests of Ctrl-C want what a terminal gives.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
