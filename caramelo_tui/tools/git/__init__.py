"""Git tools: what a call of git or gh does."""
