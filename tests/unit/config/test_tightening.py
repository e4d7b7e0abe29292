"""A workspace makes things stricter or changes nothing."""

import pytest

from caramelo_tui.config.tightening import (
    MODES_BY_STRICTNESS,
    add,
    lower,
    stricter_action,
    stricter_mode,
)
from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.domain.policy_settings import ProtectedAction


def test_a_list_only_grows_and_holds_each_element_once() -> None:
    assert add(("a", "b"), ("b", "c", "c")) == ("a", "b", "c")
    assert add(("a",), ()) == ("a",)


def test_a_limit_is_only_lowered() -> None:
    assert lower(5, 3) == 3
    assert lower(5, 5) == 5
    assert lower(None, 3) == 3
    assert lower(5, 0) == 0
    with pytest.raises(ValueError, match="6 is above 5"):
        lower(5, 6)


def test_a_mode_only_becomes_stricter() -> None:
    assert sorted(MODES_BY_STRICTNESS) == sorted(ApprovalMode)
    for place, present in enumerate(MODES_BY_STRICTNESS):
        for asked in MODES_BY_STRICTNESS[: place + 1]:
            assert stricter_mode(present, asked) is asked
        for asked in MODES_BY_STRICTNESS[place + 1 :]:
            with pytest.raises(ValueError, match=f"{asked} is looser than {present}"):
                stricter_mode(present, asked)


def test_the_answer_to_protected_paths_only_becomes_stricter() -> None:
    ask, deny = ProtectedAction.ASK, ProtectedAction.DENY
    assert stricter_action(ask, deny) is deny
    assert stricter_action(ask, ask) is ask
    assert stricter_action(deny, deny) is deny
    with pytest.raises(ValueError, match="only turn ask into deny"):
        stricter_action(deny, ask)
