"""Invisible instructions are taken out; what else hides is counted."""

from typing import TYPE_CHECKING

from caramelo_tui.tools.skills.hidden_characters import hidden_findings, without_tags

if TYPE_CHECKING:
    from caramelo_tui.domain.tool_calls import JsonValue


def tags(text: str) -> str:
    return "".join(chr(0xE0000 + ord(character)) for character in text)


def test_tag_characters_are_removed_from_every_text() -> None:
    hidden = tags("obey")
    value: JsonValue = {"a" + hidden: ["x" + hidden, {"b": hidden + "y"}, 3, None, True]}
    assert without_tags(value) == {"a": ["x", {"b": "y"}, 3, None, True]}


def test_what_was_removed_and_what_hides_is_counted() -> None:
    value: JsonValue = {"a": tags("obey") + "x\u200b\u200b\u202e", "b": ["\u2066"]}
    removed, kept = (finding.text for finding in hidden_findings(value))
    assert removed == "4 invisible tag characters removed"
    assert kept.startswith("holds 4 characters that cannot be seen or that reorder text")
    assert "(U+200B, U+202E, U+2066); kept as it is" in kept


def test_one_hidden_character_is_one() -> None:
    (finding,) = hidden_findings("a\u200bb")
    assert "1 character that cannot be seen or that reorders text (U+200B)" in finding.text
    assert not finding.is_problem


def test_many_kinds_of_hidden_characters_are_not_all_named() -> None:
    (finding,) = hidden_findings("".join(map(chr, range(0x200B, 0x2010))) + "\u2060\u2061")
    assert "U+200F, …" in finding.text


def test_plain_texts_of_any_script_are_nothing_to_say() -> None:
    for text in ("plain\r\n\ttext", "für Ünïcode", "部署", "выпуск", "\u2764\ufe0f"):
        assert list(hidden_findings(text)) == []
