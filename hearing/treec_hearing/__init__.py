"""A network that chooses among the acts that are possible where templates are silent."""
