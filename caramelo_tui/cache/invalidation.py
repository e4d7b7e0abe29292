"""Drop cached answers when the watcher saw something that may have changed them.

Owns the rule which sight drops what; what the calls themselves do, the pipeline tells the cache.
It only makes room and saves useless proofs: freshness itself is proven at each hit by
``CallCache``. Proven by tests/unit/cache/test_invalidation.py.
"""

from collections.abc import Iterable

from caramelo_tui.cache.store import CallCache
from caramelo_tui.domain.files import FileChange


class Invalidation:
    """Tells one cache what happened to the workspace."""

    def __init__(self, cache: CallCache) -> None:
        self._cache = cache

    def on_changes(self, changes: Iterable[FileChange]) -> None:
        """Files changed on disk, by whomever; fit for ``Watcher.subscribe``."""
        self._cache.drop_paths({change.path for change in changes})

    def on_watcher_trouble(self) -> None:
        """Changes may have gone unseen."""
        self._cache.drop_all()
