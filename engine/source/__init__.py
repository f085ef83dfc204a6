"""Text that remembers where it stood: YAML with marks, expressions, templates, diagnostics."""
