"""Long sessions: what grows, what is left behind, and what a hostile model gets done."""
