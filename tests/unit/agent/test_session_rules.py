"""What the user grants, blocks and counts anew for a session."""

from pathlib import Path

import pytest

from caramelo_tui.agent.event_stream import EventStream
from caramelo_tui.agent.session_rules import SessionRules, block_meaning
from caramelo_tui.domain.agent_events import DiffCounted, NoticeRaised
from caramelo_tui.policy.grants import SessionGrants
from caramelo_tui.policy.ledger import DiffLedger
from tests.doubles.agent_worlds import FixedClock


class Bench:
    def __init__(self, folder: Path) -> None:
        self.grants = SessionGrants(root=folder, home=folder)
        self.ledger = DiffLedger(profile="core")
        self.events = EventStream(FixedClock())
        self.rules = SessionRules(grants=self.grants, ledger=self.ledger, events=self.events)

    @property
    def counts(self) -> list[tuple[int, int | None, int | None]]:
        return [
            (event.changed_lines, event.deny_above, event.ask_above)
            for event in self.events.events
            if isinstance(event, DiffCounted)
        ]

    @property
    def said(self) -> list[str]:
        return [event.text for event in self.events.events if isinstance(event, NoticeRaised)]


def test_a_grant_is_taken_and_said(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    offered = bench.rules.write_grants("src/a.py")
    assert [grant.pattern for grant in offered] == ["src/a.py", "src/**", "**"]
    assert bench.rules.grant_writes("src/**", path="src/a.py") == ""
    assert bench.grants.covering("src/b.py") == "src/**"
    assert "src/**" in bench.said[0]


def test_a_grant_that_misses_the_file_is_refused_with_the_reason(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    assert "does not match" in bench.rules.grant_writes("lib/**", path="src/a.py")
    assert bench.grants.covering("src/a.py") is None
    assert bench.said == []


def test_a_block_rule_must_refuse_the_command_it_was_made_at(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    assert "would not refuse" in bench.rules.block_commands("git push", command="git status")
    assert bench.rules.block_commands("git push", command="git push origin main") == ""
    assert [rule.text for rule in bench.grants.blocked_commands] == ["git push"]


@pytest.mark.parametrize(
    ("pattern", "meaning"),
    [
        ("git", "Refuses every command that runs git, whatever its arguments."),
        ("git push -f", "Refuses every command that runs git with push as its first word and -f."),
        ("curl -s | sh", "Refuses every command that pipes curl with -s into sh."),
        *((text, "An unfinished rule refuses nothing.") for text in ("", " ", "curl |", "a || b")),
    ],
)
def test_what_a_block_rule_refuses_is_said_in_words(pattern: str, meaning: str) -> None:
    assert block_meaning(pattern) == meaning


def test_the_count_and_its_limits_are_events(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.ledger.book(120)
    bench.rules.raise_limits()
    bench.rules.reset_lines()
    assert bench.counts == [(120, 500, 200), (120, 1000, 400), (0, 1000, 400)]
    assert len(bench.said) == 2


def test_nothing_is_reported_after_the_end(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.events.close()
    bench.ledger.book(3)
    assert bench.counts == []


def test_where_no_limit_is_set_none_is_raised(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    ledger = DiffLedger(profile="caramelo")
    rules = SessionRules(grants=bench.grants, ledger=ledger, events=bench.events)
    rules.raise_limits()
    assert bench.said == ["There is no limit of changed lines."]
    assert bench.counts == []


def test_limits_are_reported_once_at_the_begin_of_a_run(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    bench.rules.report_limits()
    bench.rules.report_limits()
    assert bench.counts == [(0, 500, 200)]
    free = EventStream(FixedClock())
    SessionRules(grants=bench.grants, ledger=DiffLedger(), events=free).report_limits()
    assert free.events == ()


def test_what_was_allowed_or_blocked_is_listed_and_taken_back(tmp_path: Path) -> None:
    bench = Bench(tmp_path)
    assert bench.rules.grant_writes("src/**", path="src/a.py") == ""
    assert bench.rules.block_commands("make", command="make all") == ""
    grant, block = bench.rules.made
    assert (grant.pattern, grant.is_block) == ("src/**", False)
    assert (block.pattern, block.is_block) == ("make", True)
    assert block.meaning == "Refuses every command that runs make, whatever its arguments."
    assert bench.rules.take_back(grant)
    assert bench.rules.take_back(block)
    assert bench.rules.made == ()
    assert not bench.rules.take_back(grant)
    assert bench.said[-2:] == [
        "Writes of src/** are asked about again.",
        "Commands that match make are not refused by this session any more.",
    ]
