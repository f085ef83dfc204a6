"""How well the model `local` answers, beside the rules."""
