"""A start tidies up what a killed program left, and says so."""

from pathlib import Path

from caramelo_tui.composition.core import build_core
from caramelo_tui.composition.leftovers import leftovers_chore
from caramelo_tui.composition.undo import session_journal
from caramelo_tui.domain.agent_events import NoticeRaised
from caramelo_tui.domain.ids import CallId, SessionId
from tests.doubles.clocks import ManualClock
from tests.doubles.cores import core_options


class FarClock(ManualClock):
    """Far behind the time that files of now have."""

    def now(self) -> float:
        return 10_000_000_000.0


async def test_the_next_start_removes_leftovers_and_names_them(tmp_path: Path) -> None:
    options = core_options(tmp_path)
    killed = session_journal(
        options.locations.checkpoints, options.root, SessionId("killed"), ManualClock()
    )
    names = [f"src/.{number}.py.caramelo-0123456{number}" for number in range(7)]
    (options.root / "src").mkdir()
    for number, name in enumerate(names):
        killed.record(
            call_id=CallId("c"),
            turn_id=None,
            run_id=None,
            path=f"src/{number}.py",
            before=None,
            after=b"whole",
        )
        (options.root / name).write_bytes(b"wh")
    (options.root / ".a.caramelo-01234567").write_text("where nothing was written")
    core = build_core(options)
    # Too young: it may be a write whose lock is about to be taken.
    await leftovers_chore(core, after_s=0)()
    assert core.events.last_seq == 0
    await leftovers_chore(core, clock=FarClock(), after_s=0)()
    (notice,) = core.events.events
    assert isinstance(notice, NoticeRaised)
    assert notice.text.endswith("src/.4.py.caramelo-01234564 and 2 more.")
    left = {str(path.relative_to(options.root)) for path in options.root.rglob("*")}
    assert left == {"src", ".a.caramelo-01234567"}
    await core.end_processes()
