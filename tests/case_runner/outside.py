"""Change the workspace as another program would: between calls, and between two steps of one.

Owns outside acts, faults and races of a case.
"""

import errno
import os
import shutil
import subprocess
from pathlib import Path

from caramelo_tui.workspace.file_io import WriteStep
from tests.case_runner.world import Spec, World, write_file

DIED = 86
"""Exit code of a process that died where a case lets it."""


class Steps:
    """Puts the case's fault or race between the steps of a write."""

    def __init__(self, setup: Spec, world: World) -> None:
        self._fault: Spec = setup.get("fault") or {}
        self._race: Spec = setup.get("race") or {}
        self._world = world

    def __call__(self, step: WriteStep, path: str) -> None:
        if self._fault.get("on") == step.value:
            if self._fault.get("kill"):
                # Nothing is cleaned up: as after a power cut, but for what the system keeps.
                os._exit(DIED)
            number = getattr(errno, self._fault["errno"])
            raise OSError(number, os.strerror(number), path)
        self.race_at(step.value)

    def race_at(self, moment: str) -> None:
        """Do once what the case does behind a moment: a step, ``shown`` or ``approval``."""
        if self._race.get("after") == moment:
            race, self._race = self._race, {}
            if "write" in race:
                write_file(self._world, race["write"])
            if "replace_with_symlink" in race:
                self._replace(race["replace_with_symlink"])

    def _replace(self, spec: Spec) -> None:
        path = self._world.path(spec["path"])
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        path.unlink(missing_ok=True)
        path.symlink_to(spec["target"])


def act_outside(world: World, act: Spec) -> None:
    """Do what an entry of ``calls`` that is no call says."""
    if "outside_write" in act:
        _write(world, act)
    elif "outside_rename" in act:
        old, new = act["outside_rename"]
        world.path(old).rename(world.path(new))
    elif "outside_delete" in act:
        _remove(world.path(act["outside_delete"]))
    else:
        subprocess.run(act["outside_command"], cwd=world.root, check=True, capture_output=True)


def _write(world: World, act: Spec) -> None:
    path = world.path_of(act["outside_write"])
    before = path.stat() if path.exists() else None
    write_file(world, act["outside_write"])
    if act.get("keep_mtime") and before is not None:
        os.utime(path, ns=(before.st_atime_ns, before.st_mtime_ns))


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink()
