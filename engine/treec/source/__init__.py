"""Text with source positions: YAML, TOML, expressions, templates, diagnostics."""
