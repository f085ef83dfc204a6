"""An environment that needs a package that is not installed."""

import not_there_at_all as x  # type: ignore[import-not-found]  # noqa: F401
