"""Build the world of a behaviour case on the real disk.

Owns placeholders, files, links and pipes of ``setup``; the repository is made by
``repository``. The meaning of each key stands in tests/cases/README.md.
"""

import base64
import os
import re
import socket
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import formatdate
from pathlib import Path
from typing import Any

Case = Mapping[str, Any]
"""One case, as decoded JSON."""
Spec = Mapping[str, Any]
"""One ``setup``, ``expect`` or FILE value."""


@dataclass(kw_only=True)
class World:
    """A workspace and its outside neighbour."""

    root: Path
    """The workspace, as it is opened (a link for ``root_via_symlink``)."""
    outside: Path
    """Sibling folder outside the workspace."""
    home: Path
    """The program's own folder."""
    environment: dict[str, str] = field(default_factory=dict[str, str])
    """Variables of the program."""
    unchanged: dict[Path, tuple[bytes, int]] = field(default_factory=dict)
    """Bytes and mtime_ns of every regular file right after the setup."""

    def fill(self, value: Any) -> Any:
        """Return ``value`` with the placeholders replaced, at any depth."""
        if isinstance(value, str):
            for name, text in (
                ("${WSNAME}", self.root.name),
                ("${OUTNAME}", self.outside.name),
                ("${WS}", str(self.root)),
                ("${OUT}", str(self.outside)),
                ("${CFGDIR}", ".caramelo"),
                ("${HOMEVAR}", "CARAMELO_HOME"),
            ):
                value = value.replace(name, text)
            return _HTTP_DATE.sub(_http_date, value)
        if isinstance(value, list):
            return [self.fill(item) for item in value]
        if isinstance(value, dict):
            return {self.fill(key): self.fill(item) for key, item in value.items()}
        return value

    def path(self, text: str) -> Path:
        """Return the absolute path of a filled path text."""
        return Path(os.path.join(self.root, text))  # noqa: PTH118  # keeps trailing dots and slashes

    def path_of(self, spec: Spec) -> Path:
        """Return the path of a filled FILE."""
        if "path_b64" in spec:
            return Path(
                os.fsdecode(os.fsencode(self.root) + b"/" + base64.b64decode(spec["path_b64"]))
            )
        return self.path(spec["path"])


_HTTP_DATE = re.compile(r"\$\{HTTPDATE\+(\d+)\}")


def _http_date(match: re.Match[str]) -> str:
    return formatdate(time.time() + int(match[1]), usegmt=True)


def content_of(spec: Spec) -> bytes:
    """Return the bytes of a FILE."""
    if "b64" in spec:
        return base64.b64decode(spec["b64"])
    if "parts" in spec:
        return "".join(part["text"] * part["times"] for part in spec["parts"]).encode()
    return str(spec["text"]).encode()


def new_world(case: Case, base: Path) -> World:
    """Return the empty world of ``case`` below ``base``."""
    real = base / "ws"
    outside = base / "out"
    home = base / "home"
    for folder in (real, outside, home):
        folder.mkdir()
    setup: Spec = case.get("setup") or {}
    root = real
    if setup.get("root_via_symlink"):
        root = base / "ws-link"
        root.symlink_to(real)
    world = World(root=root, outside=outside, home=home)
    world.environment = {**os.environ, **world.fill(setup.get("env") or {})}
    return world


def fill_world(world: World, setup: Spec) -> None:
    """Create the files, folders, links and pipes of a filled ``setup``."""
    if setup.get("files_outside"):
        (world.root.parent / "secret.txt").write_text("SECRET-OUTSIDE\n")
    for spec in setup.get("files", []):
        write_file(world, spec)
    for text in setup.get("dirs", []):
        world.path(text).mkdir(parents=True, exist_ok=True)
    _build_special(world, setup)


def note_unchanged(world: World) -> None:
    """Remember what every regular file is like now."""
    for path in sorted(world.root.resolve().parent.rglob("*")):
        if path.is_file() and not path.is_symlink():
            world.unchanged[path] = (path.read_bytes(), path.stat().st_mtime_ns)


def write_file(world: World, spec: Spec) -> None:
    """Write one FILE as another program would."""
    path = world.path_of(spec)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content_of(spec))
    if "mode" in spec:
        path.chmod(int(spec["mode"], 8))


def _build_special(world: World, setup: Spec) -> None:
    for spec in setup.get("symlinks", []):
        path = world.path(spec["path"])
        path.parent.mkdir(parents=True, exist_ok=True)
        path.symlink_to(spec["target"])
    for spec in setup.get("hardlinks", []):
        os.link(world.path(spec["target"]), world.path(spec["path"]))
    for text in setup.get("fifos", []):
        os.mkfifo(world.path(text))
    for text in setup.get("sockets", []):
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind(str(world.path(text)))
    many = setup.get("many_files")
    if many:
        folder = world.path(many["dir"])
        folder.mkdir(parents=True, exist_ok=True)
        for index in range(many["count"]):
            (folder / many["name"].format(i=index)).touch()
    for spec in setup.get("chmod", []):
        world.path(spec["path"]).chmod(int(spec["mode"], 8))
