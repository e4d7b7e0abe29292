"""After the first turns a session holds no more descriptors, tasks, threads or children.

``make soak`` makes a thousand turns and measures memory and time besides.
"""

from pathlib import Path

import pytest

from tests.soak.counts import Counts, counts_now
from tests.soak.session import long_session

TURNS, EACH = 60, 20


@pytest.mark.parametrize("has_screen", [False, True], ids=["headless", "app"])
async def test_a_long_session_gathers_nothing(tmp_path: Path, *, has_screen: bool) -> None:
    before = counts_now()
    looks: list[Counts] = []

    async def look(_turns: int) -> None:
        looks.append(counts_now())

    async with long_session(tmp_path, has_screen=has_screen) as session:
        await session.work(TURNS, look, each=EACH)
    after = counts_now()

    assert set(session.endings) == {"completed"}
    assert len(looks) == TURNS // EACH
    assert looks[-1].files <= looks[0].files + 1
    assert looks[-1].tasks <= looks[0].tasks + 1
    assert looks[-1].children <= looks[0].children + 1
    # Nothing is left behind but the loop's own threads, which wait for the next work.
    assert after.tasks == before.tasks
    assert after.children == before.children
    assert after.threads <= looks[-1].threads
