"""Run the conversion of a page in a process, and end it in time.

Owns start, time limit and end of that process; one for each page. Proven by
tests/unit/tools/web/test_html_process.py.
"""

import asyncio
import importlib.util
import json
import os
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import cast

import caramelo_tui
from caramelo_tui.tools.web import html_worker

TIME_LIMIT_S = 10.0
"""A page of 1.4 MB takes 0.2 s; what takes longer than this is built to."""
_ALARM_GRACE_S = 5.0
_KEPT_VARIABLES = ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
"""Some interpreters do not start without; nothing else of the environment is handed on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Markdown:
    """A converted page."""

    text: str
    """The start of it, as long as was asked for."""
    characters: int
    """Length of the whole."""
    title: str


class HtmlConverter:
    """Converts pages, each in a process of its own."""

    def __init__(self, *, time_limit_s: float = TIME_LIMIT_S, uses_engine: bool = True) -> None:
        """Start nothing yet.

        Args:
            time_limit_s: After it the process is killed.
            uses_engine: Whether the library is used where it is installed.
        """
        self._time_limit_s = time_limit_s
        self._engine_folder = _engine_folder() if uses_engine else ""

    async def convert(self, html: str, *, base_url: str, limit_characters: int) -> Markdown | None:
        """Return a page as Markdown, ``None`` if it took too long or broke the parser.

        On cancellation the process is dead before it goes on upwards.

        Args:
            html: The page.
            base_url: What relative links are resolved against.
            limit_characters: How much of the result is wanted.
        """
        process = await asyncio.create_subprocess_exec(
            sys.executable,
            *("-I", "-S", str(html_worker.__file__)),
            str(Path(caramelo_tui.__file__).parents[1]),
            self._engine_folder,
            str(self._time_limit_s + _ALARM_GRACE_S),
            stdin=asyncio.subprocess.PIPE,
            stdout=asyncio.subprocess.PIPE,
            stderr=asyncio.subprocess.DEVNULL,
            env={name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ},
            cwd="/",
            start_new_session=True,
        )
        request = {"html": html, "base_url": base_url, "limit_characters": str(limit_characters)}
        try:
            async with asyncio.timeout(self._time_limit_s):
                data, _ = await process.communicate(json.dumps(request).encode())
        except TimeoutError:
            return None
        finally:
            if process.returncode is None:
                process.kill()
                await process.wait()
        return _read(data) if process.returncode == 0 else None


def _read(data: bytes) -> Markdown:
    answer = cast("dict[str, str | int]", json.loads(data))
    return Markdown(
        text=str(answer["text"]), characters=int(answer["characters"]), title=str(answer["title"])
    )


def _engine_folder() -> str:
    """Return where the engine is installed: the worker runs without site packages."""
    spec = importlib.util.find_spec(html_worker.ENGINE)
    if spec is None or spec.origin is None:
        return ""
    return str(Path(spec.origin).parents[1])
