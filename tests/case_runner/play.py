"""Play a case: by hand, as a run of an agent, as a start, or against a vendor's stream.

Owns which of the four it is; the world is built by ``building``, what must hold afterwards is
looked at by ``checks``.
"""

from tests.case_runner.agent_runs import play_run
from tests.case_runner.by_hand import play_by_hand
from tests.case_runner.played import Played
from tests.case_runner.startups import play_start
from tests.case_runner.streams import play_stream
from tests.case_runner.world import Case, Spec, World


async def play(case: Case, world: World) -> Played:
    """Play ``case`` in its world and return what happened."""
    setup: Spec = world.fill(case.get("setup") or {})
    if case["tool"].startswith("provider:"):
        return await play_stream(case, setup, world)
    if case["tool"] == "startup":
        return await play_start(case, setup, world)
    if case["tool"] == "agent_loop":
        return await play_run(case, setup, world)
    return await play_by_hand(case, setup, world)
