"""Laying JSON out changes nothing but blanks."""

import json

from hypothesis import given
from hypothesis import strategies as st

from caramelo_tui.tools.web.json_layout import laid_out

values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=20,
)
_NO_BLANKS = str.maketrans("", "", " \t\r\n")


@given(values, st.sampled_from([None, 0, 1, 4]))
def test_value_is_the_same_and_lines_are_those_of_the_standard_library(
    value: object, indent: int | None
) -> None:
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    found = laid_out(text, limit_characters=10**9)
    assert found is not None
    assert found == (json.dumps(value, ensure_ascii=False, indent=2), True)


@given(st.text(st.sampled_from('[]{},:"1e.-\\ \nntrue')))
def test_any_text_is_left_alone_or_keeps_all_but_blanks(text: str) -> None:
    found = laid_out(text, limit_characters=10**9)
    if found is not None:
        assert found[0].translate(_NO_BLANKS) == text.translate(_NO_BLANKS)


@given(st.text(st.sampled_from('[]{},:"12 ')), st.integers(0, 50))
def test_limit_cuts_the_same_text(text: str, limit: int) -> None:
    whole, part = laid_out(text, limit_characters=10**9), laid_out(text, limit_characters=limit)
    if whole is not None and part is not None:
        assert whole[0].startswith(part[0])
