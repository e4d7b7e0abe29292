"""Values and words of the trade; standard library only, no effects."""
