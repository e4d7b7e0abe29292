"""Load a vendor's SDK while the user types.

Owns the manner of the import: in a thread, one at a time, with the garbage collector off
(its full collections are what stalls the keyboard, not the import lock) and with short
thread switches. Knows no vendor. Proven by tests/unit/providers/test_sdk_loading.py.
"""

import gc
import sys
import threading
from collections.abc import Generator
from contextlib import contextmanager

SWITCH_INTERVAL_S = 0.0005
"""Seconds after which the importing thread lets the event loop in (Python's own: 0.005)."""

# One for the process, as the import system and the two settings below are: two imports at once
# would wait for each other's locks and restore each other's settings.
_ONE_IMPORT = threading.Lock()


@contextmanager
def quiet_import() -> Generator[None]:
    """Keep the process responsive while the body imports; to be entered in a worker thread.

    The collector and the switch interval are afterwards as they were before, also when the
    import fails.
    """
    with _ONE_IMPORT:
        was_collecting = gc.isenabled()
        interval_s = sys.getswitchinterval()
        gc.disable()
        sys.setswitchinterval(SWITCH_INTERVAL_S)
        try:
            yield
        finally:
            sys.setswitchinterval(interval_s)
            if was_collecting:
                gc.enable()
