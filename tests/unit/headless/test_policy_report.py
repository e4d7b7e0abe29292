"""What `caramelo policy test` prints is the decision, and hides nothing."""

from caramelo_tui.headless.policy_report import BASH_NOTE, policy_report
from tests.doubles.policy_calls import FILE, configured, engine


def test_each_part_is_shown_with_its_decision_and_rule() -> None:
    policy = engine(configured(blocked=["git push"]))

    report = policy_report(policy, "ls && rm -r build; git push | tee .env")

    assert report.splitlines() == [
        "command: ls && rm -r build; git push | tee .env",
        "starts in: .",
        "",
        "allow  ls",
        "       - no rule speaks against it",
        "ask    rm -r build",
        "       - ask: removes files recursively [built in]",
        "deny   git push",
        f"       - deny: is on the block list (git push) [blocked command git push; {FILE}:1]",
        "       - ask: pushes to a remote [built in]",
        "       - note: talks to the network [built in]",
        "ask    tee .env",
        "       - ask: writes to the protected path .env (.env*) [protected path .env*; built in]",
        "",
        "run_command: deny",
        f"  rule: blocked command git push ({FILE}:1)",
        "  reason: Refused: git push: it is on the block list (git push).",
        BASH_NOTE,
    ]


def test_a_free_command_says_so() -> None:
    report = policy_report(engine(), "ls")

    assert "run_command: allow" in report
    assert "allowed by default (built in)" in report


def test_what_concerns_the_whole_command_comes_first() -> None:
    lines = policy_report(engine(), 'echo "a').splitlines()

    assert lines[3] == "ask    (the whole command)"
    assert "could not be read in full" in lines[4]


def test_hidden_and_look_alike_characters_are_numbers() -> None:
    report = policy_report(engine(), "echo a\u202eb\x1b[2J s\u0443do\rx\nls")

    for mark in ("<U+202E>", "<U+001B>", "<U+0443>", "<U+000D>", "\u23ce"):
        assert mark in report
    for hidden in ("\u202e", "\x1b", "\u0443", "\r"):
        assert hidden not in report


def test_nothing_to_run_is_said() -> None:
    assert "nothing that would run" in policy_report(engine(), "")


def test_the_start_folder_counts() -> None:
    assert "run_command: deny" in policy_report(engine(), "rm -r ..", cwd=".")
    assert "run_command: ask" in policy_report(engine(), "rm -r ..", cwd="src/lib")
