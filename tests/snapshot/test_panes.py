"""How the conversation and the changes look, in every theme."""

import pytest

from caramelo_tui.domain.ids import CallId
from caramelo_tui.ui.panes.changes import ChangesPane
from caramelo_tui.ui.panes.conversation import ConversationPane
from caramelo_tui.ui.themes import load_themes
from caramelo_tui.ui.turns import Turn
from tests.doubles.clocks import ManualClock
from tests.pilot.pane_app import opened
from tests.snapshot.snapshots import assert_snapshot
from tests.unit.ui.drawing import review, write

TURN = Turn(run=1, number=2)
THEMES = sorted(theme.name for theme in load_themes().themes)
ANSWER = """\
## What changed

The parser got a **`--json`** flag, see [the docs](https://example.org/docs).

- `render_table` keeps the plain form
- `render_json` is new, *one object a line*

```python
def render_json(rows: list[Row]) -> str:
    \"\"\"Return one object a line.\"\"\"
    return "\\n".join(json.dumps(row) for row in rows)  # sorted
```

| file | added | removed |
|:-----|------:|--------:|
| src/cli.py | 3 | 1 |

> Tests were run with `pytest -q`.
"""

BEFORE = """\
def parser():
    parser = ArgumentParser(prog="orders")
    parser.add_argument("path")
    return parser


def main(argv=None):
    args = parser().parse_args(argv)
    rows = load(args.path)
    print(render_table(rows))
    return 0
"""
AFTER = BEFORE.replace('("path")', '("path", help="file of orders")').replace(
    "    print(render_table(rows))\n",
    "    render = render_json if args.json else render_table\n    print(render(rows))\n",
)


def conversation() -> ConversationPane:
    pane = ConversationPane(monotonic=ManualClock().monotonic)
    pane.show_user("add a --json flag to the CLI")
    pane.append_thinking("The parser first, then the renderer.")
    pane.append_text("I'll start with the parser.")
    pane.end_answer(is_incomplete=False)
    pane.show_call(CallId("1"), "file_read", "src/cli.py", "ok", duration_ms=12)
    pane.show_call(CallId("2"), "grep", "add_argument", "ok", is_cached=True)
    pane.show_call(CallId("3"), "file_edit", "src/cli.py", "waiting", detail="+3 \u22121")
    pane.show_call(CallId("4"), "bash", "pytest -q", "error", detail="exit 1", duration_ms=3_200)
    pane.show_notice("warning", "src/util.py changed outside of this session")
    pane.append_text(ANSWER)
    pane.end_answer(is_incomplete=False)
    pane.show_run_end("completed", "3 turns")
    return pane


@pytest.mark.parametrize("theme", THEMES)
async def test_the_conversation(theme: str) -> None:
    pane = conversation()
    async with opened(pane, size=(72, 46), theme=theme) as running:
        await running.until(lambda: pane.view.is_settled and pane.view._tick_timer is None)
        pane.focus()
        await running.press("alt+up")
        await running.settle()
        assert_snapshot(running.app, f"conversation-{theme}")


@pytest.mark.parametrize("theme", THEMES)
async def test_a_review(theme: str) -> None:
    pane = ChangesPane()
    async with opened(pane, size=(72, 40), theme=theme) as running:
        pane.show_review(
            review(
                write(BEFORE, AFTER, call_id="one"),
                write(None, '{"a": 1}\n', path="data/a.json", call_id="two"),
            ),
            turn=TURN,
        )
        pane.focus()
        await running.press("a", "r", "s")
        await running.until(lambda: pane.view._tick_timer is None)
        assert_snapshot(running.app, f"review-{theme}")


async def test_a_review_side_by_side() -> None:
    pane = ChangesPane()
    async with opened(pane, size=(130, 30)) as running:
        pane.show_review(review(write(BEFORE, AFTER, call_id="one")), turn=TURN)
        pane.focus()
        await running.press("b", "c")
        await running.until(lambda: pane.view._tick_timer is None)
        assert_snapshot(running.app, "review-side-by-side")
