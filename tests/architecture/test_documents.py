"""What documents and docstrings say is there, is there."""

import ast
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "caramelo_tui"
SAMPLE = PACKAGE / "demo" / "sample"
"""The demo's sample is a project of its own."""
PAGES = (
    *("README.md", "CONTRIBUTING.md", "SECURITY.md"),
    *(f"docs/{path.name}" for path in ROOT.glob("docs/*.md")),
)
TEST_PATH = re.compile(r"\btests/[\w/]+(?:\.py|/)")
MODULE_PATH = re.compile(r"`((?:[a-z_]+/)*[a-z_]+\.(?:py|md|toml|tcss))`")
FENCE = re.compile(r"^```.*?^```", re.DOTALL | re.MULTILINE)
LINK = re.compile(r"\]\((?!https?://|#)([^)#]+)")


def modules() -> list[Path]:
    return [path for path in sorted(PACKAGE.rglob("*.py")) if SAMPLE not in path.parents]


def docstring_of(path: Path) -> str:
    text = ast.get_docstring(ast.parse(path.read_text(encoding="utf-8"))) or ""
    return " ".join(text.split())


@pytest.mark.parametrize("path", modules(), ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_module_says_what_it_owns_and_names_a_test_that_is_there(path: Path) -> None:
    said = docstring_of(path)
    assert said
    if path.name == "__init__.py":
        return
    named = TEST_PATH.findall(said)
    assert named
    assert [test for test in named if not (ROOT / test).exists()] == []
    assert "Owns" in said or "Pure" in said or path.parent == PACKAGE or "contract of" in said


@pytest.mark.parametrize("page", PAGES)
def test_a_page_names_files_that_are_there(page: str) -> None:
    # Fenced blocks show examples of other projects.
    text = FENCE.sub("", (ROOT / page).read_text(encoding="utf-8"))
    named = {*TEST_PATH.findall(text), *LINK.findall(text)}
    near = (ROOT, (ROOT / page).parent)
    assert sorted(path for path in named if not any((at / path).exists() for at in near)) == []


@pytest.mark.parametrize("page", PAGES)
def test_a_module_that_a_page_names_is_there(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    places = (ROOT, PACKAGE)
    named = {path for path in MODULE_PATH.findall(text) if "/" in path}
    assert sorted(path for path in named if not any((at / path).exists() for at in places)) == []


def test_the_repository_speaks_of_no_machine() -> None:
    done = subprocess.run(
        ["git", "grep", "-nIE", r"(^|[^A-Za-z0-9_.~-])/(work|root)/", "--", ":!tests/cases/*.json"],
        check=False,
        capture_output=True,
        text=True,
        cwd=ROOT,
    )
    assert done.stdout == ""
