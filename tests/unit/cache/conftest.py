from pathlib import Path

import pytest

from tests.doubles.workspace_worlds import World


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)
