"""Files become rows that know where they stand."""

from pathlib import Path

import pytest

from caramelo_tui.config.toml_file import (
    MAX_WORKSPACE_BYTES,
    dotted,
    read_user_file,
    read_workspace_file,
    values_of,
)
from caramelo_tui.domain.errors import ConfigError


def test_a_row_has_its_path_value_and_lines() -> None:
    (row, empty) = values_of(b'a.b = [1,\n"x"]\n[c]\n', shown="f")
    assert (row.path, row.value, row.name) == (("a", "b"), [1, "x"], "a.b")
    assert (row.origin, row.element_origin(0), row.element_origin(1)) == ("f:1", "f:1", "f:2")
    assert (empty.path, empty.value, empty.origin) == (("c",), {}, "f:3")


def test_an_array_of_tables_is_one_value() -> None:
    (row,) = values_of(b"[[a]]\nx = 1\n[[a]]\nx = 2\n", shown="f")
    assert row.element_lines == (3, 3)


@pytest.mark.parametrize(
    ("data", "source"),
    [
        (b"\n\nx = \n", "f:3"),
        (b"x = 1\n[y", "f:2"),
        (b"x = 1\n# \xff\n", "f:2"),
        (b"x = " + b"9" * 5000, "f"),
    ],
)
def test_the_line_of_a_problem_is_named_where_it_is_known(data: bytes, source: str) -> None:
    with pytest.raises(ConfigError, match="is not valid TOML") as caught:
        values_of(data, shown="f")
    assert caught.value.source == source


def test_names_that_need_quotes_get_them() -> None:
    assert dotted(("a", "b.c", 'd"', "é")) == 'a."b.c"."d\\""."é"'
    assert dotted(("x" * 100,)) == "x" * 60 + "…"


def test_a_missing_file_has_no_rows(tmp_path: Path) -> None:
    assert read_user_file(tmp_path / "none", shown="f", is_required=False) == ()
    assert read_workspace_file(tmp_path, "none") is None
    assert read_workspace_file(tmp_path, "none/f") is None


def test_a_file_of_a_workspace_is_bounded(tmp_path: Path) -> None:
    file = tmp_path / "f"
    file.write_bytes(b"#" * MAX_WORKSPACE_BYTES)
    assert read_workspace_file(tmp_path, "f") == ()
    file.write_bytes(b"#" * (MAX_WORKSPACE_BYTES + 1))
    with pytest.raises(ConfigError, match="larger than 256 KB"):
        read_workspace_file(tmp_path, "f")


def test_a_workspace_that_is_gone_is_an_error_not_a_crash(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="cannot be read"):
        read_workspace_file(tmp_path / "gone", "f")


@pytest.mark.parametrize(
    "data",
    [
        b"a" + b".a" * 100_000 + b" = 1",
        b"a" + b" . 'a'" * 40_000 + b" = 1",
        b"[" + b'"a".' * 50_000 + b"a]\nx = 1",
        b"\n".join(b"a%d" % number + b".a" * 900 + b" = 1" for number in range(140)),
        b"a = " + b"[" * 100_000 + b"]" * 100_000,
        b"a = " + b"{a = " * 40_000 + b"1" + b"}" * 40_000,
    ],
    ids=["dotted", "quoted", "header", "many", "arrays", "tables"],
)
def test_a_key_or_value_nested_without_end_is_refused_at_once(data: bytes) -> None:
    with pytest.raises(ConfigError, match="nested too deep"):
        values_of(data, shown="f")


def test_dots_in_texts_are_no_names() -> None:
    (row,) = values_of(b"a = '" + b"." * 200 + b"'", shown="f")
    assert row.value == "." * 200
