"""The stages of a localizer, and what runs them."""
