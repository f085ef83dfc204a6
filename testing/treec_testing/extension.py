"""The extension of trials: what `treec check --deep` makes and `treec explain` prints."""

from __future__ import annotations

from treec.extensions import Extension

EXTENSION = Extension(name="testing", trials={"code": "treec_testing.report:CODE_TRIALS"})
