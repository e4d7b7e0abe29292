"""A turn is taken back and put back in a real terminal, beside a change from outside."""

from collections.abc import Mapping
from pathlib import Path

from tests.e2e.sittings import opener

SCENARIO = """
[[turns]]
text = "Here it is."
[[turns.calls]]
name = "file_edit"
arguments = { path = "app.py", search = "two\\n", replace = "TWO\\n" }
[[turns.calls]]
name = "file_write"
arguments = { path = "made.py", content = "made\\n" }

[[turns]]
text = "FINE-MARK"
"""
BEFORE = "one\ntwo\nthree\nfour\nfive\nsix\n"


def test_a_turn_is_taken_back_and_put_back(
    program: str, user: Mapping[str, str], project: Path
) -> None:
    file, made = project / "app.py", project / "made.py"
    file.write_text(BEFORE)
    edited = BEFORE.replace("two", "TWO")
    with opener(program, user, project)(SCENARIO, size=(120, 40)) as sitting:
        terminal = sitting.terminal
        sitting.send("change it")
        terminal.wait_for("? undecided")
        terminal.press("C-o")
        terminal.wait_for("▶ 3 Changes")
        terminal.press("Y", "s")
        terminal.wait_for("FINE-MARK")
        assert file.read_text() == edited
        file.write_text(edited.replace("six", "SIX"))
        terminal.press("Escape")
        # Typed too early, the letters would be keys of the pane.
        terminal.wait_for(lambda screen: "▶ 3 Changes" not in screen)
        sitting.send("/undo")
        terminal.wait_for("Take the changes of the last turn back?")
        terminal.wait_for("changed since; that change stays")
        terminal.press("u")
        terminal.wait_for("Took changes back in 2 files.")
        assert file.read_text() == BEFORE.replace("six", "SIX")
        assert not made.exists()
        sitting.send("/redo")
        terminal.wait_for("Put back what was taken back?")
        terminal.press("Enter")
        terminal.wait_for("Put changes back in 2 files.")
        sitting.quit()
    assert file.read_text() == edited.replace("six", "SIX")
    assert made.read_text() == "made\n"
