"""Running a system: the loop, users, run folders, and reading journals."""
