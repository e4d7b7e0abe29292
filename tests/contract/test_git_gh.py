"""The real gh takes our arguments as values; the service is a recording stand-in on loopback.

gh reaches the stand-in through a proxy variable and the host ``github.localhost``, which it speaks
to without TLS; git reaches the bare remote through an ssh command that stays on this machine.
"""

import json
import shutil
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from tests.doubles.git_worlds import GitWorld, WorldPlan, git, open_git_world, with_remote

pytestmark = pytest.mark.skipif(
    shutil.which("gh") is None, reason="this machine has no gh to be tried"
)
URL = "https://github.localhost/acme/tally/pull/17"


@dataclass(kw_only=True)
class Service:
    """What gh asked for."""

    address: str = ""
    requests: list[dict[str, Any]] = field(default_factory=list[dict[str, Any]])
    tokens: set[str] = field(default_factory=set[str])

    @property
    def created(self) -> list[dict[str, Any]]:
        return [
            request["variables"]["input"]
            for request in self.requests
            if "createPullRequest" in request["query"]
        ]


def answer(query: str) -> dict[str, Any]:
    if "createPullRequest" in query:
        return {"createPullRequest": {"pullRequest": {"id": "PR_1", "url": URL}}}
    if "pullRequests(" in query:
        return {"repository": {"pullRequests": {"nodes": []}, "defaultBranchRef": {"name": "main"}}}
    repository = {
        "id": "R_1",
        "name": "tally",
        "owner": {"login": "acme"},
        "viewerPermission": "WRITE",
        "defaultBranchRef": {"name": "main"},
        "parent": None,
    }
    return {"repository": repository}


@pytest.fixture
def service() -> Iterator[Service]:
    seen = Service()

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            size = int(self.headers["content-length"])
            request = json.loads(self.rfile.read(size))
            seen.requests.append(request)
            seen.tokens.add(self.headers["authorization"])
            body = json.dumps({"data": answer(request["query"])}).encode()
            self.send_response(200)
            self.send_header("content-type", "application/json")
            self.send_header("content-length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    seen.address = f"http://127.0.0.1:{server.server_port}"
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield seen
    server.shutdown()
    thread.join()
    server.server_close()


def open_world(folder: Path, service: Service) -> tuple[GitWorld, Path]:
    """Make a workspace on a branch with one commit more than its remote on ``the service``."""
    ssh = folder / "ssh.sh"
    world = open_git_world(
        folder,
        WorldPlan(
            environment={
                "GH_TOKEN": "made-up-token",
                "GH_HOST": "github.localhost",
                "GH_REPO": "github.localhost/somebody/else",
                "HTTP_PROXY": service.address,
                "GIT_SSH_COMMAND": str(ssh),
            }
        ),
    )
    world.commit("first", a__txt="one\n")
    bare = with_remote(world, folder)
    ssh.write_text(
        '#!/bin/sh\ncase "$*" in\n'
        f"*receive-pack*) exec git receive-pack {bare};;\n"
        f"*upload-pack*) exec git upload-pack {bare};;\nesac\nexit 1\n"
    )
    ssh.chmod(0o755)
    world.git("remote", "set-url", "origin", "git@github.localhost:acme/tally.git")
    world.git("switch", "--quiet", "--create", "side")
    world.commit("second", a__txt="two\n")
    return world, bare


async def test_a_pull_request_is_opened_with_the_values_as_they_are(
    tmp_path: Path, service: Service
) -> None:
    world, bare = open_world(tmp_path, service)

    text = await world.text(
        "create_pull_request", title="--web", body="--body-file=/etc/hostname\n", draft=True
    )

    assert f"pull request: #17\nurl: {URL}\n" in text
    assert git(bare, "rev-parse", "side") == world.git("rev-parse", "HEAD")
    assert world.git("rev-parse", "--abbrev-ref", "side@{upstream}") == "origin/side\n"
    assert service.tokens == {"token made-up-token"}
    assert len(service.created) == 1
    created = service.created[0]
    assert created["title"] == "--web"
    assert created["body"] == "--body-file=/etc/hostname\n"
    assert created["draft"] is True
    assert (created["baseRefName"], created["headRefName"]) == ("main", "side")
    first = service.requests[0]["variables"]
    assert (first["owner"], first["name"]) == ("acme", "tally")


async def test_without_a_login_it_says_what_was_done_and_what_was_not(
    tmp_path: Path, service: Service
) -> None:
    _, bare = open_world(tmp_path, service)
    world = open_git_world(
        tmp_path,
        WorldPlan(is_repository=False, environment={"GIT_SSH_COMMAND": str(tmp_path / "ssh.sh")}),
    )

    text = await world.error("create_pull_request", title="t")

    assert "was pushed, but the pull request was not created" in text
    assert "gh auth login" in text
    assert git(bare, "rev-parse", "side") == world.git("rev-parse", "HEAD")
    assert service.requests == []
