"""Ask Copilot for its models.

Owns the request and the meaning of its fields; what is missing stays unknown. Proven by
tests/contract/test_copilot.py.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from caramelo_tui.domain.errors import AuthenticationFailed
from caramelo_tui.domain.screen_text import visible
from caramelo_tui.providers.copilot_http import TIMEOUT_S, GitHubHosts, JsonRequests
from caramelo_tui.providers.copilot_tokens import LOG_IN_AGAIN, CopilotToken, CopilotTokens
from caramelo_tui.providers.vendor_json import (
    LONGEST_NAME,
    amount_at,
    as_list,
    as_object,
    name_at,
    text_at,
)

MOST_MODELS = 500
"""Models that are taken of a list."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CopilotModel:
    """A model that can be asked for."""

    id: str
    name: str
    """For people; the id where there is none."""
    premium_multiplier: float | None
    """Premium requests that one prompt of the person costs: 0 for included models; ``None``: not
    told."""

    @property
    def words(self) -> str:
        """Name and price in one line."""
        name = visible(self.name, keeps_newlines=False)
        match self.premium_multiplier:
            case None:
                return name
            case 0:
                return f"{name} · included"
            case 1:
                return f"{name} · 1 premium request for each prompt"
            case _:
                return f"{name} · {self.premium_multiplier:g} premium requests for each prompt"


async def list_models(
    github_token: str, hosts: GitHubHosts, *, timeout_s: float = TIMEOUT_S
) -> tuple[CopilotModel, ...]:
    """Return the models of a login.

    Raises:
        ProviderError: If they cannot be asked for.
    """
    requests = JsonRequests(timeout_s=timeout_s)
    token = await CopilotTokens(github_token, hosts, requests=requests).current()
    return await models_with(token, requests)


async def models_with(token: CopilotToken, requests: JsonRequests) -> tuple[CopilotModel, ...]:
    """Return the models that a Copilot token can use.

    Raises:
        AuthenticationFailed: If the token is not taken.
        ProviderError: If they cannot be asked for.
    """
    answer = await requests.get(
        f"{token.base_url}/models", {"Authorization": f"Bearer {token.key}"}
    )
    if answer.status in {401, 403}:
        msg = f"Copilot did not take its token (HTTP {answer.status}). {LOG_IN_AGAIN}"
        raise AuthenticationFailed(msg)
    return models_in(answer.body)


def models_in(body: Mapping[str, object]) -> tuple[CopilotModel, ...]:
    """Return the models for chat that are meant to be picked, in Copilot's order, each id once."""
    found = {model.id: model for model in _models(body)}
    return tuple(found.values())[:MOST_MODELS]


def _models(body: Mapping[str, object]) -> Iterator[CopilotModel]:
    for each in map(as_object, as_list(body.get("data"))):
        capabilities = as_object(each.get("capabilities"))
        kind = text_at(capabilities, "type") or "chat"
        model_id = name_at(each, "id")
        if not model_id or kind != "chat" or each.get("model_picker_enabled") is False:
            continue
        yield CopilotModel(
            id=model_id,
            name=text_at(each, "name")[:LONGEST_NAME] or model_id,
            premium_multiplier=_multiplier(as_object(each.get("billing"))),
        )


def _multiplier(billing: Mapping[str, object]) -> float | None:
    value = amount_at(billing, "multiplier")
    return 0.0 if value is None and billing.get("is_premium") is False else value
