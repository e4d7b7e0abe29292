"""One module for each target: ``fuzz_one`` raises where a promise is broken, ``SEEDS`` begin."""
