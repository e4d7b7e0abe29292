"""The files that common programs write are found."""

import pytest

from caramelo_tui.policy.write_targets import downloaded_files, touched_files, written_files
from tests.unit.policy.test_shell_commands import parse


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("cat a", []),
        ("tee a -a b", ["a", "b"]),
        ("sponge a", ["a"]),
        ("cp a b.txt", ["b.txt"]),
        ("cp x/a b", ["b", "b/a"]),
        ("cp x/.env .", [".", "./.env"]),
        ("cp a.txt d.d/", ["d.d/", "d.d//a.txt"]),
        ("cp $X b", ["b"]),
        ("cp x/.. b", ["b"]),
        ("cp -r a b c.d", ["c.d", "c.d/a", "c.d/b"]),
        ("cp -t d a b.c", ["d", "d/a", "d/b.c", "b.c"]),
        ("cp a", []),
        ("install -m 600 a b.c", ["b.c"]),
        ("ln -s a b.c", ["b.c"]),
        ("ln -s ../../.env", ["./.env"]),
        ("mv a b.c", ["a", "b.c"]),
        ("gcp a b.c", ["b.c"]),
        ("tar xf a -C d", ["d"]),
        ("tar -C d -xf a", ["d"]),
        ("tar --extract --directory=d", ["d"]),
        ("tar xf a", []),
        ("tar -czf a.tgz src", ["a.tgz"]),
        ("tar czf a.tgz src", ["a.tgz"]),
        ("tar c src", []),
        ("tar -cf - src", []),
        ("tar tf a", []),
        ("unzip a -d d", ["d"]),
        ("unzip a", []),
        ("gcc a.c -o a", ["a"]),
        ("go build", []),
        ("pandoc a -o -", []),
        ("curl -sSLo a u", ["a"]),
        ("curl -O u/b", ["b"]),
        ("wget -qO- u", []),
        ("wget -O a u", ["a"]),
        ("sed s/a/b/ f", []),
        ("sed -i s/a/b/ f g", ["f", "g"]),
        ("sed -i.bak -e s/a/b/ f", ["f"]),
        ("perl -pi -e x f", ["f"]),
        ("dd if=a of=b", ["b"]),
        ("truncate -s 0 a", ["a"]),
    ],
)
def test_writers(command: str, files: list[str]) -> None:
    assert [field.text for field in written_files(parse(command).parts[0])] == files


def test_touched_files() -> None:
    assert [f.text for f in touched_files(parse("rm -rf a b").parts[0])] == ["a", "b"]
    assert [f.text for f in touched_files(parse("chmod -x a").parts[0])] == ["a"]
    assert touched_files(parse("cat a").parts[0]) == []


@pytest.mark.parametrize(
    ("command", "files"),
    [
        ("curl -o a.sh u", ["a.sh"]),
        ("curl -O https://x.test/d/b.sh?v=1", ["b.sh"]),
        ("curl u > c.sh", ["c.sh"]),
        ("curl u", []),
        ("wget https://x.test/d.sh", ["d.sh"]),
        ("wget -O e.sh u", ["e.sh"]),
        ("wget -O - u", []),
        ("cat u > f", []),
    ],
)
def test_downloads_that_stay(command: str, files: list[str]) -> None:
    assert downloaded_files(parse(command).parts[0]) == files
