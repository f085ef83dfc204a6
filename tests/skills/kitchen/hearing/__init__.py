"""What each module of the parser promises, in the moments of the corpus."""
