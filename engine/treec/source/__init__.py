"""Text with source positions: YAML, TOML, expressions, templates, diagnostics."""

from treec.installed import put_off

put_off("jinja2")  # only its lexer, its parser and its syntax tree are needed
