"""Filters that act are told from those that only print."""

import pytest

from caramelo_tui.policy.filter_scripts import awk_acts, sed_acts, sql_acts


@pytest.mark.parametrize(
    "script",
    [
        "s/a/id/e",
        "s/a/id/ge",
        "s/a/id/2 e",
        "s,a,id,e",
        "sxaxidxe",
        "s a id e",
        "s\u20aca\u20acid\u20ace",
        "s/a\\/b/x/w out",
        "1e id",
        "e",
        "1,5w out",
        "/x/w out",
        "/x\\/y/ w out",
        "\\,x,w out",
        "/x/I,/y/Mw out",
        "$!e id",
        "p;e id",
        "{p;w out\n}",
        "s/a/b/\ne id",
        "a\\\ntext\ne id",
        "a\\;x\ne id",
        "y/ab/cd/;e id",
        "r a;e id",
        "?",
    ],
)
def test_a_sed_script_that_acts(script: str) -> None:
    assert sed_acts(script)


@pytest.mark.parametrize(
    "script",
    [
        "",
        "p",
        "1,5p",
        "$d",
        "s/a/b/",
        "s/we/ew/g; s/x/y/",
        "s|a|b|gI",
        "s/e w/w e/",
        "s/a",
        "/width/d",
        "/e/!d",
        "/^w/,/^e/p",
        "a\\\nwrite e w",
        "i hello; e",
        "y/ew/we/",
        "b end; :end",
        "# e id",
        "{n;d}",
        "\\,we,p",
        "/x",
        "$!N;P;D",
        "=",
    ],
)
def test_a_sed_script_that_only_prints(script: str) -> None:
    assert not sed_acts(script)


@pytest.mark.parametrize(
    "program",
    [
        'BEGIN { system("id") }',
        'BEGIN { system ("id") }',
        '{ print > "x" }',
        '{ printf "%s", $1 >> "x" }',
        '{ print | "sh" }',
        '{ print |& "sh" }',
        '"id" | getline x',
        'BEGIN { f = "system"; @f("id") }',
    ],
)
def test_an_awk_program_that_acts(program: str) -> None:
    assert awk_acts(program)


@pytest.mark.parametrize(
    "program",
    [
        "{ print $1 }",
        "$3 > 5 { print $1 }",
        "/a|b/ { print }",
        '$1 == "a" || $2 == "b"',
        "{ print; if ($1 > 5) n++ }",
        "{ a = systemd }",
        "",
    ],
)
def test_an_awk_program_that_only_prints(program: str) -> None:
    assert not awk_acts(program)


@pytest.mark.parametrize(
    ("text", "acts"),
    [
        ("select 1", False),
        (".tables", False),
        (".shell id", True),
        ("select 1;\n  .SYSTEM id", True),
        ("\\! id", True),
        ("\\d x", False),
        ("copy t to program 'id'", True),
        ("COPY (select 1) TO\nPROGRAM 'id'", True),
        ("select copy from t", False),
    ],
)
def test_a_database_text(text: str, *, acts: bool) -> None:
    assert sql_acts(text) is acts
