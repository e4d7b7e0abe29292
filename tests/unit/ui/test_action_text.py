from dataclasses import replace

import pytest

from caramelo_tui.domain.tool_calls import Action, ActionFact, ActionKind
from caramelo_tui.ui.screens.action_text import action_facts, action_lines, action_question
from caramelo_tui.ui.screens.fact_view import Fact
from tests.pilot.driving import COMMIT, action_request

FETCH = Action(
    kind=ActionKind.FETCH,
    title="POST https://\u0430pple.example.test/",
    facts=(
        ActionFact(label="host", value="\u0430pple.example.test"),
        ActionFact(label="sent as", value="xn--pple-43d.example.test"),
        ActionFact(label="header", value="X-One: 1"),
        ActionFact(label="header", value="X-Two: 2\nfolded"),
    ),
    body="a\u202eb \tc ",
)


def lines_of(action: Action) -> list[str]:
    return ["".join(text for text, _ in spans) for spans in action_lines(action)]


def plain(facts: tuple[Fact, ...]) -> list[str]:
    return ["".join(words.text for words in fact) for fact in facts]


def test_title_facts_and_body_stand_below_each_other() -> None:
    assert lines_of(COMMIT) == [
        "Commit all changes",
        "files  src/cli.py",
        "       src/render.py",
        "",
        "Add a --json flag",
        "",
        "One object a line.",
    ]


def test_every_character_of_a_request_is_shown_for_what_it_is() -> None:
    assert lines_of(FETCH) == [
        "POST https://<U+0430>pple.example.test/",
        "host     <U+0430>pple.example.test",
        "sent as  xn--pple-43d.example.test",
        "header   X-One: 1",
        "         X-Two: 2",
        "         folded",
        "",
        "a<U+202E>b →c·",
    ]


def test_hidden_and_look_alike_characters_are_warned_of() -> None:
    request = action_request(FETCH, tool="web_fetch")
    assert plain(action_facts(request))[0] == ("⚠ hidden and look-alike characters, drawn as <U+…>")


def test_prose_in_another_script_is_no_look_alike() -> None:
    message = "\u0418\u0441\u043f\u0440\u0430\u0432\u0438\u0442\u044c"
    commit = replace(COMMIT, facts=(ActionFact(label="author", value=message),), body=message)
    assert lines_of(commit) == ["Commit all changes", f"author  {message}", "", message]
    assert "⚠" not in "".join(plain(action_facts(action_request(commit))))
    hiding = replace(COMMIT, body="a\u200bb")
    assert "⚠ hidden characters" in plain(action_facts(action_request(hiding)))[0]


def test_a_look_alike_in_a_branch_is_marked_though_the_body_is_prose() -> None:
    commit = replace(COMMIT, facts=(ActionFact(label="branch", value="m\u0430in"),))
    assert "branch  m<U+0430>in" in lines_of(commit)
    assert "⚠ look-alike" in plain(action_facts(action_request(commit)))[0]


def test_who_asks_why_and_how_long_the_text_is_stand_below() -> None:
    request = action_request(note="A write before it was rejected.", agent_title="Tidy\x1b[2J")
    assert plain(action_facts(request)) == [
        "asked by the sub-agent Tidy<U+001B>[2J",
        "A write before it was rejected.",
        "text of 3 lines · 37 characters",
        "git_commit always asks.",
    ]


@pytest.mark.parametrize("kind", list(ActionKind))
def test_every_kind_has_a_question(kind: ActionKind) -> None:
    request = action_request(replace(COMMIT, kind=kind), tool="a_tool")
    assert action_question(request).endswith("? (a_tool)")


def test_a_title_with_line_ends_makes_no_row_that_looks_like_a_fact() -> None:
    action = replace(COMMIT, title="Commit\nbranch  main", facts=(), body="")

    assert lines_of(action) == ["Commit<U+000A>branch  main"]
