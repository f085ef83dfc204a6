"""What an editor asks about a library: fixes, completions, descriptions, places of names."""
