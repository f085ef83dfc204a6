"""The Python API: open, check, run, ask and compile a library. See ``treec.open``."""
