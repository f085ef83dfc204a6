"""Task graphs and schedules as pictures."""
