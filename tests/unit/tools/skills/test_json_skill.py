"""A JSON skill is read with all that is wrong named; a bad tool does not take the others along."""

import json

import pytest

from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.tools.skills.field_readers import (
    COMMAND_BYTES,
    DESCRIPTION_CHARACTERS,
    FINDING_CHARACTERS,
    MOST_FINDINGS,
    MOST_TRIGGERS,
    PROMPT_BYTES,
    Findings,
)
from caramelo_tui.tools.skills.json_skill import DEEPEST_LEVEL, MOST_TOOLS, read_json_skill
from caramelo_tui.tools.skills.skill import SkillDraft

TOOL: dict[str, JsonValue] = {
    "name": "deploy_staging",
    "description": "Deploy to\n  staging",
    "inputSchema": {"type": "object", "properties": {"version": {"type": "string"}}},
    "command": ["./deploy.sh", "--to", "staging"],
}
SKILL: dict[str, JsonValue] = {
    "name": "deploy",
    "description": "Deploy the application",
    "triggers": ["deploy", " ship  it ", "deploy"],
    "tools": [TOOL],
    "promptTemplate": "\nDeploy with care.\n",
}


def read(text: str) -> tuple[SkillDraft | None, str]:
    """Return the skill and all that was said, with ``!`` before each problem."""
    found = Findings()
    draft = read_json_skill(text, found)
    return draft, "\n".join(("! " if one.is_problem else "") + one.text for one in found.all)


def read_with(**more: JsonValue) -> tuple[SkillDraft | None, str]:
    return read(json.dumps({**SKILL, **more}))


def tool_with(**more: JsonValue) -> tuple[SkillDraft | None, str]:
    return read_with(tools=[{**TOOL, **more}])


def test_a_whole_skill_is_read() -> None:
    draft, said = read(json.dumps(SKILL))
    assert said == ""
    assert draft is not None
    assert (draft.name, draft.description) == ("deploy", "Deploy the application")
    assert draft.triggers == ("deploy", "ship it")
    assert draft.prompt == "Deploy with care."
    (tool,) = draft.tools
    assert tool.command == ("./deploy.sh", "--to", "staging")
    assert (tool.spec.name, tool.spec.description) == ("deploy_staging", "Deploy to staging")
    assert tool.spec.input_schema["additionalProperties"] is False


def test_only_name_and_description_are_needed() -> None:
    draft, said = read('{"name": "a", "description": "b"}')
    assert said == ""
    assert draft == SkillDraft(name="a", description="b")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "! is no usable JSON"),
        ("{", "! is no usable JSON"),
        ("[]", "! expected a JSON object, got a list"),
        ('{"name": "a", "name": "b"}', '! is no usable JSON: the key "name" stands more than once'),
        ('{"name": NaN}', "! is no usable JSON: NaN"),
        ('{"name": 1e999}', "! is no usable JSON"),
        ('{"name": "\\ud800"}', "! is no usable JSON"),
        ("[" * 100_000, "levels deep"),
        ('{"a": ' * (DEEPEST_LEVEL + 1) + "1" + "}" * (DEEPEST_LEVEL + 1), "levels deep"),
        ("9" * 5_000, "! is no usable JSON"),
    ],
)
def test_a_file_that_is_no_json_object_is_a_problem(text: str, said: str) -> None:
    draft, found = read(text)
    assert draft is None
    assert said in found


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"name": None}, "! name: expected 1 to 64 of A-Z a-z 0-9 _ -, got nothing"),
        ({"name": "a b"}, '! name: expected 1 to 64 of A-Z a-z 0-9 _ -, got the text "a b"'),
        ({"name": "x" * 65}, "! name: expected"),
        ({"name": "\u0430dmin"}, "! name: expected"),
        ({"name": ["a"]}, "! name: expected"),
        ({"description": ""}, "! description: expected a text of 1 to 1,024 characters"),
        ({"description": 3}, "! description: expected"),
        ({"description": "x" * (DESCRIPTION_CHARACTERS + 1)}, "got 1,025 characters"),
    ],
)
def test_without_name_or_description_there_is_no_skill(
    more: dict[str, JsonValue], said: str
) -> None:
    draft, found = read_with(**more)
    assert draft is None
    assert said in found


def test_all_problems_are_named_at_once() -> None:
    _, said = read_with(name="", description=1, triggers="x", promptTemplate=2, tools=3)
    assert said.count("!") == 5


def test_unknown_keys_are_named_with_the_nearest_known_one() -> None:
    draft, said = read_with(promptTemplates="x", permissions=["bash"])
    assert draft is not None
    assert "promptTemplates is an unknown key without effect; did you mean promptTemplate" in said
    assert "permissions is an unknown key without effect" in said
    assert "!" not in said
    _, said = tool_with(comand=["x"])
    assert "tool deploy_staging: comand is an unknown key without effect; did you mean" in said


