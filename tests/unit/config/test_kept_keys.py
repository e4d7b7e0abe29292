"""Keys of the keyring and of the session: their order, and that they are told to nobody."""

from caramelo_tui.config.kept_keys import KeptKeys
from caramelo_tui.domain.secret_names import looks_secret
from tests.doubles.keyrings import FakeKeyring


def keys_over(keyring: FakeKeyring) -> KeptKeys:
    return KeptKeys(keyring, ["anthropic", "openai"])


def test_the_keyring_comes_before_nothing_and_is_read_once() -> None:
    keyring = FakeKeyring({"openai": "k"})
    keys = keys_over(keyring)
    assert (keys.key_of("openai"), keys.key_of("anthropic")) == ("k", "")
    assert keys.first_provider() == "openai"
    assert keyring.reads == 1


def test_without_the_extra_nothing_is_asked() -> None:
    keyring = FakeKeyring({"openai": "k"}, is_installed=False)
    assert keys_over(keyring).first_provider() is None
    assert keyring.reads == 0


def test_what_was_typed_is_used_for_this_session_and_kept_only_when_asked() -> None:
    keyring = FakeKeyring({"openai": "old"})
    keys = keys_over(keyring)
    keys.use("openai", "new")
    assert keys.key_of("openai") == "new"
    assert keyring.kept == {"openai": "old"}
    assert keys.keep("openai") == ""
    assert keyring.kept == {"openai": "new"}


def test_a_new_key_reaches_who_uses_it() -> None:
    keys = keys_over(FakeKeyring())
    taken: list[str] = []
    keys.on_change("openai", taken.append)
    keys.use("anthropic", "a")
    keys.use("openai", "o")
    assert taken == ["o"]


def test_it_is_known_whether_the_keyring_was_looked_at() -> None:
    keys = keys_over(FakeKeyring({"openai": "k"}))
    assert not keys.is_read
    keys.use("anthropic", "typed")
    assert keys.is_read
    assert (keys.typed("anthropic"), keys.typed("openai")) == ("typed", "")
    assert keys_over(FakeKeyring(is_installed=False)).is_read


def test_no_key_is_shown() -> None:
    keys = keys_over(FakeKeyring())
    keys.use("openai", "sk-planted")
    assert "sk-planted" not in repr(keys)


def test_all_keys_of_the_session_are_known_to_who_hides_them() -> None:
    keys = keys_over(FakeKeyring({"openai": "kept"}))
    assert keys.to_hide() == {}
    keys.use("anthropic", "first")
    keys.use("anthropic", "then")
    assert set(keys.to_hide().values()) == {"kept", "first", "then"}
    assert all(looks_secret(name) for name in keys.to_hide())
