"""Programs that models write: a small language of skill calls, checked and interpreted."""
