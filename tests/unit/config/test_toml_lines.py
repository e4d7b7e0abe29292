"""Every table, key and element is found on its line."""

import tomllib

import pytest

from caramelo_tui.config.toml_lines import TomlPath, lines_of


def found(text: str) -> dict[TomlPath, int]:
    # Only texts that the real reader accepts say anything.
    tomllib.loads(text)
    return lines_of(text)


def test_tables_and_keys_stand_where_their_names_begin() -> None:
    text = "# first\n[a]\nx = 1\n\n  y = 2 # note\n[a.b]\nz = 3\n"
    assert found(text) == {
        ("a",): 2,
        ("a", "x"): 3,
        ("a", "y"): 5,
        ("a", "b"): 6,
        ("a", "b", "z"): 7,
    }


def test_elements_of_a_list_over_several_lines_stand_apart() -> None:
    text = 'a = [\n  "x", # ] " \n\n  \'y\', "z",\n]\nb = 1\n'
    lines = found(text)
    assert [lines["a", index] for index in range(3)] == [2, 4, 4]
    assert lines["b",] == 6


@pytest.mark.parametrize(
    "value",
    [
        '"plain"',
        '"a \\" # ] } b"',
        "'a # ] } \\'",
        '"""one"""',
        '"""a ] "" \\""" # b"""',
        '"""ends in quotes"""""',
        "'''it's'''",
        "'''ends in quotes'''''",
        '""',
        "''",
        '""""""',
        "1979-05-27 07:32:00",
        "0x1F",
        "-inf",
        "true",
        "[]",
        "[[], [1, 2], []]",
        "[{a = 1}, {b = [1]}]",
        "{}",
        '{ x = "}", "y" = 2 }',
        "[1, 2, ]",
        "[ 1 , 2 ]",
    ],
)
def test_what_follows_a_value_is_found_behind_it(value: str) -> None:
    lines = found(f"a = {value} # note\nb = [ {value},\n {value}\n]\nc = 1\n")
    assert lines["b",] == 2
    assert lines["b", 1] == 3
    assert lines["c",] == 5


def test_texts_of_several_lines_are_counted() -> None:
    lines = found("a = \"\"\"one\n[b]\nc = 1\n\"\"\"\nd = '''\n\n'''\ne = 1\n")
    assert lines == {("a",): 1, ("d",): 5, ("e",): 8}


def test_keys_in_quotes_and_with_dots_are_read_as_the_real_reader_does() -> None:
    lines = found('"a.b" . c.\'d\' = 1\n["x\\u0041" . y]\nz.w = { v.u = 2 }\n')
    assert lines["a.b", "c", "d"] == 1
    assert lines["xA", "y", "z", "w", "v", "u"] == 3
    assert lines["xA", "y"] == 2


def test_arrays_of_tables_and_line_ends_of_other_systems_do_not_confuse() -> None:
    lines = found("[[a]]\r\nx = 1\r\n[[a]]\r\nx = 2\r\n[b]\r\ny = 3\r\n")
    assert (lines["a",], lines["b", "y"]) == (3, 6)


def test_an_empty_text_has_no_lines() -> None:
    assert found("") == {}
    assert found("  # only a note") == {}


def test_deep_values_cost_no_more_than_their_depth() -> None:
    # Each part is noted once: with a walk from the top for each, this took half a minute.
    text = "\n".join(f"x{number} = {'[' * 250}{']' * 250}" for number in range(400))
    lines = lines_of(text)
    assert lines["x399",] == lines[("x399", *[0] * 249)] == 400
