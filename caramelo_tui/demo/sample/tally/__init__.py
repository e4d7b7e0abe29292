"""Small expenses, kept in a text file."""
