"""The whole way on a real repository, once with all fifteen tools of each profile.

A branch is made, files are written, tests are run, a page is fetched, a sub-agent writes, and the
commit is pushed to a bare remote. ``gh`` is a stand-in that notes what it is called with.
"""

import json
import os
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, TypeAlias

import pytest

from caramelo_tui.tools.profiles import profile_names
from tests.doubles.git_worlds import PULL_REQUEST_URL, GhStandIn, git
from tests.e2e.planted_keys import KEY
from tests.e2e.servers import model_server

Arguments: TypeAlias = Mapping[str, object]
Call: TypeAlias = tuple[str, Arguments]
Event: TypeAlias = Mapping[str, Any]

BRANCH = "feat/median"
TESTS = "python3 -m unittest -q"
PAGE = b"<h1>Median</h1><p>The <b>middle</b> of sorted numbers.</p>"
TALLY = "def total(numbers):\n    return sum(numbers)\n"
EDIT_OLD = "    return sum(numbers)\n"
EDIT_NEW = f"{EDIT_OLD}\n\ndef median(numbers):\n    return sorted(numbers)[len(numbers) // 2]\n"
CHECKED = (
    "import unittest\n\nfrom tally import median\n\n\nclass MedianTest(unittest.TestCase):\n"
    "    def test_it_is_the_middle(self):\n        self.assertEqual(median([9, 1, 4]), 4)\n"
)
CHANGES = "- median\n"
SUMMARY = "median is there, with a test."
TITLE = "Add median"
APPROVER = """#!/usr/bin/env python3
import json, pathlib, sys

request = json.load(sys.stdin)
what = request["action"]["kind"] if request["kind"] == "action" else request["kind"]
with pathlib.Path(__file__).with_suffix(".asked").open("a") as asked:
    asked.write(what + "\\n")
if request["kind"] == "review":
    writes = request["writes"]
    answer = {"hunks": {h["id"]: True for w in writes for h in w["proposal"]["hunks"]}}
else:
    answer = {"action": "run"}
json.dump(answer, sys.stdout)
"""


def calls(*listed: Call, text: str = "") -> str:
    """Return one turn of the script, in TOML."""
    # The escapes of a JSON text of ASCII are those of a TOML text.
    rows = ", ".join(
        f'{{ name = "{name}", arguments_raw = {json.dumps(json.dumps(arguments))} }}'
        for name, arguments in listed
    )
    return f"[[turns]]\ntext = {json.dumps(text)}\ncalls = [{rows}]\n"


def says(text: str) -> str:
    """Return a turn without calls."""
    return f"[[turns]]\ntext = {json.dumps(text)}\n"


def publishing(url: str) -> tuple[Sequence[str], Sequence[str]]:
    """Return the turns that both profiles have alike: before the writes, and behind them."""
    before = [
        calls(("git_status", {}), ("git_log", {"count": 1}), ("web_fetch", {"url": url})),
        calls(("git_branch", {"action": "create", "name": BRANCH})),
    ]
    pull_request = {"title": TITLE, "body": "With a test.", "draft": True}
    behind = [
        calls(("git_diff", {})),
        calls(("git_commit", {"message": TITLE})),
        calls(("create_pull_request", pull_request)),
    ]
    return before, behind


def core_script(url: str) -> str:
    """Return what the model says in profile ``core``."""
    before, behind = publishing(url)
    return "".join(
        [
            calls(
                ("list_files", {"path": ".", "recursive": True}),
                ("read_file", {"path": "tally.py"}),
                ("search_codebase", {"pattern": r"def \w+", "include": "*.py"}),
            ),
            *before,
            calls(
                ("write_file", {"path": "tests/test_median.py", "content": CHECKED}),
                (
                    "edit_file",
                    {"path": "tally.py", "old_string": EDIT_OLD, "new_string": EDIT_NEW},
                ),
            ),
            calls(("run_command", {"command": TESTS})),
            calls(("spawn_subagent", {"title": "Note it", "description": "Write CHANGES.md."})),
            calls(("write_file", {"path": "CHANGES.md", "content": CHANGES})),
            calls(("task_done", {"summary": "noted", "files_changed": ["CHANGES.md"]})),
            *behind,
            calls(("task_done", {"summary": SUMMARY, "files_changed": ["tally.py"]})),
        ]
    )


