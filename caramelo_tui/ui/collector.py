"""Let the garbage collector work again after the start.

Owns what it has to look at from then on: not what lives as long as the app. Proven by
tests/unit/ui/test_collector.py.
"""

import gc


def settle_memory() -> None:
    """Keep what lives as long as the app out of the collector's way, and let it work again.

    Only a start that switched the collector off wants this; in a test it runs on.
    """
    if gc.isenabled():
        return
    gc.enable()
    gc.collect()
    gc.freeze()
