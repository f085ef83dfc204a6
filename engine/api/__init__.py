"""What programs call: a library opened, checked, run, asked and compiled. See ``treec.open``."""
