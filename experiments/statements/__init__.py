"""How many lies of a model are said, and what true words of it cost."""
