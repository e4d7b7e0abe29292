"""Where Copilot's token and prompts may go, whatever the exchange of tokens says."""

from collections.abc import Mapping

import pytest

from caramelo_tui.domain.errors import BadRequest
from caramelo_tui.providers.copilot_http import GitHubHosts, JsonAnswer, JsonRequests
from caramelo_tui.providers.copilot_login import CopilotLogin
from caramelo_tui.providers.copilot_models import models_in
from caramelo_tui.providers.copilot_tokens import CopilotTokens


class Answers(JsonRequests):
    """Gives one answer to everything."""

    def __init__(self, body: Mapping[str, object]) -> None:
        super().__init__()
        self.body = body

    async def get(self, url: str, headers: Mapping[str, str]) -> JsonAnswer:
        del url, headers
        return JsonAnswer(status=200, body=self.body)

    async def post(self, url: str, form: Mapping[str, str]) -> JsonAnswer:
        del url, form
        return JsonAnswer(status=200, body=self.body)


def tokens_of(github: str, place: str) -> CopilotTokens:
    body = {"token": "t", "expires_at": 9_000_000_000, "endpoints": {"api": place}}
    return CopilotTokens("gho_x", GitHubHosts.of(github), requests=Answers(body))


@pytest.mark.parametrize(
    ("github", "place"),
    [
        ("", ""),
        ("", "https://api.githubcopilot.com"),
        ("", "https://api.business.githubcopilot.com/"),
        ("", "https://api.github.com/copilot"),
        ("https://acme.ghe.com", "https://copilot-api.acme.ghe.com"),
        ("https://acme.ghe.com", "https://api.individual.githubcopilot.com"),
        ("http://localhost:8080", "http://localhost:8081/copilot"),
    ],
)
async def test_copilot_s_own_hosts_and_those_of_the_github_are_used(
    github: str, place: str
) -> None:
    token = await tokens_of(github, place).current()
    assert token.base_url == (place.rstrip("/") or "https://api.githubcopilot.com")


@pytest.mark.parametrize(
    ("github", "place"),
    [
        ("", "https://evil.test"),
        ("", "https://githubcopilot.com.evil.test"),
        ("", "https://evilgithubcopilot.com"),
        ("", "https://api.githubcopilot.com@evil.test"),
        ("", "http://api.githubcopilot.com"),
        ("", "http://api.github.com"),
        ("", "https://127.0.0.1"),
        ("", "https://[::bad"),
        ("", "javascript://api.githubcopilot.com"),
        ("", "api.githubcopilot.com"),
        ("https://acme.ghe.com", "https://other.ghe.com"),
        ("http://localhost:8080", "https://evil.test"),
    ],
)
async def test_no_other_place_gets_the_token(github: str, place: str) -> None:
    with pytest.raises(BadRequest, match="not used"):
        await tokens_of(github, place).current()


@pytest.mark.parametrize(
    "address",
    [
        "https://evil.test/device",
        "http://github.com/device",
        "javascript://github.com/",
        "https://[",
    ],
)
async def test_a_login_is_typed_nowhere_else(address: str) -> None:
    body = {"user_code": "A-B", "device_code": "d", "verification_uri": address}
    with pytest.raises(BadRequest, match="another host"):
        await CopilotLogin(GitHubHosts.of(), requests=Answers(body)).begin()


@pytest.mark.parametrize("number", [float("nan"), float("inf"), -1, 10**400, True, "2"])
def test_a_price_that_is_none_stays_unknown(number: object) -> None:
    body = {"data": [{"id": "m", "billing": {"multiplier": number}}]}
    assert models_in(body)[0].premium_multiplier is None


def test_a_list_of_models_ends_somewhere_and_hides_nothing() -> None:
    many = [{"id": f"m{number}"} for number in range(10_000)]
    body = {
        "data": [{"id": "\x1b]0;x"}, {"id": "x" * 10_000}, {"id": "ok", "name": "n" * 9_999}, *many]
    }
    found = models_in(body)
    assert len(found) == 500
    assert found[0].id == "ok"
    assert len(found[0].name) == 200
