"""Package managers, remotes and containers are known by their verbs."""

import pytest

from tests.doubles.policy_calls import engine


def notes_of(command: str) -> set[str]:
    return {risk for part in engine().explain(command) for risk in part.risks}


@pytest.mark.parametrize(
    ("command", "note"),
    [
        ("npm --a b install", "installs packages"),
        ("npm --loglevel run ci", "installs packages"),
        ("go mod download", "installs packages"),
        ("yarn --silent", "installs packages"),
        ("pacman -Syu", "installs packages"),
        ("pacman -S x", "installs packages"),
        ("dpkg --install x", "installs packages"),
        ("python3 -m pip install x", "installs packages"),
        ("python3 -mpip install x", "installs packages"),
        ("python3 setup.py develop", "installs packages"),
        ("python3 -m ensurepip", "installs packages"),
        ("uv pip sync x", "installs packages"),
        ("npm publish", "publishes to others"),
        ("yarn npm publish", "publishes to others"),
        ("python3 -m twine upload x", "publishes to others"),
        ("gh pr merge 1", "may change something on a remote"),
        ("gh api -X DELETE x", "may change something on a remote"),
        ("gh api x --input f", "may change something on a remote"),
        ("gh api x --raw-field a=b", "may change something on a remote"),
        ("docker exec x sh", "controls containers or machines beyond the workspace"),
        ("docker compose up", "controls containers or machines beyond the workspace"),
        ("docker -H x ps", "controls containers or machines beyond the workspace"),
        ("ssh host", "works on another machine"),
        ("socat - TCP:x:1", "opens a raw connection to another machine"),
        ("rsync host:a b", "copies files from or to another machine"),
        ("curl --json x u", "sends data to the network"),
        ("reboot", "changes the machine beyond the workspace"),
    ],
)
def test_what_reaches_beyond_the_workspace_is_noted(command: str, note: str) -> None:
    assert note in notes_of(command)


@pytest.mark.parametrize(
    "command",
    [
        "npm run install",
        "cargo test add",
        "pip list",
        "pip --version",
        "python3 -m pytest install",
        "python3 setup.py test",
        "npx --no-install tsc",
        "gh issue list",
        "gh pr",
        "gh api -X get x",
        "docker compose logs",
        "rsync a/b:c d",
        "yarn run x",
    ],
)
def test_what_only_looks_has_no_question(command: str) -> None:
    told = notes_of(command) - {"talks to the network"}

    assert told == set()
