"""Forecasts of a person's motion: data, models, training, evaluation."""
