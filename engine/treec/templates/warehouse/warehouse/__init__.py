"""The warehouse's own Python: a skill worker, a node class, a parser of the operator's words."""