def caramelo_script(url: str) -> str:
    """Return what the model says in profile ``caramelo``."""
    before, behind = publishing(url)
    return "".join(
        [
            calls(
                ("list_dir", {}),
                ("glob", {"pattern": "**/*.py"}),
                ("file_read", {"path": "tally.py"}),
                ("grep", {"pattern": r"def \w+"}),
            ),
            *before,
            calls(
                ("file_write", {"path": "tests/test_median.py", "content": CHECKED}),
                ("file_edit", {"path": "tally.py", "search": EDIT_OLD, "replace": EDIT_NEW}),
            ),
            calls(("bash", {"command": TESTS})),
            calls(("spawn_subagent", {"title": "Note it", "description": "Write CHANGES.md."})),
            calls(("file_write", {"path": "CHANGES.md", "content": CHANGES})),
            says("noted"),
            *behind,
            says(SUMMARY),
        ]
    )


@pytest.fixture
def page_url() -> Iterator[str]:
    """A page on loopback."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("content-type", "text/html; charset=utf-8")
            self.send_header("content-length", str(len(PAGE)))
            self.end_headers()
            self.wfile.write(PAGE)

        def log_message(self, *_arguments: object) -> None:
            """Say nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}/median"
    server.shutdown()
    thread.join()
    server.server_close()


@dataclass(frozen=True, kw_only=True)
class Bench:
    """A repository with a bare remote, a user, and what approves and opens pull requests."""

    program: str
    user: Mapping[str, str]
    project: Path
    remote: Path
    gh: GhStandIn
    approver: Path

    @property
    def asked(self) -> list[str]:
        """What the approver was asked about, in order."""
        return self.approver.with_suffix(".asked").read_text().splitlines()

    def run(self, *words: str, **variables: str) -> Sequence[Event]:
        """Run to the end and return the events."""
        done = subprocess.run(
            [self.program, "run", "--json", "--quiet", "--trust", "--model", "m", *words, "Add it"],
            cwd=self.project,
            env={**self.user, **variables},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=120,
        )
        events = [json.loads(line) for line in done.stdout.splitlines()]
        assert (done.returncode, done.stderr) == (0, b""), events[-3:]
        return events


@pytest.fixture
def bench(program: str, user: Mapping[str, str], project: Path, tmp_path: Path) -> Bench:
    (project / "tally.py").write_text(TALLY)
    (project / "tests").mkdir()
    (project / "tests" / "__init__.py").write_text("")
    (project / ".gitignore").write_text("__pycache__/\n")
    remote = tmp_path / "remote.git"
    git(tmp_path, "init", "--quiet", "--bare", "--initial-branch=main", str(remote))
    git(project, "init", "--quiet", "--initial-branch=main")
    git(project, "add", "--all")
    git(project, "commit", "--quiet", "--message", "first")
    git(project, "remote", "add", "origin", str(remote))
    git(project, "push", "--quiet", "origin", "main")
    gh = GhStandIn(tmp_path / "bin")
    approver = tmp_path / "approver.py"
    approver.write_text(APPROVER)
    approver.chmod(0o755)
    identity = tmp_path / "gitconfig"
    identity.write_text("[user]\n\tname = Ada\n\temail = ada@example.test\n")
    own = {
        "PATH": f"{gh.folder}{os.pathsep}{user['PATH']}",
        "GIT_CONFIG_GLOBAL": str(identity),
        "PYTHONDONTWRITEBYTECODE": "1",
    }
    return Bench(
        program=program,
        user={**user, **own},
        project=project,
        remote=remote,
        gh=gh,
        approver=approver,
    )


def allow_host(bench: Bench, url: str) -> None:
    """Let the user's configuration name the page's host, port included."""
    home = Path(bench.user["CARAMELO_HOME"])
    home.mkdir(mode=0o700)
    host = url.removeprefix("http://").partition("/")[0]
    (home / "config.toml").write_text(f'[web]\nallow_hosts = ["{host}"]\n')


