"""HELPER's tables: programs of recorded dialogues, routines, requests to one arm."""
