"""The warehouse's own Python: a skill worker, a node class, and a parser of the operator's words."""
