"""Changed lines are counted once, against limits that can be raised."""

import pytest

from caramelo_tui.domain.policy_settings import LineLimit, PolicySettings
from caramelo_tui.policy.ledger import DiffLedger

CONFIGURED = PolicySettings(
    max_diff_lines=LineLimit(lines=300, origin="c.toml:2"),
    require_approval_above=LineLimit(lines=0, origin="c.toml:3"),
)


def lines_of(ledger: DiffLedger) -> tuple[int | None, int | None]:
    limits = ledger.limits
    return (
        limits.deny_above.lines if limits.deny_above is not None else None,
        limits.ask_above.lines if limits.ask_above is not None else None,
    )


def test_each_profile_has_its_own_limits() -> None:
    assert lines_of(DiffLedger(profile="core")) == (500, 200)
    assert lines_of(DiffLedger(profile="caramelo")) == (None, None)


@pytest.mark.parametrize("profile", ["core", "caramelo"])
def test_a_configured_limit_holds_in_both(profile: str) -> None:
    ledger = DiffLedger(CONFIGURED, profile=profile)

    assert lines_of(ledger) == (300, 0)
    assert ledger.limits.deny_above == LineLimit(lines=300, origin="c.toml:2")


def test_lines_are_booked_and_told() -> None:
    told: list[int] = []
    ledger = DiffLedger()
    ledger.on_change = lambda: told.append(ledger.changed_lines)

    ledger.book(7)
    ledger.book(0)
    ledger.book(3)

    assert ledger.changed_lines == 10
    assert told == [7, 10]


def test_a_write_takes_nothing_away() -> None:
    ledger = DiffLedger()

    with pytest.raises(ValueError, match="-1"):
        ledger.book(-1)
    assert ledger.changed_lines == 0


def test_limits_are_raised_by_their_size_and_say_so() -> None:
    told: list[str] = []
    ledger = DiffLedger(CONFIGURED, on_change=lambda: told.append("changed"))

    ledger.raise_limits()
    assert lines_of(ledger) == (600, 1)
    ledger.raise_limits()
    assert lines_of(ledger) == (900, 2)

    limit = ledger.limits.deny_above
    assert limit is not None
    assert limit.origin == "this session, raised from 300 (c.toml:2)"
    assert told == ["changed", "changed"]


def test_what_has_no_limit_gets_none_by_raising() -> None:
    ledger = DiffLedger()
    ledger.raise_limits()

    assert lines_of(ledger) == (None, None)


def test_a_reset_counts_from_zero_and_keeps_the_limits() -> None:
    told: list[str] = []
    ledger = DiffLedger(profile="core", on_change=lambda: told.append("changed"))
    ledger.book(100)
    ledger.raise_limits()

    ledger.reset()

    assert ledger.changed_lines == 0
    assert lines_of(ledger) == (1000, 400)
    assert len(told) == 3
