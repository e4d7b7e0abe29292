"""Skills: texts and tools that the user, or a trusted workspace, adds."""
