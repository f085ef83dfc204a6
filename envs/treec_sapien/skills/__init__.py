"""How SAPIEN's robots carry the kitchen's skills out, one folder each."""
