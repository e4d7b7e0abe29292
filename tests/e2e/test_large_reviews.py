"""Reviews of an unusual size, on screens that change theirs."""

from pathlib import Path

from tests.e2e.sittings import OpenSitting, Sitting, last_line, results_of

FILES = 200
LINES = 20_000

ENDS = """
[[turns]]
text = "FINE-MARK"
"""


def writes_of(count: int) -> str:
    """Return a scenario whose first turn writes so many files, each with its own content."""
    calls = "".join(
        "[[turns.calls]]\n"
        'name = "file_write"\n'
        f'arguments = {{ path = "many/f{number:03}.txt", content = "one {number}\\ntwo\\n" }}\n'
        for number in range(count)
    )
    return f'[[turns]]\ntext = "Many files."\n{calls}{ENDS}'


def rewrite_of(lines: int) -> str:
    """Return a scenario whose first turn replaces every line of a long file."""
    content = "".join(f"new line {number}\n" for number in range(lines))
    return (
        '[[turns]]\n[[turns.calls]]\nname = "file_write"\n[turns.calls.arguments]\n'
        f"path = \"long.txt\"\noverwrite = true\ncontent = '''\n{content}'''\n{ENDS}"
    )


def go_to_review(sitting: Sitting, says: str) -> None:
    """Send the prompt and go to the review that comes of it."""
    sitting.send("go")
    sitting.terminal.wait_for(lambda screen: "waiting" in last_line(screen))
    sitting.terminal.press("C-o")
    sitting.terminal.wait_for(says)


def test_two_hundred_files_are_reviewed_in_one(open_sitting: OpenSitting, project: Path) -> None:
    with open_sitting(writes_of(FILES), size=(160, 45)) as sitting:
        terminal = sitting.terminal
        go_to_review(sitting, f"▌waiting {FILES} files · {FILES} hunks")
        terminal.wait_for("a accept  r reject")
        terminal.press("R")
        terminal.wait_for(f"· {FILES - 1} undecided")
        # From one end to the other: what is off the screen is as near as the next file.
        terminal.press("end")
        terminal.wait_for(f"f{FILES - 1:03}.txt")
        terminal.press("home")
        terminal.wait_for("f000.txt")
        terminal.press("Y")
        terminal.wait_for("· 0 undecided")
        terminal.press("s")
        terminal.wait_for("FINE-MARK")
        sitting.wait_for_ends(1)
        bodies = sitting.server.bodies()
        sitting.quit()
    written = sorted(path.name for path in (project / "many").iterdir())
    assert len(written) == FILES
    assert (project / "many" / "f007.txt").read_text() == "one 7\ntwo\n"
    assert len(results_of(bodies[-1])) == FILES


def test_a_diff_of_twenty_thousand_lines_in_a_storm_of_resizes(
    open_sitting: OpenSitting, project: Path
) -> None:
    (project / "long.txt").write_text("".join(f"old line {n}\n" for n in range(LINES)))
    with open_sitting(rewrite_of(LINES), size=(160, 45)) as sitting:
        terminal = sitting.terminal
        go_to_review(sitting, "▌waiting 1 file")
        terminal.wait_for("a accept  r reject")
        terminal.press("end")
        terminal.wait_for(f"new line {LINES - 1}")
        for number in range(20):
            terminal.resize(60 + number * 37 % 141, 16 + number * 13 % 35)
            terminal.screen()
        terminal.resize(160, 45)
        terminal.wait_for(lambda screen: "╭─ 1 Files" in screen and "new line" in screen)
        terminal.press("home")
        terminal.wait_for("old line 0")
        terminal.press("F8")
        terminal.wait_for(lambda screen: "old line 1 " in screen and "new line 1 " in screen)
        terminal.press("F8")
        terminal.wait_for("╭─ 1 Files")
        terminal.press("a")
        terminal.wait_for("· 0 undecided")
        terminal.press("s")
        terminal.wait_for("FINE-MARK")
        sitting.wait_for_ends(1)
        sitting.quit()
    text = (project / "long.txt").read_text()
    assert text.startswith("new line 0\n")
    assert text.count("\n") == LINES


QUESTION = """
[[turns]]
calls = [{ name = "bash", arguments = { command = "echo one && echo two > made.txt" } }]
[[turns]]
text = "FINE-MARK"
"""


def test_a_question_stands_through_a_storm_of_resizes(
    open_sitting: OpenSitting, project: Path
) -> None:
    with open_sitting(QUESTION, size=(160, 45)) as sitting:
        terminal = sitting.terminal
        sitting.send("go")
        terminal.wait_for("$ echo one")
        for number in range(20):
            terminal.resize(40 + number * 37 % 161, 12 + number * 13 % 39)
            terminal.screen()
        assert not (project / "made.txt").exists()
        terminal.resize(80, 24)
        terminal.answer_command("echo one", "y")
        terminal.wait_for("FINE-MARK")
        sitting.wait_for_ends(1)
        sitting.quit()
    assert (project / "made.txt").read_text() == "two\n"
