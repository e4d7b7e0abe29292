"""Instructions: whole sections, the nearest file first, and what did not fit is named."""

import pytest

from caramelo_tui.agent.instructions import InstructionFile, Instructions, taken_from


def file(text: str, place: str = "AGENTS.md") -> InstructionFile:
    return InstructionFile(place=place, text=text)


def taken(*texts: str, limit: int) -> Instructions:
    return taken_from([file(text, f"file {n}") for n, text in enumerate(texts)], limit=limit)


def test_all_is_taken_where_there_is_room() -> None:
    found = taken("# A\nbe kind\n", "own\n", limit=100)
    assert "be kind" in found.prompt
    assert found.prompt.index('<instructions file="file 0">') < found.prompt.index("own")
    assert found.report == "Instructions: file 0 (11 characters); file 1 (3 characters)."


def test_sections_are_left_out_whole_and_named_and_later_ones_may_fit() -> None:
    text = "intro\n# Big\n" + "b" * 90 + "\n## Small\nsmall\n"
    found = taken(text, limit=60)
    assert "intro" in found.prompt
    assert "# Big" not in found.prompt
    assert "## Small\nsmall" in found.prompt
    assert "left out, too long: “Big”" in found.report


def test_the_nearest_file_gets_its_room_first() -> None:
    found = taken("# A\n" + "a" * 50, "# B\n" + "b" * 50, limit=60)
    assert "aaa" in found.prompt
    assert "bbb" not in found.prompt
    assert "file 1 (0 characters, left out, too long: “B”)" in found.report


@pytest.mark.parametrize("fence", ["```", "~~~"])
def test_a_comment_in_a_fence_is_no_heading(fence: str) -> None:
    text = f"# A\n{fence}sh\n# not a heading\n{fence}\n# C\n" + "c" * 99
    found = taken(text, limit=60)
    assert "# not a heading" in found.prompt
    assert "“C”" in found.report


def test_without_headings_paragraphs_are_the_sections() -> None:
    found = taken("one\n\n" + "long " * 30 + "\n\nthree\n", limit=30)
    assert "one" in found.prompt
    assert "three" in found.prompt
    assert "long" not in found.prompt


def test_many_sections_left_out_are_counted() -> None:
    text = "".join(f"# S{number}\n{'x' * 50}\n" for number in range(8))
    assert "“S4” and 3 more" in taken(text, limit=10).report


def test_without_files_there_is_neither_prompt_nor_report() -> None:
    assert (Instructions().prompt, Instructions().report) == ("", "")
    assert "none any more" in Instructions().change_note


def test_a_file_that_was_not_read_is_told_and_not_sent() -> None:
    found = taken_from([InstructionFile(place="AGENTS.md", problem="not UTF-8 (byte 1)")])
    assert found.prompt == ""
    assert "AGENTS.md was not read: not UTF-8 (byte 1)" in found.report
