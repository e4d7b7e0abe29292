"""Sub-agents and the end of a run."""
