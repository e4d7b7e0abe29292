"""The limits of a run refuse what no configuration may set."""

import pytest

from caramelo_tui.agent.limits import RunLimits


@pytest.mark.parametrize("turns", [2, 51, 0, -1])
def test_turns_outside_their_range_are_refused(turns: int) -> None:
    with pytest.raises(ValueError, match="3 to 50"):
        RunLimits(turns=turns)


def test_other_limits_are_at_least_one() -> None:
    with pytest.raises(ValueError, match="at least 1"):
        RunLimits(answer_tokens=0)
    with pytest.raises(ValueError, match="at least 1"):
        RunLimits(invalid_turns=0)


def test_the_defaults_are_the_products() -> None:
    limits = RunLimits()
    assert (limits.turns, limits.invalid_turns) == (15, 3)
    assert "15 turns" in limits.turns_reached
