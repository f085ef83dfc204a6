"""How well a run hears and is stopped, by synthetic voices in noise of our own making."""
