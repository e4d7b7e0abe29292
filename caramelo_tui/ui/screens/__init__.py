"""Full and modal screens."""
