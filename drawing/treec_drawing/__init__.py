"""Drawings as pictures: SVG, a page to search and zoom, DOT, Mermaid; and where their boxes go."""
