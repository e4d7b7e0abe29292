"""What a killed session was doing, and what each of its files may be afterwards.

A scenario is worked out before it is played: prompts with their calls, undos and redos. So every
content that a file can have at any moment is known beforehand.
"""

import json
import random
from collections.abc import Sequence
from dataclasses import dataclass, field

from tests.doubles.agent_worlds import Step, asks, says

COMMAND_FILE = "made/by-command.txt"
COMMAND_TEMPORARY = "made/by-command.tmp"
Content = bytes | None
Call = tuple[str, str, str]


@dataclass(frozen=True)
class Run:
    """A prompt, and what its turns ask for."""

    turns: tuple[tuple[Call, ...], ...]


@dataclass(frozen=True)
class Back:
    """The last run is taken back, or put back."""

    is_redo: bool = False


@dataclass
class Scenario:
    """What happens, and which contents may be met."""

    seed: str
    first: dict[str, bytes] = field(default_factory=dict[str, bytes])
    acts: list[Run | Back] = field(default_factory=list[Run | Back])
    versions: dict[str, set[Content]] = field(default_factory=dict[str, set[Content]])
    last: dict[str, bytes] = field(default_factory=dict[str, bytes])

    @property
    def answers(self) -> list[list[Step]]:
        """The model's answers, in order."""
        answers: list[list[Step]] = []
        for act in self.acts:
            if isinstance(act, Run):
                answers += [asks(*calls, text="I change it.") for calls in act.turns]
                answers.append(says("now it is done " * 5))
        return answers or [says("nothing")]


class _Writer:
    """Makes up a scenario by chance."""

    def __init__(self, seed: str, acts: int) -> None:
        self._chance = random.Random(seed)  # noqa: S311 - tests, not secrets
        self._acts = acts
        self._count = 0
        self._now: dict[str, bytes] = {}
        self._scenario = Scenario(seed=seed)

    def scenario(self) -> Scenario:
        made = self._scenario
        for number in range(3):
            self._put(f"src/f{number}.py", self._text(self._chance.choice((3, 20, 400))))
        made.first = dict(self._now)
        before: dict[str, bytes] | None = None
        after: dict[str, bytes] | None = None
        for _ in range(self._acts):
            kind = self._chance.random()
            if kind < 0.2 and before is not None:
                after, self._now, before = self._now, before, None
                made.acts.append(Back())
            elif kind < 0.6 and after is not None:
                before, self._now, after = self._now, after, None
                made.acts.append(Back(is_redo=True))
            else:
                before, after = dict(self._now), None
                made.acts.append(self._run())
        made.last = dict(self._now)
        return made

    def _run(self) -> Run:
        turns = range(self._chance.randint(1, 2))
        return Run(tuple(tuple(self._calls(self._chance.randint(1, 3))) for _ in turns))

    def _calls(self, count: int) -> list[Call]:
        calls: list[Call] = []
        for _ in range(count):
            kind = self._chance.random()
            if kind < 0.08:
                calls.append(self._command())
            elif kind < 0.3:
                calls.append(self._creation())
            else:
                calls.append(self._edit())
        return calls

    def _creation(self) -> Call:
        self._count += 1
        path = f"new{self._count % 3}/deep/n{self._count}.txt"
        content = self._text(self._chance.choice((1, 30)))
        self._put(path, content)
        return self._call("file_write", path=path, content=content.decode())

    def _edit(self) -> Call:
        path = self._chance.choice(sorted(set(self._now) - {COMMAND_FILE}))
        lines = self._now[path].decode().splitlines(keepends=True)
        at, new = self._chance.randrange(len(lines)), self._line()
        old = lines[at]
        lines[at] = new
        self._put(path, "".join(lines).encode())
        return self._call("file_edit", path=path, search=old, replace=new)

    def _command(self) -> Call:
        content = self._line()
        self._put(COMMAND_FILE, content.encode())
        command = (
            f"mkdir -p made && printf '%s\\n' '{content.strip()}' > {COMMAND_TEMPORARY} && "
            f"mv {COMMAND_TEMPORARY} {COMMAND_FILE}"
        )
        return self._call("bash", command=command)

    def _call(self, tool: str, **arguments: str) -> Call:
        self._count += 1
        return f"c{self._count}", tool, json.dumps(arguments)

    def _text(self, lines: int) -> bytes:
        return "".join(self._line() for _ in range(lines)).encode()

    def _line(self) -> str:
        self._count += 1
        return f"line {self._count} of {self._chance.getrandbits(64):x}\n"

    def _put(self, path: str, content: bytes) -> None:
        kept = self._scenario.versions.setdefault(path, {self._now.get(path)})
        kept.add(content)
        self._now[path] = content


def scenario_of(seed: str, *, acts: int = 4) -> Scenario:
    """Return the scenario of a seed, always the same."""
    return _Writer(seed, acts).scenario()


def files_of(contents: Sequence[tuple[str, bytes]]) -> dict[str, bytes]:
    """Return contents by path, without what a command may leave half made."""
    return {path: data for path, data in contents if path != COMMAND_TEMPORARY}
