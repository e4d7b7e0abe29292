"""Who looks elsewhere is told what waits; who looks is left alone."""

from caramelo_tui.ui.notifications import Notifications
from caramelo_tui.ui.terminal_sequences import BELL, title_sequence


def told() -> tuple[Notifications, list[str]]:
    written: list[str] = []
    notifications = Notifications(write=written.append, variables={})
    notifications.show_name("Caramelo · project")
    written.clear()
    return notifications, written


def test_the_title_says_how_the_run_stands() -> None:
    notifications, written = told()
    notifications.show_course(is_running=True, waiting=0)
    notifications.show_course(is_running=True, waiting=2)
    notifications.show_course(is_running=True, waiting=2)
    notifications.show_course(is_running=False, waiting=0)
    assert written == [
        title_sequence("● Caramelo · project"),
        title_sequence("? 2 · Caramelo · project"),
        title_sequence("Caramelo · project"),
    ]


def test_without_a_wish_nothing_rings_and_the_title_is_set_all_the_same() -> None:
    written: list[str] = []
    notifications = Notifications(write=written.append, variables={}, rings=False)
    notifications.show_name("project")
    notifications.note_focus(has_focus=False)
    notifications.show_course(is_running=True, waiting=1)
    notifications.show_course(is_running=False, waiting=0)
    assert written == [title_sequence(text) for text in ("project", "? 1 · project", "project")]


def test_who_looks_is_not_rung_for() -> None:
    notifications, written = told()
    notifications.show_course(is_running=True, waiting=1)
    assert not any(text.startswith(BELL) for text in written)


def test_the_end_of_a_run_rings_for_who_looks_elsewhere() -> None:
    notifications, written = told()
    notifications.show_course(is_running=True, waiting=0)
    notifications.show_course(is_running=False, waiting=0)
    assert not any(text.startswith(BELL) for text in written)
    notifications.note_focus(has_focus=False)
    notifications.show_course(is_running=True, waiting=0)
    notifications.show_course(is_running=False, waiting=0)
    notifications.show_course(is_running=False, waiting=0)
    assert [text for text in written if text.startswith(BELL)] == [
        "\x07\x1b]9;Caramelo · project: the run has ended\x07"
    ]


def test_who_looks_elsewhere_is_told_once_for_each_new_question() -> None:
    notifications, written = told()
    notifications.note_focus(has_focus=False)
    notifications.show_course(is_running=True, waiting=1)
    notifications.show_course(is_running=True, waiting=1)
    notifications.show_course(is_running=True, waiting=2)
    notifications.show_course(is_running=True, waiting=1)
    assert [text for text in written if text.startswith(BELL)] == [
        "\x07\x1b]9;Caramelo · project: 1 question waits\x07",
        "\x07\x1b]9;Caramelo · project: 2 questions wait\x07",
    ]
    notifications.note_focus(has_focus=True)
    written.clear()
    notifications.show_course(is_running=True, waiting=3)
    assert not any(text.startswith(BELL) for text in written)


def test_the_title_comes_back_after_another_program() -> None:
    notifications, written = told()
    notifications.show_again()
    assert written == [title_sequence("Caramelo · project")]
