"""A trusted repository with the git tools."""

from pathlib import Path

import pytest

from tests.doubles.git_worlds import GhStandIn, GitWorld, WorldPlan, open_git_world


@pytest.fixture
def gh(tmp_path: Path) -> GhStandIn:
    """Give a recording stand-in for gh, first on the world's search path."""
    return GhStandIn(tmp_path / "bin")


@pytest.fixture
def world(tmp_path: Path, gh: GhStandIn) -> GitWorld:
    """Give an empty trusted repository on branch main; its remote part is the stand-in."""
    return open_git_world(tmp_path, WorldPlan(path=f"{gh.folder}:/usr/bin:/bin"))


@pytest.fixture
def sub_world(tmp_path: Path) -> GitWorld:
    """Give a trusted workspace that is a folder of its repository."""
    return open_git_world(tmp_path, WorldPlan(sub_folder="pkg/app"))
