"""A model for each kind of file, and the library that finds and indexes files."""
