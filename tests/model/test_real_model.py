"""Whole runs of the program with a real small model: what they are made of, never their words."""

import asyncio
import json
import sys
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

import psutil
import pytest

from tests.model.conftest import KEY, MODEL, RealModel

PROGRAM = Path(sys.executable).parent / "caramelo"
PROMPT = "Read the file notes.txt"
Event = Mapping[str, object]


async def run(
    user: Mapping[str, str], folder: Path, *flags: str, **variables: str
) -> tuple[list[Event], str]:
    """Run the installed program and return its events and what it said."""
    (folder / "notes.txt").write_text("the kettle is on\n", encoding="utf-8")
    arguments = ["run", "--json", "--max-turns", "3", *flags, PROMPT]
    process = await asyncio.create_subprocess_exec(
        str(PROGRAM),
        *arguments,
        cwd=folder,
        env={**user, **variables},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, said = await process.communicate()
    return [json.loads(line) for line in out.splitlines()], said.decode()


def kinds(events: list[Event]) -> list[str]:
    return [str(event["type"]) for event in events]


def of_kind(events: list[Event], kind: str) -> list[Event]:
    return [event for event in events if event["type"] == kind]


@pytest.mark.parametrize("provider", ["openai", "anthropic"])
async def test_a_run_calls_a_tool_whose_arguments_came_in_pieces(
    provider: str, real_model: RealModel, user: Mapping[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    flags = ("--provider", provider, "--model", MODEL, "--base-url", real_model.url)
    events, said = await run(user, folder, *flags, OPENAI_API_KEY=KEY, ANTHROPIC_API_KEY=KEY)

    assert kinds(events)[0] == "RunStarted", said
    assert kinds(events)[-1] == "RunEnded"
    assert all(before["seq"] < after["seq"] for before, after in pairwise(events))  # type: ignore[operator]  # JSON border
    finished = of_kind(events, "ToolCallFinished")
    assert finished, said
    call_id = finished[0]["call_id"]
    pieces = [each for each in of_kind(events, "ToolCallStreamed") if each["call_id"] == call_id]
    assert len(pieces) > 2
    arguments = json.loads("".join(str(piece["fragment"]) for piece in pieces))
    assert set(arguments) == {"path"}
    started = {event["call_id"] for event in of_kind(events, "ToolCallStarted")}
    assert started == {event["call_id"] for event in finished}
    # The result went back, and the model was asked again.
    assert len(of_kind(events, "TurnStarted")) >= 2
    assert of_kind(events, "UsageReported")


async def test_a_models_file_is_run_and_its_process_ends_with_the_run(
    model_file: Path, user: Mapping[str, str], tmp_path: Path
) -> None:
    folder = tmp_path / "project"
    folder.mkdir()
    # It may go on and on: the run is ended, as a person would.
    flags = ("--provider", "local", "--model", str(model_file), "--timeout", "100")
    events, said = await run(user, folder, *flags, PATH="/usr/bin:/bin")

    assert kinds(events)[0] == "RunStarted", said
    assert events[0]["provider"] == "local"
    assert kinds(events)[-1] == "RunEnded"
    assert {"TextStreamed", "ToolCallStreamed"}.intersection(kinds(events)), said
    assert not [
        process.pid
        for process in psutil.process_iter(["cmdline"])
        if any("local_child.py" in word for word in process.info["cmdline"] or ())
    ]
