"""A wish for a key is met, or it is said why not."""

import pytest

from caramelo_tui.domain.key_wishes import KeyWish, KeyWishes
from caramelo_tui.ui.key_file import KnownAction, key_map_of
from caramelo_tui.ui.key_sections import known_actions
from caramelo_tui.ui.keymap import KeyMap

KNOWN = (
    KnownAction(name="app.interrupt", keys="ctrl+c", is_priority=True),
    KnownAction(name="screen.help", keys="f1", is_priority=True),
    KnownAction(name="screen.zoom", keys="f8", is_priority=True),
    KnownAction(name="screen.files", keys="f2,alt+1", is_priority=True),
    KnownAction(name="screen.back", keys="escape"),
    KnownAction(name="list.up", keys="up,k"),
    KnownAction(name="files.mention", keys="at,m"),
    KnownAction(name="files.filter", keys="slash"),
    KnownAction(name="tools.cancel_call", keys="x"),
    KnownAction(name="changes.back", keys="escape"),
    KnownAction(name="diff.wrap", keys="w"),
    KnownAction(name="view.up", keys="up"),
)


def settled(*wishes: tuple[str, str] | tuple[str, str, str]) -> KeyMap:
    return key_map_of(
        KeyWishes(
            wishes=tuple(
                KeyWish(action=action, keys=tuple(keys), origin=f"keys.toml:{number}")
                for number, (action, *keys) in enumerate(wishes, start=2)
            )
        ),
        KNOWN,
    )


def test_no_wish_changes_nothing() -> None:
    assert settled() == KeyMap()


def test_a_free_key_takes_the_place_of_the_default() -> None:
    found = settled(("screen.zoom", "F12"), ("files.mention", "+", "alt+m"))
    assert found.problems == ()
    assert found.changed == {"screen.zoom": "f12", "files.mention": "plus,alt+m"}
    assert found.labels("screen.zoom", "f8") == ("F12",)
    assert found.labels("screen.help", "f1") == ("F1",)


def test_the_default_itself_is_no_change() -> None:
    assert settled(("files.mention", "@", "m"), ("changes.back", "esc")) == KeyMap()


def test_an_unknown_action_names_the_nearest() -> None:
    found = settled(("screen.hlep", "f12"))
    assert found.changed == {}
    assert found.problems == (
        "keys.toml:2: there is no action screen.hlep; the nearest is screen.help",
    )


def test_a_key_that_is_none_is_said_and_the_others_hold() -> None:
    found = settled(("files.mention", "ctrl+m", "M"))
    assert found.changed == {"files.mention": "M"}
    assert found.problems == ("keys.toml:2: ctrl+m cannot be used: terminals send it as enter",)


@pytest.mark.parametrize("key", ["y", "Y", "n", "e", "enter", "space", "up", "shift+left"])
@pytest.mark.parametrize("action", ["app.interrupt", "screen.help"])
def test_what_works_everywhere_takes_no_key_from_typing_or_from_answers(
    action: str, key: str
) -> None:
    found = settled((action, key))
    assert found.changed == {}
    assert "missing for typing" in found.problems[0]


def test_the_one_who_asks_gets_the_key_of_one_who_does_not() -> None:
    found = settled(("screen.zoom", "f2"))
    assert found.changed == {"screen.zoom": "f2", "screen.files": "alt+1"}
    assert found.problems == ("keys.toml:2: F2 is screen.zoom now; screen.files still has alt+1",)
    (problem,) = settled(("screen.zoom", "f1")).problems
    assert problem.endswith("screen.help has no key any more")


def test_two_may_change_places() -> None:
    found = settled(("screen.zoom", "f1"), ("screen.help", "f8"))
    assert found.problems == ()
    assert found.changed == {"screen.zoom": "f1", "screen.help": "f8"}


def test_of_two_who_ask_the_first_gets_it() -> None:
    found = settled(("screen.zoom", "f12"), ("screen.help", "f12"))
    assert found.changed == {"screen.zoom": "f12"}
    assert found.problems == ("keys.toml:3: screen.help cannot have F12: screen.zoom has it",)


def test_who_is_stronger_keeps_its_key() -> None:
    found = settled(("files.mention", "f1"), ("files.filter", "k"), ("diff.wrap", "ctrl+c"))
    assert found.changed == {}
    assert [problem.partition(": ")[2] for problem in found.problems] == [
        "files.mention cannot have F1: screen.help has it",
        "files.filter cannot have k: list.up has it",
        "diff.wrap cannot have ctrl+c: app.interrupt has it",
    ]


def test_a_list_that_takes_a_key_of_its_pane_says_so() -> None:
    found = settled(("list.up", "m"))
    assert found.changed == {"list.up": "m", "files.mention": "at"}
    assert "files.mention still has @" in found.problems[0]


def test_places_that_never_meet_may_share_a_key() -> None:
    found = settled(("files.mention", "x"), ("diff.wrap", "m"))
    assert found.problems == ()


def test_a_wish_that_cannot_be_met_leaves_what_is_left_of_the_default() -> None:
    found = settled(("list.up", "at"), ("files.mention", "k", "f1"))
    assert found.changed["list.up"] == "at"
    assert found.changed["files.mention"] == "k"


def test_problems_of_the_file_stand_first() -> None:
    found = key_map_of(KeyWishes(problems=("keys.toml:1: broken",)), KNOWN)
    assert found.problems == ("keys.toml:1: broken",)


def test_what_is_written_is_shown_safely() -> None:
    found = settled(("\x1b[2J", "f12"), ("screen.help", "\x1b[31m"))
    assert not any("\x1b" in problem for problem in found.problems)


def test_every_action_of_the_program_has_one_name() -> None:
    names = [action.name for action in known_actions()]
    assert len(names) == len(set(names))
    assert {"app.interrupt", "screen.files", "changes.accept_hunk", "diff.next_hunk"} <= set(names)
    assert all(name.replace("_", "").replace(".", "").isalpha() for name in names)
    assert not any(name.startswith("command.") for name in names)
