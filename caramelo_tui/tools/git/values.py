"""Check the values that go to git and gh as arguments.

Owns what a branch name and a text may hold before it becomes an argument: names never look like
an option, texts are what the user can read. Proven by tests/unit/tools/git/test_values.py.
"""

import re

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.git.program import OpenRepository
from caramelo_tui.tools.output_limits import make_inert

TEXT_BYTES = 65_536
"""Longest message or body: as long as GitHub takes."""
TITLE_BYTES = 1_024
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")
"""Control characters but line feed and tab."""


def require_plain_name(what: str, name: str) -> None:
    """Refuse a name that an argument must not be.

    Args:
        what: What it is, such as ``name``, for the message.
        name: Name of a branch or remote.

    Raises:
        ToolFailure: If it is empty, starts with a dash, or holds a control character.
    """
    if not name.strip():
        msg = f"{what}: is empty"
    elif name.startswith("-"):
        msg = f"{what}: {make_inert(name)} starts with a dash, which no name may"
    elif "\n" in name or "\t" in name or _CONTROLS.search(name):
        msg = f"{what}: {make_inert(name)} holds a control character"
    else:
        return
    raise ToolFailure(msg)


async def require_branch_name(repository: OpenRepository, what: str, name: str) -> None:
    """Refuse what git does not take as a branch name, short forms such as ``@{-1}`` included.

    Args:
        repository: Where git is asked.
        what: Name of the argument, for the message.
        name: The name.

    Raises:
        ToolFailure: If it is no branch name.
    """
    require_plain_name(what, name)
    checked = await repository.read("check-ref-format", "--branch", name, ends_with=(0, 1, 128))
    # git expands some short forms; the name that was asked for is not what they stand for.
    if checked.exit_code != 0 or checked.text != name + "\n":
        msg = f"{what}: {make_inert(name)} is not a valid branch name"
        raise ToolFailure(msg)


def checked_text(what: str, text: str, *, limit_bytes: int = TEXT_BYTES) -> str:
    """Return a message or body with plain line ends.

    Raises:
        ToolFailure: If it is longer than ``limit_bytes`` or holds a control character.
    """
    plain = text.replace("\r\n", "\n")
    if (found := _CONTROLS.search(plain)) is not None:
        msg = f"{what}: holds the control character {make_inert(found.group())}"
        raise ToolFailure(msg)
    if (size := len(plain.encode())) > limit_bytes:
        msg = f"{what}: {size:,} bytes is more than the limit of {limit_bytes:,}"
        raise ToolFailure(msg)
    return plain


def checked_title(what: str, text: str) -> str:
    """Return a title: one line that is not blank.

    Raises:
        ToolFailure: If it is blank, too long, or has several lines.
    """
    title = checked_text(what, text, limit_bytes=TITLE_BYTES)
    if not title.strip():
        msg = f"{what}: is empty"
        raise ToolFailure(msg)
    if "\n" in title:
        msg = f"{what}: has more than one line"
        raise ToolFailure(msg)
    return title
