"""Measure how soon the end of a long stored session is seen when it is resumed."""

from functools import partial

from benchmarks.figures import Samples
from benchmarks.program import environment
from benchmarks.scripted import LIMIT_S, Scripted, scripted
from caramelo_tui.config.locations import Locations
from caramelo_tui.domain.ids import SessionId
from caramelo_tui.sessions.codec import encode_line
from caramelo_tui.sessions.folders import session_path
from caramelo_tui.sessions.store import SessionHeader
from tests.doubles.stored_sessions import FIRST_SECOND, Told

MESSAGES = 5_000
"""Prompts and answers, half of each."""
_SESSION = "bench-long"
_ANSWER = "The *parser* takes one more flag:\n\n- a table stays\n- rows become `objects`\n\n" * 4


def resumed(rounds: int) -> Samples:
    """Return the seconds from the start to the session's last prompt on the screen."""
    with scripted() as model:
        times: list[float] = []
        for _ in range(rounds):
            # Anew each time: the file tells of each time it is gone on with.
            write_session(model)
            with model.opened("--continue") as program:
                holds = partial(_shows, f"prompt {MESSAGES // 2 - 1}:")
                times.append(program.wait_for(holds, limit_s=LIMIT_S))
        return {"resume_s": times}


def _shows(text: str, screen: str) -> bool:
    return text in screen


def write_session(model: Scripted) -> None:
    """Write a session of the workspace as the program would have left it."""
    places = Locations.from_environment(environment(model.home))
    path = session_path(places.sessions, model.workspace, SessionId(_SESSION))
    path.parent.mkdir(parents=True, exist_ok=True)
    header = SessionHeader(
        session_id=SessionId(_SESSION),
        workspace=str(model.workspace),
        started_at=FIRST_SECOND,
        format_version=1,
    )
    told = Told(_SESSION)
    for number in range(MESSAGES // 2):
        told.exchange(f"prompt {number}: change it once more", _ANSWER)
    lines = [header.line(), *map(encode_line, told.events)]
    path.write_text("".join(f"{line}\n" for line in lines), "ascii")
