"""Settings say what holds when nobody sets anything."""

from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.profiles import CORE


def test_the_turns_of_a_run_are_those_set_else_the_profiles_own() -> None:
    assert Settings().run_turns == 15
    assert Settings(profile=CORE).run_turns == 50
    assert Settings(profile=CORE, turns=7).run_turns == 7


def test_settings_of_two_starts_share_nothing() -> None:
    assert Settings() == Settings()
    assert Settings().roles is not Settings().roles
