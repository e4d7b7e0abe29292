"""Everything that touches the user's files."""
