"""Grants and blocks are tested against what they were made for, and cover nothing else."""

from pathlib import Path

import pytest

from caramelo_tui.domain.decisions import ApprovalMode
from caramelo_tui.policy.grants import SessionGrants
from tests.doubles.policy_calls import HOME, ROOT, command_call, engine, write_call


def grants() -> SessionGrants:
    return SessionGrants(root=Path(ROOT), home=Path(HOME))


def test_offers_go_from_the_file_to_everything() -> None:
    assert [(o.pattern, o.covers) for o in grants().offers("src/a/b.py")] == [
        ("src/a/b.py", "only src/a/b.py"),
        ("src/a/**", "every file below src/a"),
        ("**", "every file in the workspace"),
    ]
    assert [o.pattern for o in grants().offers("a.py")] == ["a.py", "**"]


def test_a_name_that_would_grant_more_than_it_says_is_not_offered() -> None:
    assert [o.pattern for o in grants().offers("src/a*.py")] == ["src/**", "**"]
    assert [o.pattern for o in grants().offers("s?c/a.py")] == ["**"]


def test_every_offer_can_be_granted() -> None:
    for path in ("src/a/b.py", "a.py", "app/[id]/page.tsx", "a b/c\u00e9"):
        for offer in grants().offers(path):
            session = grants()
            session.grant(offer.pattern, path=path)
            assert session.covering(path) == offer.pattern


@pytest.mark.parametrize(
    ("pattern", "covered", "other"),
    [
        ("src/a.py", "src/a.py", "src/A.py"),
        ("src/a.py", "src/a.py", "x/src/a.py"),
        ("src/**", "src/a/b.py", "srcs/a.py"),
        ("src/**", "src/a.py", "other/a.py"),
        ("src/*.py", "src/a.py", "src/a/b.py"),
        ("**/*.py", "src/a.py", "src/a.pyc"),
        ("**/*.py", "a.py", "a.py/x"),
        ("src/**/b.py", "src/b.py", "b.py"),
        ("a[1].py", "a[1].py", "a1.py"),
        ("src", "src", "src/a.py"),
    ],
)
def test_a_grant_covers_exactly_what_it_says(pattern: str, covered: str, other: str) -> None:
    session = grants()
    session.grant(pattern, path=covered)
    session.grant(pattern, path=covered)

    assert session.covering(covered) == pattern
    assert session.covering(other) is None


@pytest.mark.parametrize(
    "pattern", ["", "/", "/src/**", "src/", "../**", "src/../**", "./a", "a//b", "src/\0", "b.py"]
)
def test_what_is_no_pattern_or_does_not_match_is_not_kept(pattern: str) -> None:
    session = grants()

    with pytest.raises(ValueError, match=r"pattern|does not match"):
        session.grant(pattern, path="src/a.py")
    assert session.covering("src/a.py") is None


@pytest.mark.parametrize("mode", [ApprovalMode.REVIEW, ApprovalMode.EACH])
def test_a_granted_write_is_allowed_and_says_by_what(mode: ApprovalMode) -> None:
    session = grants()
    session.grant("src/**", path="src/a.py")

    decision = engine(grants=session).decide(write_call("src/b.py"), mode=mode)

    assert decision.is_allow
    assert (decision.rule, decision.origin) == ("granted src/**", "this session")
    assert engine(grants=session).decide(write_call("b.py"), mode=mode).is_ask


def test_a_grant_lifts_no_stricter_rule() -> None:
    session = grants()
    session.grant("**", path="a")
    policy = engine(grants=session, profile="core")

    def verdict(path: str, *, hard_links: int = 1, lines: int = 1) -> str:
        call = write_call(path, hard_links=hard_links, lines=lines)
        return policy.decide(call, mode=ApprovalMode.REVIEW).verdict

    assert verdict("a") == "allow"
    assert verdict(".env") == "ask"
    assert verdict(".git/config") == "deny"
    assert verdict("a", hard_links=2) == "ask"
    assert verdict("a", lines=201) == "ask"
    assert verdict("a", lines=501) == "deny"
    assert policy.decide(write_call("a"), mode=ApprovalMode.PLAN).is_deny


def test_a_link_is_covered_by_both_of_its_ends_or_not_at_all() -> None:
    session = grants()
    session.grant("src/**", path="src/a")
    policy = engine(grants=session)

    for path, shown in (("other/a", "src/a"), ("src/a", "other/a")):
        assert policy.decide(write_call(path, shown=shown), mode=ApprovalMode.REVIEW).is_ask


def test_grants_cover_writes_only() -> None:
    session = grants()
    session.grant("**", path="a")

    decision = engine(grants=session).decide(command_call("touch a"), mode=ApprovalMode.AUTO)
    assert decision.is_ask


def test_a_block_refuses_from_now_on() -> None:
    session = grants()
    policy = engine(grants=session)
    call = command_call("cd x && git -C y push origin", tool="run_command")
    assert policy.decide(call, mode=ApprovalMode.AUTO).is_ask

    session.block(" git push ", command="cd x && git -C y push origin")
    session.block("git push", command="git push")

    decision = policy.decide(call, mode=ApprovalMode.AUTO)
    assert decision.is_deny
    assert (decision.rule, decision.origin) == ("blocked command git push", "this session")
    assert [rule.text for rule in session.blocked_commands] == ["git push"]


@pytest.mark.parametrize("pattern", ["", "|", "git push |", "npm", "git pull", "push"])
def test_a_block_that_would_not_refuse_the_command_is_not_kept(pattern: str) -> None:
    session = grants()

    with pytest.raises(ValueError, match=r"names no command|would not refuse"):
        session.block(pattern, command="git push")
    assert session.blocked_commands == ()


def test_a_pipe_is_described_by_both_of_its_ends() -> None:
    with pytest.raises(ValueError, match=r"every command that pipes curl into sh$"):
        grants().block("curl | sh", command="curl x; sh y")
    with pytest.raises(ValueError, match=r"every command that runs rm with -rf$"):
        grants().block("rm -rf", command="rm x")
    with pytest.raises(ValueError, match=r"with push origin as its first words and -f$"):
        grants().block("git push origin -f", command="git push origin")


def test_a_grant_and_a_block_can_be_taken_back() -> None:
    known = grants()
    known.grant("src/**", path="src/a.py")
    known.block("make", command="make all")
    known.block("sudo", command="sudo ls")
    assert known.patterns == ("src/**",)
    assert known.revoke("src/**")
    assert known.covering("src/a.py") is None
    assert not known.revoke("src/**")
    assert known.unblock("make")
    assert [rule.text for rule in known.blocked_commands] == ["sudo"]
    assert not known.unblock("make")
