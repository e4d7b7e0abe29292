"""How the first start and its logins look, wide, at 80 by 24 and at 40 by 12."""

import pytest

from caramelo_tui.ui.screens.key_entry import KeyScreen
from tests.doubles.logins import KEYRING, FakeLogin
from tests.pilot.conftest import opened
from tests.pilot.test_login import SERVER, Start, first_screen
from tests.snapshot.snapshots import assert_snapshot

SIZES = pytest.mark.parametrize("size", [(160, 45), (80, 24), (40, 12)])


@SIZES
async def test_the_first_start(size: tuple[int, int]) -> None:
    plan = Start(FakeLogin(servers=(SERVER,))).plan
    async with opened(size=size, plan=plan, waits_for_agent=False) as running:
        await first_screen(running)
        await running.settle()
        assert_snapshot(running.app, f"first-start-{size[0]}x{size[1]}")


@SIZES
async def test_the_code_of_a_login(size: tuple[int, int]) -> None:
    plan = Start(FakeLogin(keyring=KEYRING)).plan
    async with opened(size=size, plan=plan, waits_for_agent=False) as running:
        await first_screen(running)
        await running.press("c")
        await running.until(lambda: "keyring" in running.shown())
        await running.settle()
        assert_snapshot(running.app, f"copilot-login-{size[0]}x{size[1]}")


@SIZES
async def test_a_key_that_is_typed(size: tuple[int, int]) -> None:
    plan = Start(FakeLogin(keyring=KEYRING)).plan
    async with opened(size=size, plan=plan, waits_for_agent=False) as running:
        await first_screen(running)
        await running.press("k")
        await running.settle()
        await running.press("enter")
        await running.until_screen(KeyScreen)
        await running.press(*"sk-1234")
        await running.until(lambda: "keyring" in running.shown())
        await running.settle()
        assert_snapshot(running.app, f"key-{size[0]}x{size[1]}")
