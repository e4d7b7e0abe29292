"""The doctor's findings, for people and for programs."""

import json

from caramelo_tui.headless.doctor_report import (
    exit_code,
    good,
    json_report,
    problem,
    text_report,
    warning,
)

FINE = good("git", "/usr/bin/git")
LESS = warning("rg", "not found: grep is slower", "install ripgrep")
BAD = problem("provider", "no \x1b[2Jkey", "set one")


def test_only_a_problem_fails() -> None:
    assert exit_code([]) == 0
    assert exit_code([FINE, LESS]) == 0
    assert exit_code([FINE, BAD, LESS]) == 1


def test_people_read_columns_and_what_to_do() -> None:
    assert text_report([FINE, LESS, BAD]).splitlines() == [
        "ok       git       /usr/bin/git",
        "warn     rg        not found: grep is slower",
        "                   → install ripgrep",
        "problem  provider  no <U+001B>[2Jkey",
        "                   → set one",
        "",
        "problems: 1, warnings: 1",
    ]


def test_programs_read_an_object_a_line() -> None:
    lines = [json.loads(line) for line in json_report([FINE, BAD]).splitlines()]
    assert lines == [
        {"name": "git", "level": "ok", "text": "/usr/bin/git", "advice": ""},
        {"name": "provider", "level": "problem", "text": "no \x1b[2Jkey", "advice": "set one"},
    ]
