"""The keyring is asked in a child that can hang, fail or lie without harm."""

import json
import sys
import time
from pathlib import Path

from caramelo_tui.config.credentials import find_connection
from caramelo_tui.config.kept_keys import KeptKeys
from caramelo_tui.config.keyring_store import KeyringStore
from caramelo_tui.config.settings import ProviderName, Settings
from tests.doubles import keyring_child

KEY = "sk-planted-in-the-keyring"


def store_of(
    manner: str, folder: Path, environment: dict[str, str] | None = None, limit_s: float = 20.0
) -> KeyringStore:
    command = (sys.executable, "-m", keyring_child.__name__, manner, str(folder / "kept.json"))
    variables = {"HOME": str(folder), "PYTHONPATH": str(Path(__file__).parents[3])}
    return KeyringStore(
        {**variables, **(environment or {})},
        command=command,
        probe_limit_s=limit_s,
        ask_limit_s=limit_s,
    )


def test_a_key_is_kept_read_and_forgotten(tmp_path: Path) -> None:
    store = store_of("good", tmp_path)
    assert store.probe().is_usable
    assert store.write("openai", KEY) == ""
    assert store.read(["anthropic", "openai"]) == {"openai": KEY}
    assert store.delete("openai") == ""
    assert store.delete("openai") == ""
    assert store.read(["openai"]) == {}


def test_a_backend_that_is_no_real_keyring_keeps_nothing(tmp_path: Path) -> None:
    store = store_of("weak", tmp_path)
    assert "no keyring" in store.probe().problem
    assert store.write("openai", KEY) == store.probe().problem
    assert store.delete("openai") == store.probe().problem
    assert store.read(["openai"]) == {}
    assert not (tmp_path / "kept.json").exists()


def test_a_keyring_that_hangs_is_given_up_and_asked_once(tmp_path: Path) -> None:
    store = store_of("hangs", tmp_path, limit_s=0.3)
    began = time.monotonic()
    assert "did not answer within 0.3 s" in store.probe().problem
    (tmp_path / "kept.env").unlink(missing_ok=True)
    assert store.read(["openai"]) == {}
    assert store.write("openai", KEY)
    assert not (tmp_path / "kept.env").exists()
    assert time.monotonic() - began < 10


def test_an_answer_that_is_no_json_means_no_keyring(tmp_path: Path) -> None:
    assert store_of("garbage", tmp_path).probe().problem == "the keyring failed"


def test_what_a_backend_says_of_a_failure_is_not_passed_on(tmp_path: Path) -> None:
    problem = store_of("broken", tmp_path).write("openai", KEY)
    assert problem == "the keyring failed"


def test_the_child_gets_no_key_of_the_environment(tmp_path: Path) -> None:
    store_of("good", tmp_path, {"OPENAI_API_KEY": KEY, "LANG": "C"}).probe()
    seen = json.loads((tmp_path / "kept.env").read_text())
    assert seen["LANG"] == "C"
    assert KEY not in seen.values()


def test_the_child_gets_no_variable_that_settings_name_as_a_key(tmp_path: Path) -> None:
    store = store_of("good", tmp_path, {"HOUSE": KEY, "LANG": "C"})
    kept = KeptKeys(store, ["openai"], hide=store.hide)
    find_connection(Settings(provider=ProviderName.DEMO, key_env="HOUSE"), {}, kept=kept)
    store.probe()
    seen = json.loads((tmp_path / "kept.env").read_text())
    assert seen["LANG"] == "C"
    assert "HOUSE" not in seen


def test_a_program_that_cannot_be_started_is_no_keyring(tmp_path: Path) -> None:
    store = KeyringStore({"HOME": str(tmp_path)}, command=(str(tmp_path / "none"),))
    assert "cannot be asked" in store.probe().problem


def test_our_own_child_says_whether_this_machine_has_a_keyring(tmp_path: Path) -> None:
    # Whatever the machine has: without a session bus there is none, and nothing is asked.
    environment = {
        "HOME": str(tmp_path),
        "PYTHON_KEYRING_BACKEND": "keyring.backends.fail.Keyring",
    }
    state = KeyringStore(environment).probe()
    assert not state.is_usable
    assert "keyring" in state.problem
