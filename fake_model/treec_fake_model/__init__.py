"""A small server on loopback that answers as a model's would: scripted, for tests and trials."""
