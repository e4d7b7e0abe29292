"""Find the remote that a branch is pushed to, and read its address.

Owns the choice of the remote (git's own order), the address as it is shown, without secrets,
and the name that GitHub knows the repository by. Proven by
tests/unit/tools/git/test_remotes.py.
"""

import re
from dataclasses import dataclass

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.tools.git.program import OpenRepository
from caramelo_tui.tools.git.values import require_plain_name
from caramelo_tui.tools.output_limits import make_inert

_LOGIN = re.compile(
    r"^(?P<scheme>https?://)[^/]*@|^(?P<other>[a-z+]+://)[^/@]*:[^/]*@", re.IGNORECASE
)
"""A login in front of a host: with http any, since a token may stand as the user's name."""
_URL = re.compile(
    r"^(?:https|ssh)://(?:[^/@]+@)?(?P<host>[^/:@]+)(?::\d+)?/(?P<path>[^?#]+)$", re.IGNORECASE
)
_SCP_FORM = re.compile(r"^(?:[^/@:]+@)(?P<host>[^/:@]+):(?P<path>[^?#]+)$")
_SAFE_PART = re.compile(r"^[A-Za-z0-9_.][A-Za-z0-9_.-]*$")
_OTHER_DOORS = {"ssh.github.com": "github.com"}
"""GitHub's second ssh host, for networks that let only port 443 out."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Remote:
    """Where a branch is pushed to."""

    name: str
    addresses: tuple[str, ...]
    """As git would use them, logins hidden; more than one where several are set."""
    slug: str
    """``host/owner/name`` for gh; empty when the address is no such place."""


async def push_remote(repository: OpenRepository, branch: str) -> Remote:
    """Return the remote that git would push a branch to.

    Raises:
        ToolFailure: If there is none, or several and no setting picks one.
    """
    names = (await repository.read("remote")).text.splitlines()
    if not names:
        raise ToolFailure("this repository has no remote to push to; add one with git remote add")
    name = await _configured(repository, branch, names)
    if not name:
        if "origin" not in names and len(names) > 1:
            shown = ", ".join(make_inert(each) for each in names)
            msg = f"there are several remotes ({shown}) and none is set for this branch"
            raise ToolFailure(msg)
        name = "origin" if "origin" in names else names[0]
    require_plain_name("remote", name)
    found = await repository.read("remote", "get-url", "--push", "--all", name)
    addresses = found.text.splitlines()
    return Remote(
        name=name,
        addresses=tuple(_without_login(address) for address in addresses),
        slug=repository_slug(addresses[0]) if len(addresses) == 1 else "",
    )


def repository_slug(address: str) -> str:
    """Return ``host/owner/name`` of an address on a server; empty for any other."""
    match = _URL.match(address) or _SCP_FORM.match(address)
    if match is None:
        return ""
    host = match.group("host").lower()
    parts = match.group("path").strip("/").removesuffix(".git").split("/")
    # A host without a dot is a name of the user's own ssh settings, which only gh resolves.
    if "." not in host or len(parts) != _SLUG_PARTS or not all(map(_SAFE_PART.match, parts)):
        return ""
    return "/".join((_OTHER_DOORS.get(host, host), *parts))


_SLUG_PARTS = 2


def _without_login(address: str) -> str:
    return _LOGIN.sub(lambda match: f"{match['scheme'] or match['other']}***@", address)


async def _configured(repository: OpenRepository, branch: str, names: list[str]) -> str:
    for key in (f"branch.{branch}.pushRemote", "remote.pushDefault", f"branch.{branch}.remote"):
        found = await repository.read("config", "--get", key, ends_with=(0, 1))
        if (name := found.text.removesuffix("\n")) in names:
            return name
    return ""
