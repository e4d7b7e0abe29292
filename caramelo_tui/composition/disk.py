"""Wire what tells a session of changes on disk.

Owns the joint of watcher, cache, questions and agents. Proven by
tests/unit/composition/test_agents.py.
"""

from caramelo_tui.agent.command_activity import CommandActivity
from caramelo_tui.agent.disk_watch import DiskWatch
from caramelo_tui.agent.subagents import Subagents
from caramelo_tui.cache.invalidation import Invalidation
from caramelo_tui.composition.core import Core
from caramelo_tui.workspace.watcher import Watcher


def disk_watch(core: Core, subagents: Subagents, activity: CommandActivity) -> DiskWatch:
    """Return what passes changes on disk on; it does nothing before ``start``."""
    troubles: list[DiskWatch] = []
    watcher = Watcher(
        core.sandbox,
        # The watch is made from the watcher, and told of its troubles: bound in two steps.
        on_trouble=lambda problem: troubles[0].take_trouble(problem),  # noqa: PLW0108 - see above
        own_writes=core.own_writes,
    )
    watch = DiskWatch(
        watcher=watcher,
        cache=Invalidation(core.cache),
        questions=core.pipeline,
        outside=(core.outside, subagents),
        commands=activity,
        events=core.events,
    )
    troubles.append(watch)
    core.broker.tell_waiting(watch.set_waiting)
    return watch
