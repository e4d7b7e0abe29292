"""No farm of links leads out of the workspace."""

import os
import tempfile
from pathlib import Path

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.domain.errors import PathOutsideWorkspace, PathRefused, ToolFailure
from caramelo_tui.domain.files import ResolvedPath
from caramelo_tui.workspace.file_io import FileStore
from caramelo_tui.workspace.sandbox import Sandbox

NAMES = ["a", "b", "c", "d"]
SECRET = b"TOPSECRET"
PART = st.sampled_from([*NAMES, *NAMES, "..", ".", ""])
RELATIVE = st.lists(PART, min_size=1, max_size=6).map("/".join)
TARGET = st.one_of(
    RELATIVE,
    st.sampled_from(["{out}", "{out}/secret", "{out}/new", "{ws}", "{ws}/a/b", "/proc/self/root"]),
)
PLACES = st.lists(st.sampled_from(NAMES), min_size=1, max_size=3).map("/".join)
THINGS = st.lists(
    st.tuples(PLACES, st.sampled_from(["file", "folder", "link", "link"]), TARGET), max_size=8
)
ASKED = st.one_of(RELATIVE, TARGET)


def build(base: Path, things: list[tuple[str, str, str]]) -> tuple[Path, Path]:
    root, outside = base / "ws", base / "out"
    root.mkdir()
    outside.mkdir()
    (outside / "secret").write_bytes(SECRET)
    for place, kind, target in things:
        path = root / place
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if kind == "file":
                path.write_bytes(place.encode())
            elif kind == "folder":
                path.mkdir()
            elif target:
                path.symlink_to(target.format(ws=root, out=outside))
        except OSError:
            # The farm grows only where the place is free.
            continue
    # The farm itself may have written through its links; that is not what is tested.
    (outside / "secret").write_bytes(SECRET)
    return root, outside


@given(things=THINGS, asked=st.lists(ASKED, min_size=1, max_size=6))
def test_paths_lead_where_the_kernel_says_and_never_out(
    things: list[tuple[str, str, str]], asked: list[str]
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder).resolve()
        root, outside = build(base, things)
        sandbox = Sandbox(root)
        files = FileStore(sandbox)
        for text in asked:
            path = text.format(ws=root, out=outside)
            check(sandbox, files, path)


def resolved_or_refusal(sandbox: Sandbox, path: str) -> ResolvedPath | PathRefused:
    try:
        return sandbox.resolve(path, allows_absolute=True)
    except PathRefused as refusal:
        return refusal


def check(sandbox: Sandbox, files: FileStore, path: str) -> None:
    if not path:
        return
    whole = os.path.join(sandbox.root, path)  # noqa: PTH118 - a Path would swallow the dots
    real = os.path.realpath(whole)
    is_inside = Path(real) == sandbox.root or sandbox.root in Path(real).parents
    resolved = resolved_or_refusal(sandbox, path)
    if isinstance(resolved, PathOutsideWorkspace):
        assert not is_inside
        return
    if isinstance(resolved, PathRefused):
        # A loop; realpath gives up somewhere in it.
        assert "links" in str(resolved) or path.startswith("//")
        return
    assert is_inside
    assert str(resolved.absolute) == real
    assert sandbox.root.joinpath(resolved.relative) == Path(real)
    try:
        data = files.read_bytes(resolved).data
    except ToolFailure:
        assert not Path(whole).is_file() or path.endswith(("/", "."))
        return
    assert data != SECRET
    assert data == Path(real).read_bytes()


@given(things=THINGS, paths=st.lists(RELATIVE, min_size=1, max_size=4))
def test_writes_never_land_outside(things: list[tuple[str, str, str]], paths: list[str]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        base = Path(folder).resolve()
        root, outside = build(base, things)
        before = {path: path.lstat().st_mtime_ns for path in outside.rglob("*")}
        files = FileStore(Sandbox(root))
        for path in paths:
            # Unresolved on purpose: the write itself must hold, whoever calls it.
            try:
                files.write_atomic(path, b"payload", expected_hash=None)
            except ToolFailure:
                continue
            assert (root / path).read_bytes() == b"payload"
        assert {path: path.lstat().st_mtime_ns for path in outside.rglob("*")} == before
        assert not [path for path in base.rglob("*") if ".caramelo-" in path.name]
