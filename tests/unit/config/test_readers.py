"""Each kind of value is taken or refused with what is allowed."""

import pytest

from caramelo_tui.config import readers
from caramelo_tui.config.readers import BadElement


@pytest.mark.parametrize(
    "host",
    ["localhost", "a.example.test", "10.0.0.5:8080", "[::1]", "[::1]:443", "::1", "fd00::5", "x:1"],
)
def test_hosts_are_names_or_addresses_with_or_without_a_port(host: str) -> None:
    assert readers.hosts([host]) == (host,)


@pytest.mark.parametrize(
    "host",
    [
        *("http://x", "x/y", "u@x", "*", "*.x", "x y", "x?", "x#", "\\x", "x:", "x:0", "x:65536"),
        *(
            ":80",
            "[::1",
            "[x]",
            "[::1]x",
            "[::1]:",
            "x:http",
            "x:٣",
            "-x",
            "1.2.3.400",
            "[z:1]",
            "a:b:c",
        ),
    ],
)
def test_what_is_no_host_is_refused(host: str) -> None:
    with pytest.raises(BadElement, match="must be hosts such as") as caught:
        readers.hosts(["fine", host])
    assert caught.value.index == 1


@pytest.mark.parametrize(
    "value", ["pass show x", [], [""], ["pass", 3], [["pass"]], ["pa\0ss"], None]
)
def test_a_command_is_a_list_with_the_program_first(value: object) -> None:
    with pytest.raises(ValueError, match="the program first"):
        readers.command(value)
    assert readers.command(["pass", "", "x y"]) == ("pass", "", "x y")


def test_a_command_that_cannot_be_used_is_not_repeated() -> None:
    with pytest.raises(ValueError, match="must be a list") as caught:
        readers.command("sk-SECRET")
    assert "SECRET" not in str(caught.value)


@pytest.mark.parametrize("value", [True, 1.0, "5", None, 4, 11])
def test_a_whole_number_is_one_in_its_range(value: object) -> None:
    read = readers.whole_number(5, 10)
    with pytest.raises(ValueError, match="whole number from 5 to 10"):
        read(value)
    assert (read(5), read(10)) == (5, 10)


def test_a_truth_value_of_a_file_is_nothing_else() -> None:
    assert readers.boolean(True) is True  # noqa: FBT003 - the value under test
    for value in ["true", 1, 0, None]:
        with pytest.raises(ValueError, match="true or false"):
            readers.boolean(value)


def test_a_wrong_value_is_shown_short() -> None:
    with pytest.raises(ValueError, match="…") as caught:
        readers.texts({"x": "y" * 5000})
    assert len(str(caught.value)) < 200
    with pytest.raises(BadElement) as element:
        readers.tool_names(["bash", "x" * 5000])
    assert len(str(element.value)) < 600


def test_the_index_of_a_wrong_element_is_told() -> None:
    for read, wrong in [
        (readers.texts, " "),
        (readers.tool_names, "bsh"),
        (readers.variable_names, "A-B"),
    ]:
        with pytest.raises(BadElement) as caught:
            read(["bash", wrong])
        assert caught.value.index == 1


def test_lists_and_their_elements_are_bounded() -> None:
    most = ["x" * readers.ELEMENT_CHARACTERS] * readers.MOST_ELEMENTS
    assert readers.texts(most) == tuple(most)
    with pytest.raises(ValueError, match="at most 500 elements, not 501"):
        readers.texts([*most, "x"])
    with pytest.raises(readers.BadElement, match="at most 256 characters each") as caught:
        readers.texts(["x", "[" * (readers.ELEMENT_CHARACTERS + 1)])
    assert caught.value.index == 1
