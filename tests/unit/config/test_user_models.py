"""The user's own models."""

from pathlib import Path

import pytest

from caramelo_tui.config.user_models import UserModels, read_user_models
from caramelo_tui.domain.prices import Prices
from caramelo_tui.providers.catalog import Catalogue
from caramelo_tui.providers.model_facts import ModelFacts


def read(tmp_path: Path, text: str) -> UserModels:
    path = tmp_path / "models.toml"
    path.write_text(text, "utf-8")
    return read_user_models(path)


def test_nothing_is_said_by_a_file_that_does_not_exist(tmp_path: Path) -> None:
    assert read_user_models(tmp_path / "models.toml") == UserModels(models={})


def test_a_model_of_ones_own_has_limits_traits_and_prices(tmp_path: Path) -> None:
    found = read(
        tmp_path,
        "[models.house.house-1]\ncontext_window = 64000\nmax_output_tokens = 4000\n"
        "tools = true\nimages = false\nreasoning = true\ncaching = false\n"
        "input = 1\noutput = 2.5\ncache_read = 0.0\ncache_write = 0.5\n",
    )

    assert found.problems == ()
    assert found.models["house"]["house-1"] == ModelFacts(
        context_window=64_000,
        max_output_tokens=4000,
        tools=True,
        images=False,
        reasoning=True,
        caching=False,
        prices=Prices(input=1.0, output=2.5, cache_read=0.0, cache_write=0.5),
    )


@pytest.mark.parametrize("name", ['"gpt-5.4"', "gpt-5.4"])
def test_what_is_said_of_a_shipped_model_stands_before_that_field_by_field(
    tmp_path: Path, name: str
) -> None:
    found = read(tmp_path, f"[models.openai.{name}]\ninput = 1.5\n")

    catalogue = Catalogue(found.models)
    facts = catalogue.facts_of("gpt-5.4", provider="openai")
    assert facts is not None
    assert facts.context_window == 1_050_000
    assert catalogue.prices_of("openai", "gpt-5.4") == Prices(
        input=1.5, output=15.0, cache_read=0.25
    )


def test_an_empty_table_names_a_model(tmp_path: Path) -> None:
    found = read(tmp_path, "[models.house.house-1]\n")

    assert found == UserModels(models={"house": {"house-1": ModelFacts()}})


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("[other]\na = 1\n", "models.toml:2: other.a: only the table"),
        ("[models]\na = 1\n", "models.toml:2: models.a: must be a table"),
        ("[models.openai]\na = 1\n", "models.toml:2: models.openai.a: must be a table"),
        ("[models.openai]\n", "models.toml:1: models.openai: must be a table"),
        ("[models.a.b]\nwindow = 1\n", "models.toml:2: models.a.b.window: is unknown; known: "),
        ("[models.a.b]\ncontext_window = 0\n", "must be a number of tokens"),
        ("[models.a.b]\ncontext_window = true\n", "must be a number of tokens"),
        ("[models.a.b]\nmax_output_tokens = 1.5\n", "must be a number of tokens"),
        ("[models.a.b]\ntools = 1\n", "must be true or false"),
        ("[models.a.b]\ninput = -1\n", "must be US dollars per million tokens"),
        ("[models.a.b]\noutput = nan\n", "must be US dollars per million tokens"),
        ("[models.a.b]\ninput = true\n", "must be US dollars per million tokens"),
        ("[models\n", "models.toml"),
    ],
)
def test_what_cannot_be_taken_is_named_by_file_and_line(
    tmp_path: Path, text: str, problem: str
) -> None:
    found = read(tmp_path, text)

    assert len(found.problems) == 1
    assert problem in found.problems[0]


def test_the_rest_is_taken_beside_a_problem(tmp_path: Path) -> None:
    found = read(tmp_path, "[models.a.b]\ninput = -1\noutput = 2\n")

    assert found.models["a"]["b"].prices == Prices(output=2.0)
    assert len(found.problems) == 1
