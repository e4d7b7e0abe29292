"""A quick yes is never wrong, and plain calls get one."""

import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema import Draft7Validator

from caramelo_tui.domain.tool_calls import JsonValue
from caramelo_tui.tools.plain_fit import surely_fits

TEXT: dict[str, JsonValue] = {"type": "string", "minLength": 1, "maxLength": 3}
COUNT: dict[str, JsonValue] = {"type": "integer", "minimum": 1, "maximum": 9}
SCHEMA: dict[str, JsonValue] = {
    "type": "object",
    "additionalProperties": False,
    "required": ["path"],
    "properties": {
        "path": TEXT,
        "count": COUNT,
        "flag": {"type": "boolean", "default": False, "description": "x"},
        "kind": {"type": "string", "enum": ["a", "b"]},
        "names": {"type": "array", "items": TEXT},
        "odd": {"type": "string", "pattern": "^a"},
    },
}
LEAVES = st.one_of(
    st.none(), st.booleans(), st.integers(-1, 11), st.floats(), st.text("ab", max_size=5)
)
VALUES = st.one_of(LEAVES, st.lists(LEAVES, max_size=2))
KEYS = st.sampled_from(["path", "count", "flag", "kind", "names", "odd", "more"])


@given(value=st.dictionaries(KEYS, VALUES, max_size=5))
def test_what_surely_fits_is_valid(value: dict[str, JsonValue]) -> None:
    if surely_fits(SCHEMA, value):
        assert Draft7Validator(SCHEMA).is_valid(value)


@pytest.mark.parametrize(
    "value",
    [
        {"path": "a"},
        {"path": "abc", "count": 9, "flag": True, "kind": "b", "names": ["a", "b"]},
    ],
)
def test_plain_arguments_get_a_quick_yes(value: dict[str, JsonValue]) -> None:
    assert surely_fits(SCHEMA, value)


@pytest.mark.parametrize(
    "value",
    [
        *({}, {"path": ""}, {"path": "abcd"}, {"path": 1}, {"path": "a", "more": 1}),
        *({"path": "a", "count": 0}, {"path": "a", "count": 10}, {"path": "a", "count": True}),
        *({"path": "a", "count": 3.0}, {"path": "a", "flag": 1}, {"path": "a", "kind": "c"}),
        *({"path": "a", "names": ["a", ""]}, {"path": "a", "odd": "ab"}),
    ],
)
def test_all_else_is_left_to_the_validator(value: dict[str, JsonValue]) -> None:
    assert not surely_fits(SCHEMA, value)


@pytest.mark.parametrize("schema", [{}, {"type": ["string", "null"]}, {"not": {}}, {"$ref": "#"}])
def test_a_schema_with_other_words_is_left_to_the_validator(
    schema: dict[str, JsonValue],
) -> None:
    assert not surely_fits(schema, "a")


def test_a_valid_call_loads_no_validator() -> None:
    code = (
        "import sys\n"
        "from caramelo_tui.tools.files.file_read import FileRead\n"
        "from caramelo_tui.tools.validation import parse_arguments\n"
        'parse_arguments(FileRead().spec, \'{"path": "a"}\')\n'
        "print('jsonschema' in sys.modules)\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout.strip(), done.stderr) == ("False", "")
