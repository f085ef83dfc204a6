"""Loads librealsense, whose wheel expects a libusb: that of `libusb-package`, or the system's."""

from __future__ import annotations

import ctypes
from functools import cache
from typing import Any


class RealSenseUnavailable(Exception):
    """librealsense cannot be loaded; the message says what to install."""


class RealSenseError(Exception):
    """A camera or a recording cannot be used; the message says why."""


@cache
def realsense() -> Any:
    """Return the module pyrealsense2. Raises RealSenseUnavailable."""
    try:
        import libusb_package
    except ImportError:
        pass  # not on every platform; the system may have its own
    else:
        path = libusb_package.get_library_path()
        if path is not None:
            ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    try:
        import pyrealsense2
    except ImportError as error:
        raise RealSenseUnavailable(
            f"RealSense cameras and recordings need the extra 'realsense': {error}"
        ) from None
    pyrealsense2.log_to_console(pyrealsense2.log_severity.none)
    return pyrealsense2
