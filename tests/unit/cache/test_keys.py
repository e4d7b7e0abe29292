"""Which calls are one question."""

import pytest

from caramelo_tui.cache.keys import cache_key, default_arguments
from caramelo_tui.domain.tool_calls import JsonValue


def key(path: str = "a", tool: str = "file_read", **arguments: JsonValue) -> str:
    return cache_key(tool, arguments, path)


@pytest.mark.parametrize("asked", ["a", "./a", "././/a", "b/../a"])
def test_spellings_of_one_path_are_one_key(asked: str) -> None:
    assert cache_key("file_read", {"path": asked}, "a") == cache_key(
        "file_read", {"path": "a"}, "a"
    )


def test_the_root_is_one_key_however_it_is_named() -> None:
    keys = {
        cache_key("list_dir", arguments, ".")
        for arguments in ({}, {"path": "."}, {"path": "./"}, {"path": "sub/.."})
    }
    assert len(keys) == 1


def test_a_link_and_its_target_are_two_keys() -> None:
    assert cache_key("t", {"path": "alias"}, "a") != cache_key("t", {"path": "a"}, "a")


def test_a_link_that_leads_elsewhere_now_is_another_key() -> None:
    assert cache_key("t", {"path": "alias"}, "a") != cache_key("t", {"path": "alias"}, "b")


def test_a_final_slash_is_another_question() -> None:
    assert cache_key("t", {"path": "a/"}, "a") != cache_key("t", {"path": "a"}, "a")
    assert cache_key("t", {"path": "a/."}, "a") == cache_key("t", {"path": "a/"}, "a")


def test_an_absolute_path_is_another_question() -> None:
    assert cache_key("t", {"path": "/a"}, "a") != cache_key("t", {"path": "a"}, "a")
    assert cache_key("t", {"path": "/a/./b"}, "b") == cache_key("t", {"path": "/a/b"}, "b")


def test_a_default_that_is_given_is_the_same_question() -> None:
    defaults = default_arguments(
        {
            "properties": {
                "path": {"type": "string"},
                "count": {"type": "integer", "default": 10},
                "staged": {"type": "boolean", "default": False},
            }
        }
    )
    assert defaults == {"count": 10, "staged": False}
    plain = cache_key("t", {}, ".", defaults=defaults)
    assert cache_key("t", {"path": ".", "count": 10}, ".", defaults=defaults) == plain
    assert cache_key("t", {"count": 11}, ".", defaults=defaults) != plain


def test_a_schema_without_properties_has_no_defaults() -> None:
    assert default_arguments({"type": "object"}) == {}


def test_tool_and_every_argument_count_and_their_order_does_not() -> None:
    assert key(x=1, y=2) == key(y=2, x=1)
    different = {key(), key(x=1), key(x=2), key(x="1"), key(x=None), key(tool="t"), key(path="b")}
    assert len(different) == 7
