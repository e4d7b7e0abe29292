"""What every end-to-end test needs: the installed program and a user of its own."""

import os
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from tests.e2e.planted_keys import OF_OTHERS, forget_printed, leaks
from tests.e2e.sittings import OpenSitting, opener


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder: they are slow and need a terminal each."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.e2e)
            if item.get_closest_marker("timeout") is None:
                item.add_marker(pytest.mark.timeout(180))


@pytest.fixture(autouse=True)
def keys_turn_up_nowhere(tmp_path: Path) -> Iterator[None]:
    """Look for the planted keys after each test, in all that was written, printed and passed on."""
    forget_printed()
    yield
    assert leaks(tmp_path) == []


@pytest.fixture
def program() -> str:
    """Path of the installed program."""
    path = Path(sys.executable).parent / "caramelo"
    assert path.exists(), "the program is not installed in this environment"
    return str(path)


@pytest.fixture
def user(tmp_path: Path) -> Mapping[str, str]:
    """Variables of a fresh user without keys but planted ones of other programs."""
    home = tmp_path / "user"
    home.mkdir()
    return {
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "CARAMELO_HOME": str(home / "caramelo"),
        "TERM": "screen-256color",
        "COLORTERM": "truecolor",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_CONFIG_NOSYSTEM": "1",
        **OF_OTHERS,
    }


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The folder that a sitting opens; empty."""
    folder = tmp_path / "project"
    folder.mkdir()
    return folder


@pytest.fixture
def open_sitting(program: str, user: Mapping[str, str], project: Path) -> OpenSitting:
    """Opens the program on the project, with a scripted model behind it."""
    return opener(program, user, project)