def test_bad_triggers_are_left_out() -> None:
    draft, said = read_with(triggers=["ok", "", "  ", "...", 3, "x" * 101])
    assert draft is not None
    assert draft.triggers == ("ok",)
    assert said.count("! triggers[") == 5
    draft, said = read_with(triggers=[f"t{number}" for number in range(MOST_TRIGGERS + 1)])
    assert draft is not None
    assert len(draft.triggers) == MOST_TRIGGERS
    assert "only the first 50 of 51" in said


def test_a_long_text_is_cut() -> None:
    draft, said = read_with(promptTemplate="ä" * PROMPT_BYTES)
    assert draft is not None
    assert len(draft.prompt.encode()) <= PROMPT_BYTES
    assert "the skill's text is too long" in draft.prompt
    assert "! promptTemplate: cut at 32 KB" in said


def test_a_tool_without_a_command_is_not_offered_and_named() -> None:
    other = {**TOOL, "name": "other"}
    del other["command"]
    draft, said = read_with(tools=[other, TOOL])
    assert draft is not None
    assert [tool.spec.name for tool in draft.tools] == ["deploy_staging"]
    assert said == "! tool other has no command, so it is not offered"


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"command": "rm x"}, "never a shell's text"),
        ({"command": []}, "expected a list of program and arguments, got an empty list"),
        ({"command": None}, "got nothing"),
        ({"command": ["a", 1]}, "expected texts only"),
        ({"command": ["", "a"]}, "the program has no name"),
        ({"command": ["~/bin/x"]}, "~ is not expanded"),
        ({"command": ["a", "b\u202ec"]}, "holds a character that cannot be seen"),
        ({"command": ["a", "b\0c"]}, "holds a character that cannot be seen"),
        ({"command": ["a", "x\U000e0041"]}, "holds a character that cannot be seen"),
        ({"command": ["a", "x" * COMMAND_BYTES]}, "has more than 16 KB"),
        ({"name": "a b"}, "! tools[0].name: expected"),
        ({"description": ""}, "! tool deploy_staging: description: expected"),
        ({"inputSchema": None}, "! tool deploy_staging: inputSchema: expected an object"),
        ({"inputSchema": {"type": "object", "not": {}}}, "not is not supported"),
    ],
)
def test_a_bad_tool_is_not_offered_and_says_why(more: dict[str, JsonValue], said: str) -> None:
    draft, found = tool_with(**more)
    assert draft is not None
    assert draft.tools == ()
    assert said in found
    assert "!" in found


def test_a_tool_that_is_no_object_and_too_many_tools_are_named() -> None:
    _, said = read_with(tools=[1])
    assert "! tools[0]: expected an object, got 1" in said
    many: list[JsonValue] = [{**TOOL, "name": f"t{number}"} for number in range(MOST_TOOLS + 1)]
    draft, said = read_with(tools=many)
    assert draft is not None
    assert len(draft.tools) == MOST_TOOLS
    assert "only the first 32 of 33" in said


def test_tag_characters_are_gone_from_all_that_goes_to_the_model() -> None:
    tag = "\U000e0041"
    schema: JsonValue = {"type": "object", "properties": {"a": {"description": f"A{tag}."}}}
    tool: JsonValue = {**TOOL, "description": f"Do{tag} it", "inputSchema": schema}
    draft, said = read_with(description=f"D{tag}", promptTemplate=f"P{tag}", tools=[tool])
    assert draft is not None
    assert tag not in repr(draft)
    assert "4 invisible tag characters removed" in said


def test_the_report_of_a_hostile_file_is_bounded() -> None:
    keys: dict[str, JsonValue] = {"u" * 50_000: 1, **{f"trigger{n}": 1 for n in range(5_000)}}
    found = Findings()
    assert read_json_skill(json.dumps({**SKILL, **keys}), found) is not None
    assert len(found.all) == MOST_FINDINGS + 1
    assert found.all[-1].text == f"{5_001 - MOST_FINDINGS} more findings"
    assert all(len(one.text) <= FINDING_CHARACTERS + 1 for one in found.all)


def test_a_problem_among_the_rest_of_the_findings_stays_one() -> None:
    found = Findings()
    for number in range(MOST_FINDINGS):
        found.note(f"note {number}")
    found.problem("bad")
    assert found.all[-1].is_problem


def test_keys_that_differ_in_invisible_characters_only_are_one() -> None:
    draft, said = read('{"name": "a", "na\\udb40\\udc41me": "b", "description": "d"}')
    assert draft is None
    assert "stands more than once" in said


@pytest.mark.parametrize("keyword", ["minimum", "maximum", "minLength"])
def test_a_number_that_no_vendor_holds_is_refused(keyword: str) -> None:
    schema: JsonValue = {"type": "object", "properties": {"a": {keyword: 10**40}}}
    draft, said = tool_with(inputSchema=schema)
    assert draft is None
    assert "is a number of 41 digits" in said
