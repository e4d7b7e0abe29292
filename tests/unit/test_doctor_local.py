"""The doctor says which models on this machine could answer."""

import asyncio
from collections.abc import Mapping

import pytest

from caramelo_tui.headless.doctor_report import Level
from caramelo_tui.launch.doctor_local import NAME, local_model_checks
from caramelo_tui.providers import local_model
from tests.doubles.loopback_servers import answering, listing


async def said_of(addresses: Mapping[str, str]) -> list[str]:
    # In a thread: the doctor has no loop of its own yet.
    checks = await asyncio.to_thread(lambda: list(local_model_checks(addresses)))
    assert {(check.name, check.level) for check in checks} == {(NAME, Level.OK)}
    return [check.text for check in checks]


async def test_each_server_is_named_with_its_first_models() -> None:
    many = listing(*"abcdefg")
    async with answering(many) as one, answering(listing()) as other:
        said = await said_of({"ollama": one.base_url, "lmstudio": other.base_url})
        assert said[0] == (
            f"Ollama at {one.base_url} serves a, b, c, d, e and 2 more (--provider ollama)"
        )
        assert said[1].startswith(f"LM Studio at {other.base_url} serves nothing; load a model")


async def test_where_nothing_answers_what_was_looked_for_is_named() -> None:
    async with answering(listing()) as gone:
        pass
    said = await said_of({"ollama": gone.base_url, "vllm": gone.base_url})
    assert said[0] == "no server answers on this machine (Ollama, vLLM were looked for)"


@pytest.mark.parametrize(("library", "words"), [("json", "can be run"), ("no_such", "[local]")])
async def test_it_says_whether_a_models_file_can_be_run(
    library: str, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(local_model, "_LIBRARY", library)
    assert words in (await said_of({}))[-1]
