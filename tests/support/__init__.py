"""A small library and a run on the virtual clock, so that tests of nodes are short."""
