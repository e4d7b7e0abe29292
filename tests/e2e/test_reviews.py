"""Remarks, partial answers, and a disk that does not hold still while a review waits."""

from pathlib import Path

from tests.e2e.sittings import IDLE, OpenSitting, Sitting, results_of, user_texts

SCENARIO = """
[[turns]]
text = "I read both."
[[turns.calls]]
name = "file_read"
arguments = { path = "app.py" }
[[turns.calls]]
name = "file_read"
arguments = { path = "notes.txt" }

[[turns]]
text = "Three places."
[[turns.calls]]
name = "file_write"
[turns.calls.arguments]
path = "app.py"
overwrite = true
content = '''
first = 10
# 2
# 3
# 4
# 5
# 6
# 7
# 8
second = 20
# 10
# 11
# 12
# 13
# 14
# 15
# 16
third = 30
# 18
'''

[[turns]]
text = "One more."
[[turns.calls]]
name = "file_edit"
arguments = { path = "app.py", search = "# 18", replace = "# the end" }

[[turns]]
text = "FINE-MARK"

[[turns]]
text = "TOLD-MARK"
"""

BEFORE = "first = 1\n# 2\n# 3\n# 4\n# 5\n# 6\n# 7\n# 8\nsecond = 2\n# 10\n# 11\n# 12\n# 13\n# 14\n"
BEFORE += "# 15\n# 16\nthird = 3\n# 18\n"


def test_a_review_is_answered_while_others_write(open_sitting: OpenSitting, project: Path) -> None:
    (project / "app.py").write_text(BEFORE)
    (project / "notes.txt").write_text("a note\n")
    with open_sitting(SCENARIO, size=(160, 45)) as sitting:
        sitting.send("change it")
        answer_with_a_remark(sitting)
        accept_a_stale_one(sitting)
        sitting.terminal.wait_for("FINE-MARK")
        sitting.wait_for_ends(1)
        change_a_file_outside(sitting)
        sitting.quit()
        bodies = sitting.server.bodies()
    after = BEFORE.replace("first = 1\n", "first = 10\n").replace("third = 3\n", "third = 30\n")
    after = after.replace("# 5\n", "# five\n").replace("# 18\n", "# the end\n")
    assert (project / "app.py").read_text() == after
    check_results(results_of(bodies[-1]))
    told = user_texts(bodies[-1])
    assert "- notes.txt: changed" in told[-2] + told[-1]
    assert "and now?" in told[-2:]


def answer_with_a_remark(sitting: Sitting) -> None:
    """Accept the first and the third hunk; remark on the second one and reject it."""
    terminal = sitting.terminal
    terminal.wait_for("1 waiting")
    terminal.press("C-o")
    terminal.wait_for("▌waiting 1 file · 3 hunks")
    terminal.decide("a", undecided=2)
    terminal.press("c")
    terminal.wait_for("remark on app.py, line 9")
    terminal.type("two is enough")
    terminal.wait_for("two is enough")
    terminal.press("Enter")
    terminal.wait_for(lambda screen: "remark on app.py" not in screen)
    terminal.decide("r", undecided=1)
    terminal.decide("a", undecided=0)
    terminal.press("s")


def accept_a_stale_one(sitting: Sitting) -> None:
    """Let another program write the file that a review is about; accept what is shown then."""
    terminal = sitting.terminal
    terminal.wait_for(lambda screen: "▌waiting 1 file · 1 hunk" in screen)
    app = sitting.project / "app.py"
    app.write_text(app.read_text().replace("# 5\n", "# five\n"))
    terminal.wait_for("changed on disk")
    terminal.decide("a", undecided=0)
    terminal.press("s")


def change_a_file_outside(sitting: Sitting) -> None:
    """Write a file that the model has read; the tree shows it, the model is told."""
    (sitting.project / "notes.txt").write_text("another note\n")
    sitting.terminal.wait_for(
        lambda screen: any("notes.txt" in row and "!" in row[:30] for row in screen.split("\n"))
    )
    sitting.terminal.press("Escape")
    sitting.terminal.wait_for(f"┃ {IDLE}")
    sitting.send("and now?")
    sitting.terminal.wait_for("TOLD-MARK")
    sitting.wait_for_ends(2)


def check_results(results: list[str]) -> None:
    """Look at what the model learned of its writes."""
    assert len(results) == 4
    partly, stale = results[2:]
    assert partly.startswith("partially applied: 2 of 3 hunks\n")
    assert "- app.py:9 `second = 20`: two is enough" in partly
    assert "changed app.py" in stale
