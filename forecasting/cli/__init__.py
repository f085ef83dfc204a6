"""Commands of forecasting."""
