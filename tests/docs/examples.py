"""Play the examples of the pages in a workspace of their own.

A block marked ``console`` holds commands behind ``$`` and what they print; ``…`` stands for any
text, and ``# exit code N`` behind a command for how it ends (else 0). All commands of a page run
in its one workspace, in order. Calls of ``caramelo tool`` go to one process for each set of flags.
"""

import json
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from caramelo_tui.domain.profiles import CORE
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.tools.profiles import profile_names

DOCS = Path(__file__).parents[2] / "docs"
_BLOCK = re.compile(r"^```console\n(.*?)^```", re.DOTALL | re.MULTILINE)
_EXIT_CODE = re.compile(r" +# exit code (\d+)$")
_TOOL = ("caramelo", "tool")
_SWITCHES = frozenset({"--trust"})

FILES: Mapping[str, str] = {
    ".gitignore": "build/\n",
    "README.md": "# Names\n\nPrints names.\n",
    "build/out.txt": "TODO: nobody reads this\n",
    "node_modules/dep/index.js": "// TODO\n",
    "src/cli.py": (
        "import sys\n\nfrom report import render\n\n\ndef main() -> int:\n"
        "    print(render(sys.argv[1:]))\n    return 0\n"
    ),
    "src/report.py": (
        '# TODO: sort by length\ndef render(names):\n    return "\\n".join(names)  # todo: escape\n'
    ),
}
"""What the examples find."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Example:
    """One command of a page."""

    command: str
    """As it stands there, without the exit code."""
    exit_code: int
    shown: str
    """What it prints, as the page has it."""

    def is_answered_by(self, output: str) -> bool:
        """Return whether the output is the one shown."""
        pattern = ".*?".join(map(re.escape, self.shown.split("…")))
        return re.fullmatch(pattern, output, re.DOTALL) is not None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What a command really came to."""

    exit_code: int
    output: str


def examples_of(page: str) -> tuple[Example, ...]:
    """Return the examples of a page, in order."""
    text = (DOCS / page).read_text(encoding="utf-8")
    return tuple(example for block in _BLOCK.findall(text) for example in _examples(block))


def _examples(block: str) -> Iterator[Example]:
    assert block.startswith("$ "), block
    for part in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        line, _, shown = part.partition("\n")
        code = _EXIT_CODE.search(line)
        yield Example(
            command=line[: code.start()] if code else line,
            exit_code=int(code[1]) if code else 0,
            shown=shown.rstrip("\n"),
        )


class ExampleWorkspace:
    """A folder with the files of the examples; closing it ends what was started."""

    def __init__(self, folder: Path) -> None:
        """Make it; the user's home is made beside it."""
        self.root = folder / "names"
        for path, content in FILES.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(content, encoding="utf-8")
        (self.root / "guide").symlink_to("README.md")
        programs = Path(sys.executable).parent
        self._environment = {
            **os.environ,
            "PATH": f"{programs}{os.pathsep}{os.environ['PATH']}",
            "CARAMELO_HOME": str(folder / "caramelo"),
            "PYTHONDONTWRITEBYTECODE": "1",
        }
        self._started = ExitStack()
        self._by_hand: dict[tuple[str, ...], subprocess.Popen[str]] = {}

    def __enter__(self) -> "ExampleWorkspace":
        return self

    def __exit__(self, *_raised: object) -> None:
        self._started.close()

    def run(self, command: str) -> Answer:
        """Run one command to its end; calls by hand share processes."""
        words = shlex.split(command)
        return self._run_tool(words[2:]) if tuple(words[:2]) == _TOOL else self.run_alone(command)

    def run_alone(self, command: str) -> Answer:
        """Run one command to its end, as it stands there."""
        words = shlex.split(command)
        done = subprocess.run(
            words,
            cwd=self.root,
            env=self._environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            check=False,
            timeout=60,
        )
        return Answer(exit_code=done.returncode, output=done.stdout.rstrip("\n"))

    def _run_tool(self, words: list[str]) -> Answer:
        flags: list[str] = []
        while words[0].startswith("--"):
            flags += [words.pop(0)] if words[0] in _SWITCHES else [words.pop(0), words.pop(0)]
        name, arguments = words
        if name in profile_names(CORE) and "--profile" not in flags:
            # Alone, the name chooses; a process that answers many calls has one profile.
            flags += ["--profile", CORE]
        call = {"id": 1, "name": name, "arguments": json.loads(arguments)}
        answer = self.answer_line(call, *flags)
        output = visible(answer["content"]).rstrip("\n")
        return Answer(exit_code=int(answer["is_error"]), output=output)

    def answer_line(self, call: Mapping[str, object], *flags: str) -> Mapping[str, Any]:
        """Return what ``caramelo tool --stdin`` answers to a line."""
        process = self._process(flags)
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(json.dumps(call) + "\n")
        process.stdin.flush()
        return cast("Mapping[str, Any]", json.loads(process.stdout.readline()))

    def _process(self, flags: tuple[str, ...]) -> "subprocess.Popen[str]":
        if flags not in self._by_hand:
            process = subprocess.Popen(
                ["caramelo", "tool", "--stdin", *flags],
                cwd=self.root,
                env=self._environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
            )
            self._by_hand[flags] = self._started.enter_context(process)
            self._started.callback(process.terminate)
        return self._by_hand[flags]
