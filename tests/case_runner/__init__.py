"""Run the behaviour cases through the real pipeline."""
