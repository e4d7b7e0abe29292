"""Whatever stands in a skill's file, it is read or named, and nothing else happens."""

import json
import string
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.agent.trigger_words import has_trigger, words_of
from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.tools.skills.field_readers import NAME, Findings
from caramelo_tui.tools.skills.hidden_characters import hidden_findings, without_tags
from caramelo_tui.tools.skills.input_schema import closed_schema, schema_errors
from caramelo_tui.tools.skills.json_skill import read_json_skill
from caramelo_tui.tools.skills.markdown_skill import read_markdown_skill
from caramelo_tui.tools.skills.skill import SkillDraft

KEYS = st.sampled_from(
    [
        *("name", "description", "triggers", "tools", "promptTemplate", "inputSchema", "command"),
        *("type", "properties", "required", "items", "additionalProperties", "enum", "minimum"),
    ]
)
TEXTS = st.text(max_size=12) | st.sampled_from(["object", "string", "a", "deploy", "\U000e0041"])
JSON: st.SearchStrategy[JsonValue] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(KEYS | TEXTS, inner, max_size=6),
    max_leaves=25,
)
WORDS = st.text(string.ascii_letters, min_size=1, max_size=8)


def check(draft: SkillDraft | None, found: Findings) -> None:
    if draft is None:
        assert any(finding.is_problem for finding in found.all)
        return
    assert NAME.fullmatch(draft.name)
    assert draft.description
    assert "\U000e0041" not in repr(draft)
    for tool in draft.tools:
        assert NAME.fullmatch(tool.spec.name)
        assert tool.spec.input_schema["additionalProperties"] is False
        assert tool.command


@given(JSON)
def test_any_json_is_read_or_named(value: JsonValue) -> None:
    found = Findings()
    check(read_json_skill(json.dumps(value), found), found)


@given(st.dictionaries(KEYS, JSON, max_size=5), JSON)
def test_any_object_with_any_tool_is_read_or_named(
    fields: dict[str, JsonValue], tool: JsonValue
) -> None:
    whole: dict[str, JsonValue] = {"name": "a", "description": "b", **fields, "tools": [tool]}
    found = Findings()
    check(read_json_skill(json.dumps(whole), found), found)


@given(st.text())
def test_any_text_is_read_or_named(text: str) -> None:
    for read in (read_json_skill, read_markdown_skill):
        found = Findings()
        check(read(text, found), found)


@given(st.text(alphabet=st.sampled_from("abk:-#|>'\"\\[ \t\n\r")))
def test_any_head_is_read_or_named(head: str) -> None:
    found = Findings()
    check(read_markdown_skill(f"---\nname: a\n{head}\n---\ntext", found), found)


@given(JSON)
def test_a_schema_that_is_fit_stays_fit_when_it_is_closed(schema: JsonValue) -> None:
    if not schema_errors(schema) and isinstance(schema, dict):
        closed = closed_schema(schema)
        assert schema_errors(closed) == ()
        assert closed_schema(closed) == closed


@given(JSON)
def test_nothing_is_left_of_tags(value: JsonValue) -> None:
    clean = without_tags(value)
    assert not any("tag character" in finding.text for finding in hidden_findings(clean))


@given(WORDS, WORDS, WORDS)
def test_a_word_is_found_alone_and_never_within_another(
    before: str, trigger: str, after: str
) -> None:
    assert has_trigger(words_of(f"{before} {trigger.swapcase()}, {after}"), trigger)
    inside = f"{before}{trigger}{after}"
    if trigger.casefold() != inside.casefold():
        assert not has_trigger(words_of(inside), trigger)


MIXED = st.text(alphabet="aeZ_2 +-é\u0301部デ", max_size=12)


@given(MIXED, MIXED)
def test_the_quick_look_misses_no_trigger(prompt: str, trigger: str) -> None:
    ready = words_of(prompt)
    # With all runs of the trigger in place nothing ends early.
    thorough = replace(ready, runs=words_of(trigger).runs)
    assert has_trigger(ready, trigger) == has_trigger(thorough, trigger)
