"""Unseen orders are taken out, and nothing else."""

import pytest

from caramelo_tui.domain.tag_characters import without_tag_characters


@pytest.mark.parametrize("hidden", ["\U000e0000", "\U000e0041", "\U000e007f"])
def test_tag_characters_go(hidden: str) -> None:
    assert without_tag_characters(f"a{hidden}b{hidden}") == "ab"


@pytest.mark.parametrize("text", ["", "plain", "é \u202e \ufe0f", "\U000dffff\U000e0080"])
def test_all_else_stays(text: str) -> None:
    assert without_tag_characters(text) == text