def check_calls(events: Sequence[Event], profile: str) -> None:
    """Every tool of the profile was offered, decided, and did its work."""
    started = {
        event["call_id"]: event["tool"] for event in events if event["type"] == "ToolCallStarted"
    }
    decided = {
        event["call_id"]: event["decision"]
        for event in events
        if event["type"] == "ToolCallDecided"
    }
    finished = {
        event["call_id"]: event["result"] for event in events if event["type"] == "ToolCallFinished"
    }
    assert set(started.values()) == set(profile_names(profile))
    assert len(profile_names(profile)) == 15
    assert set(started) == set(decided) == set(finished)
    for call_id, result in finished.items():
        assert (result["state"], result["is_error"]) == ("ok", False), result
        assert decided[call_id]["verdict"] in {"allow", "ask"}
        assert decided[call_id]["rule"]
        assert decided[call_id]["reason"]
        assert decided[call_id]["origin"]
    texts = {started[call_id]: result["text"] for call_id, result in finished.items()}
    assert "The **middle** of sorted numbers." in texts["web_fetch"]
    assert "median" in texts["git_diff"]
    assert PULL_REQUEST_URL in texts["create_pull_request"]
    assert "CHANGES.md (+1 -0)" in texts["spawn_subagent"]


def check_end(events: Sequence[Event], profile: str) -> None:
    """The run is whole, its agents included."""
    first, last = events[0], events[-1]
    assert (first["type"], first["profile"], first["is_trusted"]) == ("RunStarted", profile, True)
    assert (last["type"], last["ending"], last["refused_calls"]) == ("RunEnded", "completed", 0)
    assert last["text"] == SUMMARY
    (ended,) = [event for event in events if event["type"] == "SubagentEnded"]
    assert (ended["title"], ended["ending"]) == ("Note it", "completed")
    by_child = [
        event["tool"]
        for event in events
        if event["type"] == "ToolCallFinished" and event["agent"] == "Note it"
    ]
    assert by_child == (["write_file", "task_done"] if profile == "core" else ["file_write"])


def check_repository(bench: Bench) -> None:
    """Files, commit, branch, push and pull request are as they should be."""
    assert (bench.project / "tally.py").read_text() == TALLY.replace(EDIT_OLD, EDIT_NEW)
    assert (bench.project / "tests" / "test_median.py").read_text() == CHECKED
    assert (bench.project / "CHANGES.md").read_text() == CHANGES
    assert git(bench.project, "status", "--short") == ""
    head = git(bench.project, "rev-parse", "HEAD")
    assert git(bench.project, "branch", "--show-current") == f"{BRANCH}\n"
    assert git(bench.remote, "rev-parse", BRANCH) == head
    assert git(bench.remote, "log", "--format=%an %s", f"main..{BRANCH}") == f"Ada {TITLE}\n"
    changed = git(bench.remote, "diff", "--name-only", f"main..{BRANCH}")
    assert changed.split() == ["CHANGES.md", "tally.py", "tests/test_median.py"]
    (opened,) = bench.gh.calls
    assert opened.argv[:2] == ("pr", "create")
    assert (opened.flags["title"], opened.body) == (TITLE, "With a test.")
    assert (opened.flags["base"], opened.flags["head"]) == ("main", BRANCH)
    assert "draft" in opened.flags


def test_all_of_core_end_by_task_done(bench: Bench, page_url: str, tmp_path: Path) -> None:
    allow_host(bench, page_url)
    with model_server(core_script(page_url), tmp_path) as server:
        events = bench.run(
            *("--profile", "core", "--mode", "review", "--approver", str(bench.approver)),
            ANTHROPIC_API_KEY=KEY,
            ANTHROPIC_BASE_URL=server.url,
        )
        offered = [tool["name"] for tool in server.bodies()[0]["tools"]]
    assert offered == list(profile_names("core"))
    check_calls(events, "core")
    check_end(events, "core")
    check_repository(bench)
    # The commit stays below the limit of changed lines, and the policy allows the tests.
    assert bench.asked == ["branch", "review", "review", "pull_request"]
    tools = [event["tool"] for event in events if event["type"] == "ToolCallFinished"]
    assert tools[-1] == "task_done"


def test_all_of_caramelo_end_by_a_last_word(bench: Bench, page_url: str, tmp_path: Path) -> None:
    allow_host(bench, page_url)
    with model_server(caramelo_script(page_url), tmp_path) as server:
        events = bench.run(
            *("--auto-approve", "--allow-command", TESTS, "--approver", str(bench.approver)),
            OPENAI_API_KEY=KEY,
            OPENAI_BASE_URL=server.url,
        )
        offered = [tool["function"]["name"] for tool in server.bodies()[0]["tools"]]
    assert offered == list(profile_names("caramelo"))
    check_calls(events, "caramelo")
    check_end(events, "caramelo")
    check_repository(bench)
    # A pull request is what --auto-approve does not answer.
    assert bench.asked == ["pull_request"]
