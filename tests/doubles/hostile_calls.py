"""Calls as no sensible model makes them, and a tree that other programs change meanwhile.

Owns what is drawn, from a seed: paths, texts, numbers and broken JSON for every field of a tool.
"""

import contextlib
import json
import logging
import os
import random
from collections.abc import Sequence
from pathlib import Path

from caramelo_tui.agent.undo_port import Redo, UndoLastRun, UndoWish
from caramelo_tui.domain.tool_calls import JsonValue, ToolSpec

PATHS = (
    "a.txt",
    "b/c.txt",
    "new/deep/er.txt",
    "link",
    "link/secret",
    "folder-link/secret",
    "pipe",
    "..",
    "../outside/secret",
    "../project-twin/x",
    "/etc/passwd",
    "~",
    "~/x",
    "a.txt/",
    "./a.txt",
    "b/../a.txt",
    "b//c.txt",
    "",
    ".",
    "/",
    "\0",
    "a\0b",
    "\ud800",
    "x" * 300,
    "y/" * 3_000,
    "a\nb",
    "\x1b[2J",
    ".git/config",
    ".GIT/hooks/x",
    ".caramelo/config.toml",
    "AGENTS.md",
    "-rf",
    "--",
    "*",
    "[",
    "{a,b}" * 20,
    "**/**/**",
    "\u202etxt.a",
    "file:///etc/passwd",
    "/proc/self/environ",
)
TEXTS = (
    "",
    "one",
    "two\n",
    "\r\n",
    "\ufeff",
    "$&\\1",
    "x" * 100_000,
    "\0",
    "\ud800",
    "\U000e0041",
    "(a+)+$",
    "(?P<x>",
    "[[:alpha:]",
    "a{99999999}",
    "\\",
    "-e",
    "--pre=x",
    "\x1b]52;c;eA==\x07",
    "<script>",
    "[/red]",
    "@click=app.quit",
    "one\none\none",
    "日本",
    "🏳️‍🌈" * 50,
)
NUMBERS = (0, 1, -1, 2, 7, 10**9, 10**20, -(10**20), 1.5, 2.0, 1e308, True, False)
RAW = (
    "",
    "{",
    "[]",
    "null",
    "1",
    '"x"',
    "[" * 50_000,
    '{"path": 1e999}',
    '{"path": NaN}',
    '{"path": "a.txt", "path": "b/c.txt"}',
    '{"path": ' + "9" * 5_000 + "}",
    "\0",
    "\ud800",
)


class Faults(logging.Handler):
    """Keeps what the pipeline logs as a fault of the program's own."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Keep one."""
        self.records.append(record)


class Chaos:
    """Draws calls, and what other programs do meanwhile."""

    def __init__(self, seed: int, root: Path) -> None:
        self._random = random.Random(seed)  # noqa: S311 - the same calls each time, no secret
        self._root = root

    def call(self, specs: Sequence[ToolSpec]) -> tuple[str, str]:
        """Return a tool's name and its arguments."""
        pick = self._random
        spec = pick.choice(specs)
        name = spec.name if pick.random() < 0.97 else pick.choice(TEXTS)
        if pick.random() < 0.06:
            return name, pick.choice(RAW)
        known: dict[str, JsonValue] = {}
        properties = spec.input_schema.get("properties")
        names = list(properties) if isinstance(properties, dict) else []
        required = spec.input_schema.get("required")
        for field in names:
            is_required = isinstance(required, list) and field in required
            if pick.random() < (0.95 if is_required else 0.4):
                schema = properties.get(field) if isinstance(properties, dict) else None
                known[field] = (
                    self._value(field) if pick.random() < 0.3 else self._fitting(field, schema)
                )
        if pick.random() < 0.05:
            known[pick.choice(TEXTS)] = self._value("")
        return name, json.dumps(known)

    def _fitting(self, field: str, schema: JsonValue) -> JsonValue:
        """Return a value of the type that the schema names."""
        pick = self._random
        match schema.get("type") if isinstance(schema, dict) else None:
            case "string" if field in {"path", "cwd"}:
                return pick.choice(PATHS[:12])
            case "string":
                return pick.choice(TEXTS)
            case "integer" | "number":
                return pick.choice((1, 2, 7, 1_000))
            case "boolean":
                return pick.random() < 0.5
            case "array":
                return [pick.choice(PATHS[:12])]
            case _:
                return self._value(field)

    def _value(self, field: str, depth: int = 0) -> JsonValue:
        pick, at = self._random, self._random.random()
        if field in {"path", "cwd", "paths", "files_changed"} and at < 0.85:
            path = pick.choice(PATHS)
            return [path] if field in {"paths", "files_changed"} else path
        if at < 0.6:
            return pick.choice(TEXTS)
        if at < 0.85:
            return pick.choice(NUMBERS)
        if depth > 3 or at < 0.9:
            return None
        if at < 0.95:
            return [self._value(field, depth + 1) for _ in range(pick.randrange(4))]
        return {pick.choice(TEXTS): self._value(field, depth + 1)}

    def meddle(self) -> None:
        """Change the tree as another program may: files become links, pipes, folders, nothing."""
        place = self._root / self._random.choice(
            ("a.txt", "b/c.txt", "link", "folder-link", "pipe")
        )
        with contextlib.suppress(OSError):
            self._remove(place)
            place.parent.mkdir(parents=True, exist_ok=True)
            match self._random.randrange(6):
                case 0:
                    place.symlink_to(self._root.parent / "outside" / "secret")
                case 1:
                    place.symlink_to(self._root.parent / "outside")
                case 2:
                    os.mkfifo(place)
                case 3:
                    place.mkdir()
                case 4:
                    place.write_bytes(self._random.choice((b"one\ntwo\n", b"\xff\0", b"\r\n" * 9)))
                case _:
                    place.write_text("one\n" * self._random.randrange(2_000))

    def _remove(self, place: Path) -> None:
        if place.is_dir() and not place.is_symlink():
            with contextlib.suppress(OSError):
                place.rmdir()
        else:
            place.unlink(missing_ok=True)

    def wish(self) -> UndoWish:
        """Return an undo or a redo."""
        return self._random.choice((UndoLastRun(), UndoLastRun(), Redo()))

    def chance(self, of: float) -> bool:
        """Return whether it happens."""
        return self._random.random() < of
