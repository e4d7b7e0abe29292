"""Tell what holds in a session, and who made it so.

Owns the words about settings, rules, tools and cache that the user may ask for. Changes nothing.
Proven by tests/unit/composition/test_reports.py.
"""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from caramelo_tui.agent.models_port import AnsweringModel
from caramelo_tui.agent.reports_port import Report
from caramelo_tui.composition.core import Core
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.policy_settings import LineLimit, Rule
from caramelo_tui.domain.profiles import CARAMELO, CORE
from caramelo_tui.policy.rules import DEFAULT_PROTECTED_PATHS, PolicyRules


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionReports:
    """The reports of one session."""

    core: Core
    settings: Settings
    answering: Callable[[], AnsweringModel]
    """The model that answers now."""
    config: Callable[[], str] | None = None
    """Returns every setting with its origin; ``None``: it is not known where they come from."""

    async def report(self, report: Report) -> str:
        """Return a text of several lines."""
        match report:
            case Report.CONFIG:
                return "\n".join(self._config())
            case Report.POLICY:
                return "\n".join(self._policy())
            case Report.PROFILE:
                return "\n".join(self._profile())
            case Report.CACHE:
                return "\n".join(self._cache())
            case _:
                assert_never(report)

    def _config(self) -> Iterator[str]:
        now = self.answering()
        yield "In this session"
        yield f"  mode   {self.core.mode().value}  ({self.core.mode.origin})"
        yield f"  model  {now.provider}/{now.model}"
        yield ""
        if self.config is None:
            yield "It is not known where the settings of this session come from."
            return
        yield "As it was started"
        yield self.config()

    def _policy(self) -> Iterator[str]:
        policy, core = self.settings.policy, self.core
        rules = PolicyRules(policy)
        yield f"Approval mode {core.mode().value}  ({core.mode.origin})"
        yield "bash asks for each command, in every mode, and refuses what is refused here."
        yield from _listed("Writes that are not asked about in this session", core.grants.granted)
        yield from _rules("Commands that are refused", core.grants.blocked_commands)
        yield from _rules("", rules.blocked_commands)
        yield "  and the dangerous families, such as removing a home or a disk  (built in)"
        action = policy.protected_action
        title = f"Paths whose changes {action.value}  ({policy.protected_action_origin})"
        protected = (
            *policy.protected_paths,
            *(Rule(text=text) for text in DEFAULT_PROTECTED_PATHS),
        )
        yield from _rules(title, protected)
        yield "  .git is never written by a file tool  (built in)"
        limits = core.ledger.limits
        yield ""
        yield f"Changed lines so far: {core.ledger.changed_lines}"
        yield f"  above {_limit(limits.ask_above)} a write asks"
        yield f"  above {_limit(limits.deny_above)} a write is refused"

    def _profile(self) -> Iterator[str]:
        profile = self.settings.profile
        other = CORE if profile == CARAMELO else CARAMELO
        yield f"Profile {profile}; it stays to the end of the session."
        yield f"caramelo --profile {other} starts with the other one, or in config.toml:"
        yield ""
        yield "  [tools]"
        yield f'  profile = "{other}"'
        yield ""
        yield f"A run has up to {self.settings.run_turns} turns."
        yield from _listed("Tools", tuple(tool.spec.name for tool in self.core.tools))
        yield from _listed("Taken off by tools.disable", self.settings.disabled_tools)

    def _cache(self) -> Iterator[str]:
        counts = self.core.cache.counts
        asked = counts.hits + counts.misses
        if not asked:
            yield "No read has asked the cache yet."
        else:
            share = counts.hits * 100 // asked
            yield f"{counts.hits} of {asked} reads were answered by the cache ({share}%)."
        yield f"It holds {counts.entries} answers, {counts.kept_bytes:,} bytes."
        yield ""
        yield "An answer is given again only when the files that it came from are proven to be the"
        yield "same. Commands and writes drop what they may have changed."


def _listed(title: str, names: Sequence[str]) -> Iterator[str]:
    if names:
        yield ""
        yield title
        yield from (f"  {name}" for name in names)


def _rules(title: str, rules: Sequence[Rule]) -> Iterator[str]:
    if title:
        yield ""
        yield title
    yield from (f"  {rule.text}  ({rule.origin})" for rule in rules)


def _limit(limit: LineLimit | None) -> str:
    return "no number" if limit is None else f"{limit.lines} ({limit.origin})"
