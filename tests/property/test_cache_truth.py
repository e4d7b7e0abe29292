"""No stale answer: a hit equals what a run would give on the disk as it is now (I3)."""

import contextlib
import os
import shutil
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import ClassVar

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    precondition,
    rule,
    run_state_machine_as_test,
)

from caramelo_tui.cache.store import CallCache, Ticket
from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.tool_calls import CacheScope
from caramelo_tui.workspace.file_io import FileStore, content_hash
from caramelo_tui.workspace.ignore_rules import SKIPPED_FOLDERS
from caramelo_tui.workspace.sandbox import Sandbox
from caramelo_tui.workspace.tree_scopes import TreeScope
from caramelo_tui.workspace.tree_watch import TreeWatch

FILES = ["f", "d/g", "d/e/h"]
FOLDERS = [".", "d", "d/e"]
PLACES = st.sampled_from([*FILES, *FOLDERS])
FILE = st.sampled_from(FILES)
TREES = [
    TreeScope(kind=kind, folder=folder)
    for kind in (CacheScope.SOURCES, CacheScope.TREE)
    for folder in FOLDERS
]
TREE = st.sampled_from(TREES)
CONTENT = st.sampled_from(["v1", "v2", "v3", "longer"])


class CacheAgainstDisk(RuleBasedStateMachine):
    """Another program changes the disk at will; each look must be true."""

    totals: ClassVar[Counter[str]] = Counter()

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.root = Path(self.folder.name).resolve()
        self.files = FileStore(Sandbox(self.root))
        self.trees = TreeWatch(self.root, environment={})
        self.cache = CallCache(20_000, files=self.files, trees=self.trees)
        self.open_tickets: list[tuple[Ticket | None, str]] = []

    def teardown(self) -> None:
        self.totals["hits"] += self.cache.counts.hits
        self.totals["misses"] += self.cache.counts.misses
        self.cache.close()
        self.folder.cleanup()

    @initialize()
    def some_files(self) -> None:
        for path in FILES:
            self._write(path, "v1")
        self._rest()

    @rule(path=FILE, content=CONTENT)
    def rewrites(self, path: str, content: str) -> None:
        self._then_look(lambda: self._write(path, content), path)

    @rule(path=FILE, content=CONTENT)
    def rewrites_and_restores_the_time(self, path: str, content: str) -> None:
        def change() -> None:
            target = self.root / path
            if target.is_file():
                before = target.stat()
                target.write_text(content)
                os.utime(target, ns=(before.st_atime_ns, before.st_mtime_ns))

        self._then_look(change, path)

    @rule(path=FILE, content=CONTENT)
    def renames_over(self, path: str, content: str) -> None:
        def change() -> None:
            other = self._write(f"{path}.swap", content)
            if not (self.root / path).is_dir():
                other.rename(self.root / path)

        self._then_look(change, path)

    @rule(path=st.sampled_from([*FILES, "d", "d/e"]))
    def deletes(self, path: str) -> None:
        def change() -> None:
            target = self.root / path
            if target.is_dir():
                shutil.rmtree(target)
            else:
                target.unlink(missing_ok=True)

        self._then_look(change, path)

    @rule(name=st.sampled_from(["n", "m"]), folder=st.sampled_from(FOLDERS))
    def makes_a_file_in_new_nested_folders(self, name: str, folder: str) -> None:
        path = f"{folder}/{name}/x/y.txt"
        self._then_look(lambda: self._write(path, "new"), folder)

    @rule(name=st.sampled_from(["build", "node_modules"]), folder=st.sampled_from(FOLDERS))
    def writes_into_a_skipped_folder(self, name: str, folder: str) -> None:
        path = f"{folder}/{name}/x.txt"
        self._then_look(lambda: self._write(path, f"{self.totals['written']}"), folder)
        self.totals["written"] += 1

    @rule(source=st.sampled_from(["d", "d/e", "m"]), goal=st.sampled_from(["m", "d/m", "k/l"]))
    def moves_a_folder(self, source: str, goal: str) -> None:
        def change() -> None:
            place = self.root / goal
            if (self.root / source).is_dir() and not place.exists():
                with contextlib.suppress(OSError):
                    # Into itself, or below what is no folder.
                    place.parent.mkdir(parents=True, exist_ok=True)
                    (self.root / source).rename(place)

        self._then_look(change, "f")

    @rule(scope=TREE)
    def asks_twice_about_a_tree(self, scope: TreeScope) -> None:
        self._ask_tree(scope)
        before = self.cache.counts.hits
        self._ask_tree(scope)
        self.totals["tree hits"] += self.cache.counts.hits - before

    @rule(scope=TREE)
    def begins_a_look_at_a_tree_that_ends_later(self, scope: TreeScope) -> None:
        ticket = self.cache.begin_tree(_key(scope), scope=scope)
        self.open_tickets.append((ticket, self._run_tree(scope)))

    @rule()
    def the_watch_breaks(self) -> None:
        if self.trees._open is not None:
            self.trees._open.queue.close()

    @rule(path=FILE)
    def swaps_a_file_for_a_link(self, path: str) -> None:
        def change() -> None:
            target = self.root / path
            if target.is_file():
                target.unlink()
                target.symlink_to("nowhere")

        self._then_look(change, path)

    @rule(path=FILE, content=CONTENT)
    def the_agent_writes(self, path: str, content: str) -> None:
        def change() -> None:
            try:
                old = self.files.read_if_exists(path)
                expected = None if old is None else content_hash(old.data)
                self.files.write_atomic(path, content.encode(), expected_hash=expected)
            except ToolFailure:
                return
            self.cache.drop_path(path)

        self._then_look(change, path)

    @rule()
    def a_command_ran(self) -> None:
        self.cache.drop_all()

    @rule(path=PLACES)
    def asks_twice(self, path: str) -> None:
        self._ask(path)
        self._ask(path)

    @rule(path=PLACES)
    def begins_a_run_that_ends_later(self, path: str) -> None:
        self.open_tickets.append((self.cache.begin(path, dependencies=[path]), self._run(path)))

    @precondition(lambda self: self.open_tickets)
    @rule()
    def ends_the_run(self) -> None:
        ticket, answer = self.open_tickets.pop(0)
        if not answer.startswith("error"):
            self.cache.store(ticket, text=answer, now=1)

    @rule()
    def time_passes(self) -> None:
        self._rest()

    def _then_look(self, change: Callable[[], object], path: str) -> None:
        self._ask(path)
        for scope in TREES:
            self._ask_tree(scope)
        change()
        for scope in TREES:
            self._ask_tree(scope)
        for place in (path, path.rpartition("/")[0] or "."):
            self._ask(place)

    def _ask(self, path: str) -> None:
        kept = self.cache.look_up(path, now=1)
        ticket = None if kept else self.cache.begin(path, dependencies=[path])
        answer = self._run(path)
        if kept is not None:
            assert kept.text == answer
        elif not answer.startswith("error"):
            self.cache.store(ticket, text=answer, now=1)

    def _ask_tree(self, scope: TreeScope) -> None:
        kept = self.cache.look_up(_key(scope), now=1)
        ticket = None if kept else self.cache.begin_tree(_key(scope), scope=scope)
        answer = self._run_tree(scope)
        if kept is not None:
            assert kept.text == answer
        else:
            self.cache.store(ticket, text=answer, now=1)

    def _run_tree(self, scope: TreeScope) -> str:
        """Show all that is below, as the tools do: by names, contents and links as such."""
        skipped = SKIPPED_FOLDERS if scope.kind is CacheScope.SOURCES else frozenset[str]()
        rows: list[str] = []
        for folder, folders, names in os.walk(self.root / scope.folder):
            folders[:] = sorted(set(folders) - skipped)
            for name in sorted(names):
                place = Path(folder, name)
                content = str(place.readlink()) if place.is_symlink() else place.read_text()
                rows.append(f"{place}: {content}")
            rows += [f"{folder}/{name}/" for name in folders]
        return "\n".join(rows)

    def _run(self, path: str) -> str:
        """Do what file_read and list_dir do."""
        try:
            if (self.root / path).is_dir():
                entries = self.files.list_folder(path)
                return "\n".join(sorted(f"{item.name} {item.kind}" for item in entries))
            return self.files.read_bytes(path).data.decode()
        except ToolFailure as failure:
            return f"error {failure}"

    def _write(self, path: str, content: str) -> Path:
        target = self.root / path
        for parent in reversed(target.relative_to(self.root).parents):
            place = self.root / parent
            if place.is_symlink() or place.is_file():
                place.unlink()
            place.mkdir(exist_ok=True)
        if not target.is_dir():
            if target.is_symlink():
                target.unlink()
            target.write_text(content)
        return target

    def _rest(self) -> None:
        """Wait until the stamp of the last change is old enough to be trusted."""
        mark = self.root / ".mark"
        mark.write_text("x")
        while self.cache.begin("mark", dependencies=[".mark"]) is None:
            continue
        mark.unlink()


def _key(scope: TreeScope) -> str:
    return f"{scope.kind} {scope.folder}"


def test_no_answer_is_stale() -> None:
    CacheAgainstDisk.totals.clear()
    run_state_machine_as_test(
        CacheAgainstDisk, settings=settings(max_examples=10, stateful_step_count=20)
    )
    # Without hits nothing would have been tested.
    assert CacheAgainstDisk.totals["hits"] > 20
    assert CacheAgainstDisk.totals["tree hits"] > 0
