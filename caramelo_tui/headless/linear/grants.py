"""Read out and take back what was allowed or blocked for the session.

Owns ``/grants``. Proven by tests/unit/headless/test_linear_grants.py.
"""

from caramelo_tui.agent.port import AgentPort
from caramelo_tui.headless.linear.dialogs import number_in, one_line
from caramelo_tui.headless.linear.output import LinearOutput


class LinearGrants:
    """What is typed about the rules of the session."""

    def __init__(self, agent: AgentPort, out: LinearOutput) -> None:
        """Ask an agent and say what it answers."""
        self._agent = agent
        self._out = out
        self._read_out = agent.rules.made

    def read_out(self) -> None:
        """Say each rule with its number."""
        self._read_out = self._agent.rules.made
        if not self._read_out:
            self._out.say("Nothing was allowed or blocked for this session.")
            return
        for number, rule in enumerate(self._read_out, 1):
            kind = "block" if rule.is_block else "grant"
            pattern = one_line(rule.pattern, is_exact=True)
            self._out.say(f"Rule {number}, {kind} {pattern}: {one_line(rule.meaning)}")
        self._out.say("/grants NUMBER takes one back, for what is decided from now on.")

    def take_back(self, text: str) -> None:
        """Take back a rule that was read out, by its number then; the agent says so."""
        number = number_in(text)
        if number is None or not 0 < number <= len(self._read_out):
            self._out.say(f"There is no rule {one_line(text)}; /grants reads the numbers.")
        elif not self._agent.rules.take_back(self._read_out[number - 1]):
            self._out.say("That rule is not in force any more.")
