from caramelo_tui.domain.decisions import CommandPart
from caramelo_tui.ui.screens.approval import shared_rows
from caramelo_tui.ui.screens.approval_text import command_question, facts_of, title_text
from caramelo_tui.ui.screens.fact_view import Fact
from tests.pilot.driving import command_request


def plain(facts: tuple[Fact, ...]) -> list[str]:
    return ["".join(words.text for words in fact) for fact in facts]


def test_the_facts_name_folder_limit_length_parts_and_reason() -> None:
    request = command_request(
        "rm -rf a\nls", parts=(CommandPart(text="rm -rf a", risks=("removes files recursively",)),)
    )
    assert plain(facts_of(request, "rm -rf a\nls", "/home/project")) == [
        "in /home/project · at most 30 s",
        "2 lines · 11 characters",
        "· rm -rf a  ⚠ removes files recursively",
        "bash always asks.",
    ]


def test_another_folder_than_the_root_is_pointed_out() -> None:
    request = command_request(cwd="/home/project/sub")
    facts = facts_of(request, "ls", "/home/project/")
    assert plain(facts)[0] == "in /home/project/sub (not the root) · at most 30 s"


def test_hidden_and_look_alike_characters_are_warned_of_first() -> None:
    request = command_request("echo \u202e \u0441url")
    first = plain(facts_of(request, request.command.command, "/"))[0]
    assert first == "⚠ hidden and look-alike characters, drawn as <U+…>"


def test_an_edited_command_says_so_and_has_its_own_parts_in_place_of_the_old() -> None:
    request = command_request("ls", parts=(CommandPart(text="ls"),))
    facts = plain(facts_of(request, "ls -l", "/home/project"))
    assert "edited by you · 1 line · 5 characters" in facts
    assert "· ls" not in facts
    assert request.reason not in facts
    parts = (CommandPart(text="ls -l", risks=("is long",)),)
    facts = plain(facts_of(request, "ls -l", "/home/project", edited_parts=parts))
    assert "· ls -l  ⚠ is long" in facts


def test_everything_from_outside_is_made_safe() -> None:
    request = command_request(
        "ls",
        cwd="/home/\x1b[2J",
        note="\u202enote",
        parts=(CommandPart(text="a\nb\x07", risks=("x\x1b",)),),
        agent_title="Tidy\n\x1b]0;evil\x07",
    )
    texts = [
        *plain(facts_of(request, "ls", "/work")),
        title_text(command_question(request), request.agent_title, ""),
    ]
    assert all(text.isprintable() for text in texts)


def test_command_and_facts_share_the_rows() -> None:
    assert shared_rows(20, 5, 6) == (5, 6)
    assert shared_rows(9, 100, 6) == (6, 3)
    assert shared_rows(9, 2, 30) == (2, 7)
    assert shared_rows(2, 100, 30) == (1, 1)
