"""Play a case: by hand, as a run of an agent, as a start, or against a vendor's stream.

Owns which of them it is; the world is built by ``building``, what must hold afterwards is
looked at by ``checks``.
"""

from tests.case_runner.agent_runs import play_run
from tests.case_runner.by_hand import play_by_hand
from tests.case_runner.dying import play_dying
from tests.case_runner.played import Played
from tests.case_runner.startups import play_start
from tests.case_runner.streams import play_stream
from tests.case_runner.world import Case, Spec, World

KNOWN_SETUP = frozenset(
    {
        *("files", "dirs", "symlinks", "hardlinks", "fifos", "sockets", "many_files", "chmod"),
        *("umask", "root_via_symlink", "files_outside", "prior_calls", "then_write", "env"),
        *("netrc", "provider", "approve", "policy", "user_policy", "profile", "terminal"),
        *("policy_change_after", "policy_after", "session_diff_lines", "inside_subagent"),
        *("own_config_dir", "trusted", "copy_of_trusted", "user_prompt", "debug_log"),
        *("provider_error", "session_file_text", "model_turns", "subagent_turns", "roles"),
        *("headless", "git", "fake_gh", "no_gh", "web", "http", "dns", "fault", "race"),
        *("responses",),
    }
)
"""What a world can be made of; a case that wants more fails, so that nothing is passed over."""


async def play(case: Case, world: World) -> Played:
    """Play ``case`` in its world and return what happened."""
    setup: Spec = world.fill(case.get("setup") or {})
    unknown = sorted(set(setup) - KNOWN_SETUP)
    assert not unknown, f"the runner cannot set up {', '.join(unknown)}"
    if case["tool"].startswith("provider:"):
        return await play_stream(case, setup, world)
    if case["tool"] == "startup":
        return await play_start(case, setup, world)
    if case["tool"] == "agent_loop":
        return await play_run(case, setup, world)
    if (setup.get("fault") or {}).get("kill"):
        return await play_dying(case, setup, world)
    return await play_by_hand(case, setup, world)
