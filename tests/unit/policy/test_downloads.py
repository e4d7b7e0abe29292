"""What curl and wget save and send is read from their options."""

import pytest

from caramelo_tui.policy.downloads import prints_download, saved_files, sends_data
from tests.unit.policy.test_shell_commands import parse


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("curl u", []),
        ("curl -o a u", ["a"]),
        ("curl -sSLoa u", ["a"]),
        ("curl --output a u", ["a"]),
        ("curl --outp=a u", ["a"]),
        ("curl -o a -o b u v", ["a", "b"]),
        ("curl -o - u", []),
        ("curl -so /dev/null u", []),
        ("curl -O u/a.sh?x=1", ["a.sh"]),
        ("curl --remote-name u/a/", ["a"]),
        ("curl -D h u", ["h"]),
        ("curl -c jar u", ["jar"]),
        ("curl -H 'o: x' u", []),
        ("curl u -o", []),
        ("wget -O a u", ["a"]),
        ("wget -qOa u", ["a"]),
        ("wget -qO- u", []),
        ("wget --output-document=a u", ["a"]),
        ("wget -o log u", ["log"]),
        ("wget u", []),
        ("cat -o a", []),
    ],
)
def test_saved_files(command: str, files: list[str]) -> None:
    assert [field.text for field in saved_files(parse(command).parts[0])] == files


@pytest.mark.parametrize(
    ("command", "sends"),
    [
        ("curl u", False),
        ("curl -d a u", True),
        ("curl -sda u", True),
        ("curl --data-raw a u", True),
        ("curl --form-s a u", True),
        ("curl -XPOST u", True),
        ("curl -X get u", False),
        ("curl --request DELETE u", True),
        ("curl -I u", False),
        ("curl u -X", False),
        ("wget --post-data=a u", True),
        ("wget --method HEAD u", False),
        ("wget -d u", False),
        ("cat -d a", False),
    ],
)
def test_sending(command: str, *, sends: bool) -> None:
    assert sends_data(parse(command).parts[0]) is sends


def test_a_named_output_of_wget_is_known() -> None:
    assert prints_download(parse("wget -qO- u").parts[0])
    assert not prints_download(parse("wget -q u").parts[0])
