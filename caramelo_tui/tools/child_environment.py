"""Build the environment that child processes get.

Owns which of the user's variables a child may see: a new mapping each time, never the live
one, without keys and without what would change what an approved command runs. Reads no
process environment by itself: the mapping comes in. Proven by
tests/unit/tools/test_child_environment.py.
"""

from collections.abc import Collection, Mapping

from caramelo_tui.domain.secret_names import looks_secret

REMOVED_NAMES = frozenset({"BASH_ENV", "TEXTUAL_FPS", "CARAMELO_CALL", "CARAMELO_SESSION"})
"""``BASH_ENV`` runs a file before an approved script; the others are this program's own."""

ADDED_VARIABLES: Mapping[str, str] = {"CARAMELO": "1", "PAGER": "cat", "GIT_PAGER": "cat"}
"""What every child gets: a sign of who started it, and no pager that waits for keys."""


class ChildEnvironment:
    """The user's variables without secrets, for any number of children."""

    def __init__(
        self,
        user: Mapping[str, str],
        *,
        provider_names: Collection[str] = (),
        env_allow: Collection[str] = (),
    ) -> None:
        """Filter once.

        Args:
            user: The user's environment; copied.
            provider_names: Variables that a provider setting names as its key, whatever they
                are called.
            env_allow: Single names that the user lets through although they look secret.
        """
        hidden = frozenset(provider_names)
        allowed = frozenset(env_allow)
        self._variables = {
            name: value
            for name, value in user.items()
            if name not in REMOVED_NAMES
            and (name in allowed or (name not in hidden and not looks_secret(name)))
        }

    def variables(self, extra: Mapping[str, str] | None = None) -> dict[str, str]:
        """Return a fresh mapping for one child.

        Args:
            extra: Further variables of this child, such as its marks; they win.
        """
        return {**self._variables, **ADDED_VARIABLES, **(extra or {})}
