"""Text of every kind, everywhere: it is shown as text, and the screen stays whole.

What acts on a terminal is shown as a mark; what is wide, combined or written from right to left
keeps every border where it is.
"""

from pathlib import Path

from tests.e2e.sittings import OpenSitting, Sitting

WIDE = "漢字かな한글"
EMOJI = "👩‍👩‍👧‍👦🇧🇷🎉"
COMBINED = "e\u0301a\u0308n\u0303"
RIGHT_TO_LEFT = "שלום عربي"
HIDDEN = "a\u202eb\u200bc\ufeffd"
CONTROL = "\x1b[31mred\x1b[0m\x07\x1b]0;title\x07\x1b]52;c;aGFjaw==\x07\x9b1m"
MARKUP = "[bold]x[/bold] [/] [@click=app.quit]y[/] [link=file:///etc]z"
TYPED = f"{WIDE} {EMOJI} {COMBINED} {RIGHT_TO_LEFT} {HIDDEN} {MARKUP}"
"""What a terminal lets through when it is pasted."""
ALL = f"{TYPED} {CONTROL}"


def toml(text: str) -> str:
    """Return a basic TOML string."""
    escaped = "".join(
        f"\\U{ord(sign):08x}" if not sign.isprintable() or sign in '"\\' else sign for sign in text
    )
    return f'"{escaped}"'


NAME = f"{WIDE}-{COMBINED}-שלום-[bold].txt"

SCENARIO = f"""
[[turns]]
thinking = {toml(ALL)}
text = {toml(ALL + chr(10) + chr(10) + "# " + ALL + chr(10) + chr(10) + "| " + ALL + " | b |" + chr(10) + "| - | - |" + chr(10) + "| c | " + ALL + " |" + chr(10))}
[[turns.calls]]
name = "file_read"
arguments = {{ path = {toml(NAME)} }}
[[turns.calls]]
name = "file_write"
arguments = {{ path = {toml("new-" + NAME)}, content = {toml(ALL + chr(10))} }}

[[turns]]
[[turns.calls]]
name = "bash"
arguments = {{ command = {toml("cat " + chr(39) + NAME + chr(39) + " # " + MARKUP)} }}

[[turns]]
text = "FINE-MARK"
"""  # noqa: E501 - one text in each place


def test_strange_text_in_every_place(open_sitting: OpenSitting, project: Path) -> None:
    (project / NAME).write_text(f"{ALL}\n")
    with open_sitting(SCENARIO, size=(160, 45)) as sitting:
        terminal = sitting.terminal
        terminal.paste(TYPED)
        terminal.wait_for("[bold]x[/bold]")
        terminal.press("Enter")
        terminal.wait_for("1 waiting")
        check_frame(sitting)
        terminal.press("C-o")
        terminal.wait_for("a accept  r reject")
        check_frame(sitting)
        terminal.press("a")
        terminal.wait_for("· 0 undecided")
        terminal.press("s")
        terminal.answer_command("cat", "y")
        terminal.wait_for("FINE-MARK")
        sitting.wait_for_ends(1)
        check_frame(sitting)
        for key in ("F2", "F3", "F5", "F4", "F1", "Escape", "C-p", "Escape"):
            terminal.press(key)
            terminal.rest()
        check_frame(sitting)
        for size in ((60, 16), (80, 24), (120, 35), (160, 45)):
            terminal.resize(*size)
            terminal.rest()
        terminal.wait_for(lambda screen: "╭─ 1 Files" in screen and "4 Tools" in screen)
        check_frame(sitting)
        sitting.quit()
    assert (project / f"new-{NAME}").read_text() == f"{ALL}\n"


def check_frame(sitting: Sitting) -> None:
    """Look whether nothing acted on the terminal and every border stands in its column."""
    terminal = sitting.terminal
    terminal.wait_for(lambda screen: "╭─ 1 Files" in screen and "4 Tools" in screen)
    assert terminal.title() != "title"
    screen = terminal.screen()
    for acting in ("\x1b", "\u202e", "\u200b", "\ufeff", "\x9b"):
        assert acting not in screen
    rows = screen.rstrip("\n").split("\n")
    broken = [row for row in rows[:-1] if row.rstrip()[-1:] not in set("╮│╯┓┃┛")]
    assert not broken, "\n".join(broken)
