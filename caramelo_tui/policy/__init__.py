"""May this call run? Pure, no effects."""
