"""On every screen and in every pane, text from outside acts on nothing and pretends nothing.

The scenes of the snapshots are played with hostile text behind every name, prompt, answer, line
and message, and what would go to the terminal is looked at.
"""

import re
import unicodedata
from dataclasses import replace

import pytest
from rich.segment import Segment

from caramelo_tui.ui.start_plan import StartPlan
from tests.doubles.clocks import ManualClock
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.hostile_texts import FORGED, LONG, NAME, HostileStream, hostile
from tests.pilot.conftest import opened
from tests.pilot.driving import OpenedApp
from tests.snapshot.scenes import Scene, Size, quiet
from tests.snapshot.test_every_screen import SCENES

_LOOKED_AT: tuple[Size, ...] = ((80, 24), (160, 45))
_ACTS = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_JOINS = "\u200d"
"""Between parts of one emoji, where it is drawn as one."""
_MARK = re.compile(r"(<U\+000A>|↵|⏎|␊)\s*$")
_FRAME = "│┃▌▐║ ▸•·─|+-"


def hostile_agent(scene: Scene, text: str) -> FakeAgent:
    stream = HostileStream(ManualClock())
    stream.text = text
    agent = scene.agent()
    hostile(agent, text)
    agent.stream = stream
    return agent


def hostile_plan(scene: Scene, text: str) -> StartPlan | None:
    if scene.plan is None:
        return None
    plan = scene.plan()
    return replace(plan, workspace=hostile(plan.workspace, text))


def faults_of(rows: list[list[Segment]], width: int) -> list[str]:
    """Return what is wrong with what is drawn."""
    faults: list[str] = []
    above = ""
    for number, row in enumerate(rows):
        text = "".join(segment.text for segment in row)
        faults += [
            f"row {number}: U+{ord(character):04X}"
            for character in text
            if unicodedata.category(character) in _ACTS and character != _JOINS
        ]
        cells = sum(segment.cell_length for segment in row)
        if cells > width:
            faults.append(f"row {number}: {cells} cells")
        for segment in row:
            style = segment.style
            if segment.control:
                faults.append(f"row {number}: control")
            if style is not None and (style.link or "app.bell" in repr(style.meta)):
                faults.append(f"row {number}: a link or an action")
        for found in re.finditer(FORGED, text):
            before = text[: found.start()].rstrip(_FRAME)
            if not before and not _MARK.search(above.rstrip(_FRAME)):
                faults.append(f"row {number}: a line of its own: {text.strip()}")
        above = text
    return faults


def rows_of(running: OpenedApp) -> list[list[Segment]]:
    return [list(strip) for strip in running.app.screen._compositor.render_strips()]


async def look(scene: Scene, text: str, sizes: tuple[Size, ...]) -> None:
    plan = hostile_plan(scene, text)
    async with opened(
        size=sizes[0],
        agent=hostile_agent(scene, text),
        plan=plan,
        waits_for_agent=plan is None,
    ) as running:
        await scene.play(running)
        assert isinstance(running.top, scene.screen)
        for width, height in sizes:
            await running.pilot.resize_terminal(width, height)
            await quiet(running)
            faults = faults_of(rows_of(running), width)
            assert not faults, ascii(faults)
        assert running.app.is_running


# What completes a mention leaves such names out: tests/unit/ui/test_file_picker.py.
_PLAYED = [scene for scene in SCENES if scene.name != "mention"]
every_scene = pytest.mark.parametrize("scene", _PLAYED, ids=lambda scene: scene.name)


@every_scene
async def test_no_text_from_outside_acts(scene: Scene) -> None:
    await look(scene, NAME, _LOOKED_AT)


@every_scene
async def test_a_line_of_a_hundred_kilobytes_stays_in_its_place(scene: Scene) -> None:
    await look(scene, LONG, _LOOKED_AT[:1])
