"""How an endpoint is reached."""

import pytest

from caramelo_tui.domain.errors import AuthenticationFailed
from caramelo_tui.providers.connection import EndpointSettings


def test_blanks_around_a_key_are_dropped() -> None:
    assert EndpointSettings(key=" sk-1\n").usable_key() == "sk-1"


@pytest.mark.parametrize("key", ["", " ", "a\nb", "k9 k9", "schlüssel", "a\x00b"])
def test_a_key_that_cannot_stand_in_a_header_is_refused_unseen(key: str) -> None:
    with pytest.raises(AuthenticationFailed) as caught:
        EndpointSettings(key=key).usable_key()
    assert not key.strip() or key not in str(caught.value)


def test_the_key_is_not_in_the_repr() -> None:
    assert "sk-1" not in repr(EndpointSettings(key="sk-1"))
