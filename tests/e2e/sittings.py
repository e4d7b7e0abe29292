"""Sit down at the installed program with a scripted model behind it.

Owns what most tests in a terminal need together: a project, a model server, the program, and
the words of the screen that tell what state it is in.
"""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol

from tests.e2e.planted_keys import KEY
from tests.e2e.servers import RunningServer, model_server
from tests.e2e.terminal import Terminal

IDLE = "Ask for a change"
"""Stands in the empty prompt while nothing runs."""
BUSY = "The agent works"
"""Stands in the empty prompt while a run is under way."""
ARMED = "ctrl+c again quits"
SESSION_VARIABLE = "CARAMELO_SESSION"
"""Marks every process that the session started."""

Faults = Sequence[Mapping[str, object] | None]


class OpenSitting(Protocol):
    """Opens the program on the test's project."""

    def __call__(
        self,
        scenario: str,
        *,
        faults: Faults = (),
        vendor: str = "anthropic",
        size: tuple[int, int] = (100, 30),
        waits: bool = True,
    ) -> AbstractContextManager["Sitting"]:
        """Open it; ``waits``: until it takes prompts."""
        ...


@dataclass(frozen=True, kw_only=True)
class Sitting:
    """The program in a terminal, its project and its model."""

    terminal: Terminal
    server: RunningServer
    project: Path
    home: Path
    """Where the program keeps its files."""

    def send(self, prompt: str) -> None:
        """Type a prompt and send it."""
        self.terminal.type(prompt)
        self.terminal.press("Enter")

    def interrupt(self, *, run: int) -> None:
        """Press ctrl+c once, and wait until the run has ended and quitting is not armed."""
        self.terminal.press("C-c")
        # Armed must be seen first: a screen that does not show it yet looks like one of later.
        self.terminal.wait_for(ARMED)
        self.wait_for_ends(run)
        # A further ctrl+c within two seconds would quit.
        self.terminal.wait_for(lambda screen: ARMED not in screen and "●" not in last_line(screen))

    def quit(self) -> None:
        """Quit by the keyboard, and see the terminal restored."""
        self.terminal.press("C-c")
        self.terminal.wait_for(ARMED)
        self.terminal.press("C-c")
        assert self.terminal.wait_for_end() == 0
        self.terminal.check_restored()

    def events(self, *types: str) -> list[dict[str, Any]]:
        """Return the session's events of these types so far, oldest first."""
        (session,) = self.home.glob("sessions/*/*.jsonl")
        whole = session.read_text("utf-8").rpartition("\n")[0]
        events = [json.loads(line) for line in whole.split("\n")[1:]]
        return [event for event in events if event["type"] in types]

    def endings(self) -> list[str]:
        """Return how the runs ended so far."""
        return [event["ending"] for event in self.events("RunEnded")]

    def wait_for_ends(self, count: int) -> None:
        """Wait until so many runs have ended."""
        self.wait_until(lambda: len(self.endings()) >= count, f"end of run {count}")

    def wait_for_requests(self, count: int) -> None:
        """Wait until the model was asked so often."""
        self.wait_until(lambda: len(self.server.requests()) >= count, f"request {count}")

    def wait_until(self, holds: Callable[[], bool], words: str) -> None:
        """Wait for something beside the screen."""
        self.terminal.wait_until(holds, words)

    def session_processes(self) -> dict[int, str]:
        """Return the living processes that carry the session's mark."""
        found = {}
        for pid in self.terminal.marked_processes():
            try:
                variables = Path(f"/proc/{pid}/environ").read_bytes()
            except OSError:
                continue
            if f"{SESSION_VARIABLE}=".encode() in variables:
                found[pid] = self.terminal.marked_processes().get(pid, "")
        return found


def last_line(screen: str) -> str:
    """Return the status bar."""
    return screen.rstrip("\n").rpartition("\n")[2]


def results_of(body: Mapping[str, Any]) -> list[str]:
    """Return the texts of all tool results in a request, oldest first, of either vendor."""
    texts: list[str] = []
    for message in body["messages"]:
        if message["role"] == "tool":
            texts.append(str(message["content"]))
        elif isinstance(message["content"], list):
            blocks = [block for block in message["content"] if block["type"] == "tool_result"]
            texts += [text_of(block["content"]) for block in blocks]
    return texts


def user_texts(body: Mapping[str, Any]) -> list[str]:
    """Return what the user and the program said in a request, oldest first."""
    texts: list[str] = []
    for message in body["messages"]:
        if message["role"] != "user":
            continue
        if isinstance(message["content"], str):
            texts.append(message["content"])
        else:
            texts += [block["text"] for block in message["content"] if block["type"] == "text"]
    return texts


def text_of(content: object) -> str:
    """Return the text of a result, which may be a list of blocks."""
    if isinstance(content, str):
        return content
    assert isinstance(content, list)
    return "".join(block["text"] for block in content)


def connection(vendor: str, url: str) -> dict[str, str]:
    """Return the variables that name the server and its key."""
    if vendor == "anthropic":
        return {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": url}
    return {"OPENAI_API_KEY": KEY, "OPENAI_BASE_URL": f"{url}/v1"}


def opener(program: str, user: Mapping[str, str], project: Path) -> OpenSitting:
    """Return what opens sittings on a project; server and log lie beside it."""
    folder = project.parent

    @contextmanager
    def open_sitting(
        scenario: str,
        *,
        faults: Faults = (),
        vendor: str = "anthropic",
        size: tuple[int, int] = (100, 30),
        waits: bool = True,
    ) -> Iterator[Sitting]:
        with model_server(scenario, folder, faults=faults) as server:
            command = [program, str(project), "--provider", vendor, "--model", "test", "--trust"]
            environment = {**user, **connection(vendor, server.url)}
            with Terminal(command, cwd=folder, environment=environment, size=size) as terminal:
                if waits:
                    terminal.wait_for(lambda screen: IDLE in screen and "starting" not in screen)
                yield Sitting(
                    terminal=terminal,
                    server=server,
                    project=project,
                    home=Path(user["CARAMELO_HOME"]),
                )

    return open_sitting
