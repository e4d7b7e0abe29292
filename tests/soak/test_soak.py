"""After the first turns a session holds no more descriptors, tasks, threads or children.

``make soak`` makes a thousand turns and measures memory and time besides.
"""

from collections import Counter
from pathlib import Path

import pytest

from caramelo_tui.agent.event_stream import HELD_EVENTS
from tests.soak.counts import Counts, counts_now, own_objects
from tests.soak.session import long_session

EACH = 20


@pytest.mark.timeout(150)
@pytest.mark.parametrize(
    ("has_screen", "turns"), [(False, 80), (True, 40)], ids=["headless", "app"]
)
async def test_a_long_session_gathers_nothing(
    tmp_path: Path, *, has_screen: bool, turns: int
) -> None:
    before = counts_now()
    looks: list[Counts] = []
    alive = list[Counter[str]]()

    async def look(_turns: int) -> None:
        looks.append(counts_now())
        alive.append(own_objects())

    async with long_session(tmp_path, has_screen=has_screen) as session:
        await session.work(turns, look, each=EACH)
        held = session.events_held
    after = counts_now()

    assert set(session.endings) == {"completed"}
    assert len(looks) == turns // EACH
    assert looks[-1].files <= looks[0].files + 1
    assert looks[-1].tasks <= looks[0].tasks + 1
    assert looks[-1].children <= looks[0].children + 1
    # Events that all have read are let go, and with them what they carried; so is what was closed.
    assert held <= 2 * HELD_EVENTS
    for kind in ("EventHead", "TextStreamed", "ToolOutputStreamed"):
        assert alive[-1][kind] <= 2 * HELD_EVENTS + 200, kind
    for kind in ("CommandApproval", "FactView", "CommandView"):
        assert alive[-1][kind] <= 2, kind
    # Nothing is left behind but the loop's own threads, which wait for the next work.
    assert after.tasks == before.tasks
    assert after.children == before.children
    assert after.threads <= looks[-1].threads
