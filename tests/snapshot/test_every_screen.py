"""No screen of the app is without a snapshot at every size."""

import pkgutil
from collections.abc import Iterator
from importlib import import_module

from textual.screen import Screen

import caramelo_tui.ui
from tests.snapshot import (
    test_conversation_keys,
    test_login,
    test_models,
    test_prompt,
    test_questions,
    test_screens,
    test_undo,
)
from tests.snapshot.scenes import SIZES, Scene

SCENES: tuple[Scene, ...] = (
    *test_conversation_keys.SCENES,
    *test_login.SCENES,
    *test_models.SCENES,
    *test_prompt.SCENES,
    *test_questions.SCENES,
    *test_screens.SCENES,
    *test_undo.SCENES,
)


def screens_of(kind: type[Screen[object]]) -> Iterator[type[Screen[object]]]:
    """Yield our screens, without those that others are made from."""
    for each in kind.__subclasses__():
        if each.__module__.startswith("caramelo_tui.") and not each.__subclasses__():
            yield each
        yield from screens_of(each)


def test_every_screen_has_its_scene() -> None:
    for module in pkgutil.walk_packages(caramelo_tui.ui.__path__, "caramelo_tui.ui."):
        import_module(module.name)
    found = {each.__name__ for each in screens_of(Screen)}
    assert found
    shown = {scene.screen.__name__ for scene in SCENES}
    assert found - shown == set()


def test_every_question_is_looked_at_in_every_size() -> None:
    """The main screen alone says that it is too small, once."""
    whole = {scene.screen.__name__ for scene in SCENES if scene.sizes == SIZES}
    assert {scene.screen.__name__ for scene in SCENES} - whole <= {"CommandPalette"}


def test_no_two_scenes_share_their_files() -> None:
    names = [scene.name for scene in SCENES]
    assert len(names) == len(set(names))
