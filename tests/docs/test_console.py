"""The commands in the pages print what the pages say."""

from pathlib import Path

import pytest

from tests.docs.examples import DOCS, ExampleWorkspace, examples_of

PAGES = sorted(path.name for path in DOCS.glob("*.md") if examples_of(path.name))
TOOL_PAGES = ("file-tools.md", "search-tools.md", "command-tools.md", "sub-agents.md", "trust.md")


def test_the_pages_of_tools_have_examples() -> None:
    assert set(TOOL_PAGES) <= set(PAGES)


@pytest.mark.parametrize("page", PAGES)
def test_each_example_is_what_is_printed(page: str, tmp_path: Path) -> None:
    with ExampleWorkspace(tmp_path) as workspace:
        for example in examples_of(page):
            answer = workspace.run(example.command)
            said = f"$ {example.command}\n{answer.output}"
            assert example.is_answered_by(answer.output), said
            assert answer.exit_code == example.exit_code, said
