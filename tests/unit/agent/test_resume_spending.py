"""The costs of a session that goes on."""

from caramelo_tui.agent.resume_spending import ledger_of
from caramelo_tui.domain.agent_events import SpendingCounted
from caramelo_tui.domain.usage import Usage
from tests.doubles.stored_sessions import Told


def test_what_was_spent_is_booked_again() -> None:
    told = Told().begin("go").turn()
    for cost, agent in ((0.25, ""), (None, "child"), (0.5, "")):
        told.add(
            SpendingCounted(
                head=told.head(agent=agent),
                model="m",
                usage=Usage(output_tokens=3),
                cost=cost,
                session_cost=0.0,
                session_unknown=0,
                premium_requests=1.0,
            )
        )
    ledger = ledger_of(told.events)
    assert (ledger.cost, ledger.unknown, ledger.premium_requests) == (0.75, 1, 3.0)
    assert [entry.agent for entry in ledger.entries] == ["", "child", ""]
