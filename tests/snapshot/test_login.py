"""How the questions before there is an agent look: trust, the first start, its logins."""

from caramelo_tui.ui.screens.first_start import FirstStartScreen
from caramelo_tui.ui.screens.key_entry import EntryScreen, KeyScreen
from caramelo_tui.ui.screens.login import CopilotLoginScreen
from caramelo_tui.ui.screens.pick import PickScreen
from caramelo_tui.ui.screens.trust import TrustScreen
from caramelo_tui.ui.start_plan import StartPlan
from tests.doubles.logins import KEYRING, FakeLogin
from tests.pilot.driving import OpenedApp
from tests.pilot.test_login import KEY, SERVER, Start, first_screen
from tests.pilot.test_start import Answers
from tests.snapshot.scenes import Scene, look_at, scenes_of


def with_trust_question() -> StartPlan:
    return Answers().plan(asks_trust=True)


def in_a_folder_of_projects() -> StartPlan:
    return Answers().plan(asks_trust=True, offers_trust=False)


def with_a_server() -> StartPlan:
    return Start(FakeLogin(servers=(SERVER,))).plan


def with_a_keyring() -> StartPlan:
    return Start(FakeLogin(keyring=KEYRING)).plan


def without_known_models() -> StartPlan:
    return Start(FakeLogin(known=frozenset())).plan


async def trust(running: OpenedApp) -> None:
    await running.until_screen(TrustScreen)


async def copilot(running: OpenedApp) -> None:
    await first_screen(running)
    await running.press("c")
    await running.until_screen(CopilotLoginScreen)
    await running.until(lambda: "keyring" in running.shown())


async def provider(running: OpenedApp) -> None:
    await first_screen(running)
    await running.press("k")
    await running.until_screen(PickScreen)


async def key(running: OpenedApp) -> None:
    await provider(running)
    await running.settle()
    await running.press("enter")
    await running.until_screen(KeyScreen)
    await running.press(*"sk-1234")
    await running.until(lambda: "keyring" in running.shown())


async def model(running: OpenedApp) -> None:
    await provider(running)
    await running.settle()
    await running.press("enter")
    await running.until_screen(KeyScreen)
    await running.press(*KEY, "enter")
    await running.until(lambda: type(running.top) is EntryScreen)


SCENES = (
    Scene(name="trust", play=trust, screen=TrustScreen, plan=with_trust_question),
    Scene(name="no-trust", play=trust, screen=TrustScreen, plan=in_a_folder_of_projects),
    Scene(name="first-start", play=first_screen, screen=FirstStartScreen, plan=with_a_server),
    Scene(name="copilot-login", play=copilot, screen=CopilotLoginScreen, plan=with_a_keyring),
    Scene(name="key", play=key, screen=KeyScreen, plan=with_a_keyring),
    Scene(name="first-model", play=model, screen=EntryScreen, plan=without_known_models),
    Scene(name="provider", play=provider, screen=PickScreen, plan=with_a_keyring),
)


@scenes_of(SCENES)
async def test_scene(scene: Scene) -> None:
    await look_at(scene)
