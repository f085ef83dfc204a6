"""What functions that write skeletons raise; `treec new` calls them (:mod:`treec_editor`)."""

from __future__ import annotations


class NoSkeleton(Exception):
    """The library lacks something that a skeleton of this kind must name."""
