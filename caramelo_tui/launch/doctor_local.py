"""Say which models on this machine could answer: a part of ``caramelo doctor --online``.

Owns the sentences about servers on loopback and about the extra that runs a model's file. Asks
loopback only. Proven by tests/unit/test_doctor_local.py.
"""

import asyncio
from collections.abc import Iterator, Mapping

from caramelo_tui.headless.doctor_report import Check, good
from caramelo_tui.providers.local_model import INSTALL, is_library_there
from caramelo_tui.providers.local_servers import LOCAL_ADDRESSES, find_local_servers
from caramelo_tui.providers.presets import PRESETS

NAME = "local models"
MOST_NAMED = 5
"""Models of one server that are named."""


def local_model_checks(addresses: Mapping[str, str] = LOCAL_ADDRESSES) -> Iterator[Check]:
    """Yield what answers on this machine; nothing here is ever a problem."""
    servers = asyncio.run(find_local_servers(addresses))
    for server in servers:
        more = len(server.models) - MOST_NAMED
        names = ", ".join(server.models[:MOST_NAMED]) or "nothing; load a model there"
        rest = f" and {more} more" if more > 0 else ""
        title = PRESETS[server.name].title
        text = f"{title} at {server.base_url} serves {names}{rest} (--provider {server.name})"
        yield good(NAME, text)
    if not servers:
        titles = ", ".join(PRESETS[name].title for name in addresses)
        yield good(NAME, f"no server answers on this machine ({titles} were looked for)")
    if is_library_there():
        yield good(NAME, "a model's file can be run (--provider local --model FILE.gguf)")
    else:
        yield good(NAME, f"a model's file could be run with an extra: {INSTALL}")
