"""What each module of the parser promises, through the parser."""
