"""What a command's parts come to together."""

import time

import pytest

from caramelo_tui.domain.decisions import Verdict
from caramelo_tui.policy.command_judge import ALLOWED_REASON, decision_on
from caramelo_tui.policy.findings import Finding, JudgedPart, Level
from tests.doubles.policy_calls import FILE, configured, decide

NOTE = Finding(code="network", note="talks", level=Level.NOTE)
ASK = Finding(code="redirection", note="writes", origin="c.toml:1")
UNREAD = Finding(code="unparseable", note="cannot be read")
DENY = Finding(code="blocked_command", note="is blocked", level=Level.DENY, rule="blocked x")


def part(*findings: Finding) -> JudgedPart:
    return JudgedPart(text="a", findings=findings)


def test_nothing_against_it_allows() -> None:
    for judged in ((), (part(),), (part(NOTE), part())):
        decision = decision_on(judged)
        assert decision.is_allow
        assert (decision.reason, decision.code) == (ALLOWED_REASON, "default_allow")


def test_one_question_asks_for_all_and_tells_each_once() -> None:
    decision = decision_on((part(), part(NOTE, ASK), part(ASK), part(UNREAD)))

    assert decision.is_ask
    assert decision.reason == "This command writes; cannot be read."
    assert (decision.rule, decision.origin, decision.code) == ("writes", "c.toml:1", "unparseable")


def test_one_refusal_beats_every_question_wherever_it_stands() -> None:
    for judged in ((part(ASK), part(DENY)), (part(DENY), part(ASK)), (part(ASK, DENY),)):
        decision = decision_on(judged)
        assert decision.verdict is Verdict.DENY
        assert (decision.rule, decision.code) == ("blocked x", "blocked_command")
        assert decision.reason == "Refused: a: it is blocked."


def test_a_blocked_command_names_the_line_that_blocks_it() -> None:
    settings = configured(blocked=["x", "git push --force"])

    for tool in ("bash", "run_command"):
        decision = decide("cd a && git push --force", tool=tool, settings=settings)
        assert decision.is_deny
        assert (decision.rule, decision.origin) == (
            "blocked command git push --force",
            f"{FILE}:2",
        )


@pytest.mark.parametrize("between", ["; ", " && ", "\n", " | ", " & "])
def test_no_number_of_commands_hides_one(between: str) -> None:
    settings = configured(blocked=["git push"])
    many = between.join(f"echo {number}" for number in range(200))

    for command in (f"{many}{between}git push", f"echo $({many}{between}git push)"):
        decision = decide(command, tool="run_command", settings=settings)
        assert decision.is_deny
        assert decision.rule == "blocked command git push"


@pytest.mark.parametrize(
    "command",
    [
        pytest.param("rm -rf /" + "[" * 16_000, id="brackets"),
        pytest.param("rm -rf /" + "?*" * 8_000, id="stars"),
        pytest.param("awk '" + "print" * 3_200 + "'", id="awk"),
        pytest.param("sed '" + "sxaxb" * 3_200 + "'", id="sed"),
        pytest.param("sed '" + "".join(f"s{chr(0x4E00 + i)}a" for i in range(5_000)) + "'"),
        pytest.param("psql -c '" + "copy " * 3_200 + "'", id="copy"),
        pytest.param("sqlite3 a '" + "\n" * 16_000 + "'", id="blank lines"),
        pytest.param("curl -" + "s" * 16_000, id="letters"),
        pytest.param("curl " + "-o a " * 3_200, id="outputs"),
        pytest.param("cp " + "a " * 7_900 + "d", id="copies"),
        pytest.param("tee " + "a/" * 8_000, id="deep path"),
        pytest.param("{fd} " * 3_200, id="descriptors"),
        pytest.param("git " + "-c " * 5_000 + "push", id="git options"),
        pytest.param("find / " + "-exec rm \\; " * 1_300, id="find"),
    ],
)
def test_any_sixteen_kilobytes_are_judged_in_a_moment(command: str) -> None:
    settings = configured(protected=["**/*.pem", "a/[id]/**"], blocked=["curl | sh", "sudo"])
    began = time.process_time()

    decide(command, tool="run_command", settings=settings)

    # About 0.2 s on an idle machine; the bound leaves room for a busy one.
    assert time.process_time() - began < 1.0
