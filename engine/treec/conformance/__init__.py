"""Conformance: tries workers, parsers, node classes and environments with good and bad input.

Each trial is a function with an id; its docstring says what is tried, what would be right, and
shows an example. ``treec check --deep NAME`` and ``treec.check_deep`` run them.
"""
