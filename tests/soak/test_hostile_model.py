"""A thousand calls of a hostile model, in every mode and both vocabularies: nothing gives way.

``make hostile`` makes a hundred thousand.
"""

from pathlib import Path

import pytest

from caramelo_tui.domain.decisions import ApprovalMode
from tests.soak.hostile_model import Play

CALLS = 125
"""In each of eight worlds."""


@pytest.mark.parametrize("profile", ["caramelo", "core"])
@pytest.mark.parametrize("mode", list(ApprovalMode))
async def test_a_hostile_model_gets_nothing_done_that_it_may_not(
    tmp_path: Path, profile: str, mode: ApprovalMode
) -> None:
    play = Play(tmp_path, profile=profile, mode=mode, seed=1)
    played = await play.run(CALLS)
    assert played.calls >= CALLS
    # Every kind of end is met: the play would prove nothing if all calls were refused at the door.
    assert {"ok", "error"} <= set(played.states)
    assert {look.tasks for look in played.looks} == {played.looks[0].tasks}
    assert {look.children for look in played.looks} <= {0, 1, 2}
