"""The remote is the one that git would push to, and its address shows no secret."""

from pathlib import Path

import pytest

from caramelo_tui.domain.errors import ToolFailure
from caramelo_tui.domain.ids import CallId
from caramelo_tui.domain.tool_calls import ToolCall
from caramelo_tui.tools.git.program import OpenRepository
from caramelo_tui.tools.git.remotes import push_remote, repository_slug
from tests.doubles.git_worlds import GitWorld


async def opened(world: GitWorld) -> OpenRepository:
    call = ToolCall(id=CallId("c"), name="git_status", arguments_json="")
    return await world.program.open(call, world.context)


@pytest.mark.parametrize(
    ("address", "slug"),
    [
        ("https://github.com/acme/tally.git", "github.com/acme/tally"),
        ("https://github.com/acme/tally/", "github.com/acme/tally"),
        ("https://user:token@GitHub.com/acme/tally", "github.com/acme/tally"),
        ("git@github.com:acme/tally.git", "github.com/acme/tally"),
        ("ssh://git@ssh.github.com:443/acme/tally.git", "github.com/acme/tally"),
        ("ssh://git@code.acme.test:2222/acme/my.tally_2", "code.acme.test/acme/my.tally_2"),
        ("git@work:acme/tally.git", ""),
        ("/srv/git/acme/tally.git", ""),
        ("../tally.git", ""),
        ("file:///srv/acme/tally.git", ""),
        ("https://github.com/tally", ""),
        ("https://github.com/a/b/c", ""),
        ("https://github.com/acme/--flag", ""),
        ("https://github.com/-acme/tally", ""),
        ("ext::sh -c x", ""),
    ],
)
def test_the_name_that_gh_knows(address: str, slug: str) -> None:
    assert repository_slug(address) == slug


@pytest.mark.parametrize(
    ("settings", "expected"),
    [
        ({}, "origin"),
        ({"branch.main.remote": "fork"}, "fork"),
        ({"branch.main.remote": "fork", "remote.pushDefault": "third"}, "third"),
        ({"remote.pushDefault": "third", "branch.main.pushRemote": "fork"}, "fork"),
        ({"branch.main.remote": "."}, "origin"),
        ({"branch.main.pushRemote": "nowhere"}, "origin"),
    ],
)
async def test_the_order_is_gits_own(
    world: GitWorld, settings: dict[str, str], expected: str
) -> None:
    for name in ("fork", "origin", "third"):
        world.git("remote", "add", name, f"https://host.test/{name}/tally")
    for key, value in settings.items():
        world.git("config", key, value)

    remote = await push_remote(await opened(world), "main")

    assert remote.name == expected
    assert remote.slug == f"host.test/{expected}/tally"


async def test_the_only_remote_is_taken_and_several_are_not_guessed(world: GitWorld) -> None:
    world.git("remote", "add", "fork", "https://host.test/a/b")
    assert (await push_remote(await opened(world), "main")).name == "fork"
    world.git("remote", "add", "other", "https://host.test/a/c")

    with pytest.raises(ToolFailure, match="several remotes"):
        await push_remote(await opened(world), "main")


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://t0ken@host.test/a/b", "https://***@host.test/a/b"),
        ("https://ada:p@ss@host.test/a/b", "https://***@host.test/a/b"),
        ("ssh://ada:pass@host.test/a/b", "ssh://***@host.test/a/b"),
        ("ssh://git@host.test/a/b", "ssh://git@host.test/a/b"),
        ("git@host.test:a/b", "git@host.test:a/b"),
    ],
)
async def test_a_login_is_never_shown(world: GitWorld, address: str, shown: str) -> None:
    world.git("remote", "add", "origin", address)

    assert (await push_remote(await opened(world), "main")).addresses == (shown,)


async def test_addresses_are_the_real_ones_without_their_secrets(
    world: GitWorld, tmp_path: Path
) -> None:
    world.git("remote", "add", "origin", "short:tally")
    world.git("config", "url.https://ada:s3cret@host.test/acme/.insteadOf", "short:")
    world.git("config", "--add", "remote.origin.pushurl", "short:tally")
    one = await push_remote(await opened(world), "main")
    world.git("config", "--add", "remote.origin.pushurl", str(tmp_path / "mirror"))

    assert one.addresses == ("https://***@host.test/acme/tally",)
    assert one.slug == "host.test/acme/tally"
    both = await push_remote(await opened(world), "main")
    assert both.addresses == ("https://***@host.test/acme/tally", str(tmp_path / "mirror"))
    assert both.slug == ""


async def test_a_remote_named_like_an_option_is_refused(world: GitWorld) -> None:
    world.git("config", "remote.--mirror.url", "https://host.test/a/b")
    world.git("config", "branch.main.remote", "--mirror")

    with pytest.raises(ToolFailure, match="starts with a dash"):
        await push_remote(await opened(world), "main")
