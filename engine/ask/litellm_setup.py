"""Imports LiteLLM, quiet: no price list or `.env` is fetched, nothing is logged, cached or told.

The one place that imports it, and only when a model is asked: it takes seconds.
"""

from __future__ import annotations

import logging
import os
import warnings
from collections.abc import Coroutine
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from treec.ask.transport import TransportError

EXTRA = "models"
"""The optional extra that brings the package."""

_LOGGERS = ("LiteLLM", "LiteLLM Router", "LiteLLM Proxy", "httpx", "httpcore", "aiohttp", "openai")
"""They log addresses, headers and prompts; what a request came to stands in our journal."""


class NoLiteLLM(TransportError):
    """The package is not installed."""


def require_litellm() -> None:
    """Raise NoLiteLLM, with what to do, when the package is not there. Costs nothing."""
    if find_spec("litellm") is None:
        raise NoLiteLLM(
            "asking a model needs the package litellm, which is not installed: "
            f"pip install 'treec[{EXTRA}]'"
        )


def _unlogged(async_coroutine: Coroutine[object, object, object]) -> None:
    """Drop what LiteLLM would log of an answer: without callbacks it is prepared for nobody."""
    async_coroutine.close()


def _unmeasured(**about: object) -> None:
    """Leave out what LiteLLM would note about an answer for its proxy: its price, four times over,
    how long it took. Both are ours to say, and it is a quarter of a request's time.
    """


class _Tokens:
    """The table that tokens are counted by where a server does not say how many it used: 40 MB,
    which LiteLLM reads before its first request, needed or not. This reads it when it is.
    """

    def __getattr__(self, name: str) -> Any:
        return getattr(import_module("litellm._lazy_imports").get_default_encoding(), name)


@lru_cache(maxsize=1)
def load_litellm() -> Any:
    """The package, set up. Raises NoLiteLLM."""
    require_litellm()
    os.environ["LITELLM_LOCAL_MODEL_COST_MAP"] = "True"
    os.environ["LITELLM_LOCAL_ANTHROPIC_BETA_HEADERS"] = "True"
    os.environ["LITELLM_MODE"] = "PRODUCTION"
    # Through LiteLLM's own HTTP handler: OpenAI's package takes a third of a request's time.
    os.environ["EXPERIMENTAL_OPENAI_BASE_LLM_HTTP_HANDLER"] = "True"
    os.environ.pop("LITELLM_LOG", None)
    litellm: Any = import_module("litellm")
    litellm.suppress_debug_info = True
    litellm.telemetry = False
    litellm.set_verbose = False
    litellm.turn_off_message_logging = True
    litellm.callbacks = []
    litellm.input_callback = []
    litellm.success_callback = []
    litellm.failure_callback = []
    litellm.cache = None
    litellm.num_retries = 0
    litellm.drop_params = False
    warnings.filterwarnings("ignore", "Pydantic serializer warnings")  # of what a server sent
    # A request that is cancelled while it is prepared leaves a coroutine behind that never began.
    warnings.filterwarnings("ignore", "coroutine '.*completion' was never awaited")
    worker = import_module("litellm.litellm_core_utils.logging_worker").GLOBAL_LOGGING_WORKER
    worker.ensure_initialized_and_enqueue = _unlogged
    utils: Any = import_module("litellm.utils")
    utils.update_response_metadata = _unmeasured
    main: Any = import_module("litellm.main")
    main._encoding_cache = _Tokens()
    for name in _LOGGERS:
        logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return litellm
