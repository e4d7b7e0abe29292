"""What was allowed or blocked for the session is read out and taken back by its number."""

from caramelo_tui.agent.rules_port import SessionRule
from tests.doubles.fake_agent import FakeAgent
from tests.doubles.person_ports import FakeRules
from tests.unit.headless.linear_worlds import linear_world

GRANT = SessionRule(pattern="src/**", meaning="Writes that match pass.", is_block=False)
BLOCK = SessionRule(pattern="git\x1b push", meaning="Refuses pushes.", is_block=True)


async def test_rules_are_read_out_and_taken_back() -> None:
    rules = FakeRules(made=(GRANT, BLOCK))
    with linear_world(FakeAgent(rules=rules)) as world:
        said = await world.type("/grants")
        assert "Rule 1, grant src/**: Writes that match pass." in said
        assert "Rule 2, block git<U+001B> push: Refuses pushes." in said
        for wrong in ("0", "3", "x"):
            assert f"There is no rule {wrong};" in await world.type(f"/grants {wrong}")
        await world.type("/grants 2")
        assert rules.taken_back == [BLOCK]
        # The number means what it meant when it was read out.
        assert "not in force any more" in await world.type("/grants 2")


async def test_without_rules_that_is_said() -> None:
    with linear_world() as world:
        assert "Nothing was allowed or blocked" in await world.type("/grants")
