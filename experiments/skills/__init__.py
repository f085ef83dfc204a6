"""Success rates of skills, and why they fail."""
