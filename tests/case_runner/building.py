"""Build the whole world of a behaviour case, in the order that the README asks for."""

from pathlib import Path

from tests.case_runner.repository import finish_repository, make_commits, set_search_path
from tests.case_runner.world import Case, Spec, World, fill_world, new_world, note_unchanged


def build_world(case: Case, base: Path) -> World:
    """Create what ``case`` needs below ``base``."""
    world = new_world(case, base)
    setup: Spec = world.fill(case.get("setup") or {})
    git: Spec = setup.get("git") or {}
    make_commits(world, git)
    fill_world(world, setup)
    finish_repository(world, git)
    set_search_path(world, {**git, **{key: setup[key] for key in _PROGRAMS if key in setup}})
    if "netrc" in setup:
        (Path(world.environment["HOME"]) / ".netrc").write_text(setup["netrc"])
    note_unchanged(world)
    return world


_PROGRAMS = ("fake_gh", "no_gh")
"""They may stand beside ``git`` or in it."""
