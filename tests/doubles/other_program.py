"""Another program that changes a workspace when told to.

Owns a process of its own, so that nothing of its changes can be known to the program under test
but by the disk. Proven by the tests that use it, tests/contract/test_no_stale_answer.py first.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path

_PROGRAM = r"""
import json, os, shutil, subprocess, sys

def write(path, text, kind):
    os.makedirs(os.path.dirname(path) or ".", exist_ok=True)
    old = os.stat(path) if os.path.exists(path) else None
    target = path + ".new" if kind == "rename" else path
    with open(target, "w") as file:
        file.write(text)
    if kind == "rename":
        os.replace(target, path)
    if kind == "same_stamp" and old is not None:
        os.utime(path, ns=(old.st_atime_ns, old.st_mtime_ns))

def remove(path):
    if os.path.lexists(path):
        os.unlink(path)

def flood(paths):
    # By turns: equal events in a row are merged.
    for number in range(17_000):
        os.chmod(paths[number % len(paths)], 0o644)

for line in sys.stdin:
    act = json.loads(line)
    kind, path, text = act["kind"], act["path"], act["text"]
    if kind == "delete":
        os.unlink(path)
    elif kind == "delete_folder":
        shutil.rmtree(path)
    elif kind == "move":
        os.makedirs(os.path.dirname(text) or ".", exist_ok=True)
        os.rename(path, text)
    elif kind == "git":
        subprocess.run(["git", *text.split("\0")], check=True, stdout=subprocess.DEVNULL)
    elif kind == "link":
        remove(path)
        os.symlink(text, path)
    elif kind == "second_name":
        remove(text)
        os.link(path, text)
    elif kind == "flood":
        flood(text.split("\0"))
    else:
        write(path, text, kind)
    print("done", flush=True)
"""


class OtherProgram:
    """The other side of the pipe; each act is over when its method returns."""

    def __init__(self, process: "subprocess.Popen[str]") -> None:
        self._process = process

    def write(self, path: str, text: str, *, how: str = "rewrite") -> None:
        """Write a file, parents included.

        Args:
            path: Workspace-relative.
            text: The whole content.
            how: ``rewrite`` in place, ``rename`` a new file over it, or ``same_stamp``: in place,
                with the old time put back.
        """
        self._act(how, path, text)

    def delete(self, path: str) -> None:
        """Delete a file."""
        self._act("delete", path)

    def delete_folder(self, path: str) -> None:
        """Delete a folder with all in it."""
        self._act("delete_folder", path)

    def move(self, path: str, target: str) -> None:
        """Move a file or folder; makes the folders above the target."""
        self._act("move", path, target)

    def link(self, path: str, target: str) -> None:
        """Make a symbolic link, in place of what stands there."""
        self._act("link", path, target)

    def second_name(self, path: str, name: str) -> None:
        """Give a file another name, a hard link, in place of what stands there."""
        self._act("second_name", path, name)

    def git(self, *arguments: str) -> None:
        """Run git in the workspace."""
        self._act("git", "", "\0".join(arguments))

    def flood(self, *paths: str) -> None:
        """Cause more events than any queue holds, without changing content."""
        self._act("flood", "", "\0".join(paths))

    def _act(self, kind: str, path: str, text: str = "") -> None:
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps({"kind": kind, "path": path, "text": text}) + "\n")
        self._process.stdin.flush()
        assert self._process.stdout.readline() == "done\n"


@contextlib.contextmanager
def other_program(workspace: Path) -> Generator[OtherProgram]:
    """Run one in a workspace until the end of the block."""
    who = {"NAME": "other", "EMAIL": "other@example.org"}
    names = {f"GIT_{role}_{key}": who[key] for role in ("AUTHOR", "COMMITTER") for key in who}
    with subprocess.Popen(
        [sys.executable, "-c", _PROGRAM],
        cwd=workspace,
        env={**os.environ, **names},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        yield OtherProgram(process)
        assert process.stdin is not None
        process.stdin.close()
