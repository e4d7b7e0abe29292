"""What is shown for a commit is what git commits, whatever stands where."""

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from caramelo_tui.domain.tool_calls import JsonValue
from tests.doubles.git_worlds import WorldPlan, open_git_world

FILES = ("a.txt", "b.txt", "sub/c.txt")
states = st.fixed_dictionaries(
    {name: st.tuples(*[st.sampled_from(["", "1\n", "2\n", "3\n"])] * 3) for name in FILES}
)


@pytest.mark.timeout(120)
@settings(max_examples=6, suppress_health_check=list(HealthCheck))
@given(state=states, named=st.sets(st.sampled_from(FILES)))
async def test_the_plan_is_what_git_commits(
    tmp_path_factory: pytest.TempPathFactory,
    state: dict[str, tuple[str, str, str]],
    named: set[str],
) -> None:
    """Each file has a text (empty: it is not there) in HEAD, index and working tree."""
    world = open_git_world(tmp_path_factory.mktemp("plan"), WorldPlan())
    world.write("always.txt", "x")
    for stage in range(3):
        for name in FILES:
            text = state[name][stage]
            if text:
                world.write(name, text)
            else:
                (world.root / name).unlink(missing_ok=True)
        if stage == 0:
            world.commit("first")
        if stage == 1:
            world.git("add", "--all")
    paths = sorted(named)
    known = all(any(state[name]) for name in paths)

    files: dict[str, JsonValue] = {"files": list[JsonValue](paths)} if paths else {}
    output = await world.run("git_commit", message="m", **files)

    def wanted(name: str) -> str:
        return state[name][2] if not paths or name in paths else state[name][0]

    changes = {name for name in FILES if wanted(name) != state[name][0]}
    if output.is_error:
        # A named file that is in neither index nor working tree is nothing to git.
        gone = any(not state[name][1] and not state[name][2] for name in paths)
        assert not changes or not known or gone, output.text
        return
    assert changes
    for name in FILES:
        shown = world.git("show", f"HEAD:{name}", ok=(0, 128))
        assert shown == wanted(name)
    assert "hook changed" not in output.text
