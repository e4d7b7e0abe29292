"""A proposal is watched while it is written, edited in an editor, and remarked on by lines."""

import sys
from collections.abc import Mapping
from pathlib import Path

from tests.e2e.sittings import Sitting, opener, results_of

SCENARIO = """
[[turns]]
text = "Here it is."
[[turns.calls]]
name = "file_edit"
arguments = { path = "app.py", search = "two\\n", replace = "2\\n\\tTWO\\n" }

[[turns]]
text = "FINE-MARK"
"""
BEFORE = "one\ntwo\nthree\nfour\n"


def test_a_review_with_an_editor_lines_and_blanks(
    program: str, user: Mapping[str, str], project: Path
) -> None:
    editor = project.parent / "my editor.py"
    editor.write_text(
        "import pathlib, sys\n"
        "print('IN-THE-EDITOR', flush=True)\n"
        "path = pathlib.Path(sys.argv[-1])\n"
        "path.write_text(path.read_text().replace('2', 'zwei').replace('four', 'vier'))\n"
    )
    (project / "app.py").write_text(BEFORE)
    variables = {**user, "VISUAL": f"'{sys.executable}' '{editor}'"}
    with opener(program, variables, project)(SCENARIO, size=(160, 45)) as sitting:
        sitting.send("change it")
        edit_and_remark(sitting)
        sitting.terminal.wait_for("FINE-MARK")
        look_at_the_total(sitting)
        bodies = sitting.server.bodies()
        sitting.quit()
    assert (project / "app.py").read_text() == "one\nzwei\n\tTWO\nthree\nvier\n"
    told = results_of(bodies[-1])[-1]
    assert "about these lines: keep both\n  > zwei\n  >     TWO" in told
    assert "The user edited the change before it was applied." in told
    assert "-2\n+zwei" in told
    assert "-four\n+vier" in told


def edit_and_remark(sitting: Sitting) -> None:
    terminal = sitting.terminal
    terminal.wait_for("? undecided")
    terminal.press("C-o")
    terminal.wait_for("▶ 3 Changes")
    terminal.press("e")
    terminal.wait_for("edited by you")
    terminal.wait_for("+ zwei")
    terminal.press("W")
    terminal.wait_for("→   TWO")
    terminal.press(".", ".", ">")
    terminal.wait_for(lambda screen: screen.count("►") == 2)
    terminal.press("c")
    terminal.wait_for("remark on app.py, 2 lines at 2")
    terminal.type("keep both")
    terminal.press("Enter")
    terminal.wait_for("» line 2: keep both")
    terminal.press("Y")
    terminal.wait_for("0 undecided")
    terminal.press("s")


def look_at_the_total(sitting: Sitting) -> None:
    terminal = sitting.terminal
    terminal.wait_for("by turn")
    terminal.press("t")
    terminal.wait_for("since the session's start")
    terminal.press("t")
    terminal.wait_for("run 1 · turn 1")
