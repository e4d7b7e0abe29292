"""The run: from a prompt to the agent's stop."""
