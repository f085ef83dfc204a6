"""HELPER: programs for a household, from memory, checked and repaired while they run."""
