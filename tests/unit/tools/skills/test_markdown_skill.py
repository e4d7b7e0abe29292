"""A SKILL.md brings a text, and no tool or permission whatever it says."""

import pytest

from caramelo_tui.tools.skills.field_readers import Findings
from caramelo_tui.tools.skills.markdown_skill import read_markdown_skill
from caramelo_tui.tools.skills.skill import SkillDraft


def read(text: str) -> tuple[SkillDraft | None, list[str]]:
    found = Findings()
    draft = read_markdown_skill(text, found)
    return draft, [("! " if one.is_problem else "") + one.text for one in found.all]


def test_a_skill_is_read_and_answers_to_its_name() -> None:
    draft, said = read("---\nname: lint\ndescription: How to\n  lint.\n---\n\nRun `x`.\n")
    assert said == []
    assert draft == SkillDraft(
        name="lint", description="How to lint.", triggers=("lint",), prompt="Run `x`."
    )


def test_keys_of_the_format_are_known_and_others_named() -> None:
    text = (
        "---\nname: a\ndescription: b\nlicense: MIT\ncompatibility: any\nmetadata:\n  x: y\n"
        "allowed-tools: Bash Read\ntools: [bash]\n---\n"
    )
    draft, said = read(text)
    assert draft is not None
    assert draft.tools == ()
    assert said == [
        "tools is an unknown key without effect",
        "allowed-tools is ignored: a skill gives no permission",
    ]


@pytest.mark.parametrize(
    ("head", "said"),
    [
        ("description: b", ["! name: expected 1 to 64 of A-Z a-z 0-9 _ -, got nothing"]),
        ("name: a", ["! description: expected a text of 1 to 1,024 characters, got nothing"]),
        ("name: [a]\ndescription: b", ["! name: expected a text"]),
        (
            "name: a b\ndescription: b",
            ['! name: expected 1 to 64 of A-Z a-z 0-9 _ -, got the text "a b"'],
        ),
        ("nonsense", ["! line 2: expected a key and a colon"]),
    ],
)
def test_a_bad_head_is_no_skill_and_says_why(head: str, said: list[str]) -> None:
    draft, found = read(f"---\n{head}\n---\ntext")
    assert draft is None
    assert found == said


def test_tag_characters_are_removed_and_others_counted() -> None:
    draft, said = read("---\nname: a\ndescription: b\U000e0041\n---\nx\U000e0042\u200b")
    assert draft is not None
    assert draft.description == "b"
    assert draft.prompt == "x\u200b"
    assert said[0] == "2 invisible tag characters removed"
    assert "U+200B" in said[1]
