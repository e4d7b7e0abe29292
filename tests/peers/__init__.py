"""Model servers that others wrote."""
