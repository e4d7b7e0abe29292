"""Show what a bug report holds, and write it.

Owns the form of the bundle, its listing, and the question before it is written. Gathers nothing:
the members come from `launch/doctor_bundle.py`, without private parts. Proven by
tests/unit/headless/test_bundle.py and tests/unit/test_doctor_bundle.py.
"""

import io
import os
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from caramelo_tui.domain.errors import CarameloError
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.workspace.private_files import open_private

QUESTION = "Write it? y writes it, v shows every line of it, Enter leaves it: "


@dataclass(frozen=True, slots=True, kw_only=True)
class Member:
    """One file of the bundle."""

    name: str
    what: str
    """What it is, in a few words."""
    text: str
    """Its whole content, private parts taken out."""

    @property
    def data(self) -> bytes:
        """The content as it is written."""
        return self.text.encode("utf-8", "backslashreplace")


def listing(members: Sequence[Member], path: Path) -> str:
    """Return what the bundle would hold and where it would be."""
    names = max(len(member.name) for member in members)
    lines = [f"{path} would hold:"]
    lines += [
        f"  {member.name:<{names}}  {len(member.data):>8,} bytes  {member.what}"
        for member in members
    ]
    lines += [
        "Keys are hidden and the home folder is ~. No prompt, no answer and no file of yours is",
        "in it. Log lines and crash reports can name files and commands: look at them with v.",
    ]
    return "\n".join(lines) + "\n"


def whole_text(members: Sequence[Member]) -> str:
    """Return every line of the bundle, safe for a terminal."""
    return "".join(f"\n=== {member.name}\n{visible(member.text)}\n" for member in members)


def wants_it(
    members: Sequence[Member], *, ask: Callable[[str], str], say: Callable[[str], None]
) -> bool:
    """Ask until it is to be written or not.

    Args:
        members: What would be written; shown whole on the wish.
        ask: Prints a question and returns the line that was typed; empty at the end of input.
        say: Prints a text.
    """
    while True:
        match ask(QUESTION).strip().lower():
            case "y" | "yes":
                return True
            case "v":
                say(whole_text(members))
            case _:
                return False


def write_bundle(path: Path, members: Sequence[Member]) -> None:
    """Write the members into a new zip file that only the user can read.

    Raises:
        CarameloError: If there is such a file already, or it cannot be written; nothing is left.
    """
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as file:
        for member in members:
            file.writestr(member.name, member.data)
    try:
        descriptor = open_private(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW)
    except FileExistsError as error:
        msg = f"{path} is there already; name another file"
        raise CarameloError(msg) from error
    except OSError as error:
        msg = f"{path} cannot be written: {error.strerror}; name another file"
        raise CarameloError(msg) from error
    try:
        with os.fdopen(descriptor, "wb") as out:
            out.write(packed.getvalue())
    except OSError as error:
        path.unlink(missing_ok=True)
        msg = f"{path} cannot be written: {error.strerror}; name another file"
        raise CarameloError(msg) from error
