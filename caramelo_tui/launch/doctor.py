"""Check whether everything is in place: ``caramelo doctor``.

Owns the checks of what the user configured; one that fails never hides the others. No key is
shown; no program is started for one and nothing is sent, unless the user wants it. Proven by
tests/unit/test_doctor.py and tests/e2e/test_command_line.py.
"""

import sys
from collections.abc import Iterator
from pathlib import Path

from caramelo_tui.agent.approvers import HeadlessApprover
from caramelo_tui.command_line import DoctorOptions
from caramelo_tui.composition import CoreOptions
from caramelo_tui.composition.skills import session_skills, skill_notices
from caramelo_tui.config.loader import FileState, LoadedSettings, WorkspaceSource, load_settings
from caramelo_tui.config.settings import Settings
from caramelo_tui.domain.agent_events import NoticeLevel
from caramelo_tui.domain.errors import ConfigError
from caramelo_tui.domain.profiles import CORE
from caramelo_tui.domain.trust import TrustChoice
from caramelo_tui.headless.doctor_report import (
    Check,
    exit_code,
    good,
    json_report,
    problem,
    text_report,
    warning,
)
from caramelo_tui.headless.system_checks import (
    program_checks,
    state_check,
    terminal_checks,
    this_screen,
    version_checks,
    watcher_checks,
    web_check,
)
from caramelo_tui.launch.doctor_bundle import Found, run_bundle
from caramelo_tui.launch.doctor_local import local_model_checks
from caramelo_tui.launch.doctor_provider import provider_checks
from caramelo_tui.launch.doctor_sandbox import sandbox_check
from caramelo_tui.launch.start import Start, begin, keep_apart, workspace_root

_MEND = "mend what is named"


def run_doctor(options: DoctorOptions) -> int:
    """Print what was found, or bundle it for a bug report; return 1 where something is a problem.

    Raises:
        ConfigError: If there is no folder to work in, no place for the program's own files, or
            nobody to agree to the bundle.
        CarameloError: If the bundle cannot be written.
    """
    start, root = begin(options.common), workspace_root(Path())
    checks = tuple(_checks(options, start, root))
    if options.is_bundled:
        found = Found(root=root, loaded=_loaded(options, start, root), report=text_report(checks))
        run_bundle(options.bundle, start, found, is_agreed=options.is_agreed)
        return 0
    sys.stdout.write(json_report(checks) if options.is_json else text_report(checks))
    return exit_code(checks)


def _loaded(options: DoctorOptions, start: Start, root: Path) -> LoadedSettings | None:
    """Return what holds in the folder, where it can be used; the checks say what is wrong."""
    try:
        is_trusted = start.trust.is_trusted_at_start(root, by_flag=options.common.is_trusted)
        return load_settings(
            start.sources,
            WorkspaceSource(
                root=root,
                is_trusted=is_trusted,
                is_wanted=options.common.reads_workspace_config,
            ),
        )
    except ConfigError:
        return None


def _checks(options: DoctorOptions, start: Start, root: Path) -> Iterator[Check]:
    yield from version_checks()
    yield from terminal_checks(start.environment, this_screen())
    trust, is_trusted = _trust(start, root, by_flag=options.common.is_trusted)
    yield trust
    workspace = WorkspaceSource(
        root=root, is_trusted=is_trusted, is_wanted=options.common.reads_workspace_config
    )
    settings = Settings()
    try:
        loaded = load_settings(start.sources, workspace)
    except ConfigError as error:
        yield problem("configuration", str(error), _MEND)
    else:
        settings = loaded.settings
        yield from _configuration(loaded)
        yield from provider_checks(settings, start, is_online=options.is_online)
    if options.is_online:
        yield from local_model_checks()
    yield from _skills(settings, start, root, is_trusted=is_trusted)
    yield from program_checks(start.environment, root, needs_ripgrep=settings.profile == CORE)
    yield sandbox_check(settings, root, start.environment)
    yield web_check()
    yield from watcher_checks(root)
    yield _state(start, root)


def _trust(start: Start, root: Path, *, by_flag: bool) -> tuple[Check, bool]:
    try:
        answer = start.trust.answer_for(root)
        is_trusted = start.trust.is_trusted_at_start(root, by_flag=by_flag)
    except ConfigError as error:
        return problem("trust", str(error), _MEND), False
    if is_trusted:
        return good("trust", f"{root} is trusted"), True
    if not start.trust.can_be_trusted(root):
        text = f"{root} is the home folder or holds it: it can only be worked in restricted"
        return warning("trust", text, "open the folder of one project"), False
    if answer is TrustChoice.RESTRICTED:
        return good("trust", f"{root} is worked in restricted, as you chose"), False
    return good("trust", f"{root} is not trusted yet: the app asks"), False


def _configuration(loaded: LoadedSettings) -> Iterator[Check]:
    for file in loaded.files:
        if file.state is not FileState.UNUSABLE:
            yield good("configuration", f"{file.path}: {file.state}")
    for not_taken in loaded.not_taken:
        yield warning("configuration", not_taken.note, "see docs/configuration.md")


def _skills(settings: Settings, start: Start, root: Path, *, is_trusted: bool) -> Iterator[Check]:
    """Load the skills as a session would; nothing of them runs."""
    loaded = session_skills(
        CoreOptions(
            root=root,
            settings=settings,
            locations=start.locations,
            environment=start.environment,
            approver=HeadlessApprover(),
            is_trusted=is_trusted,
        )
    )
    names = ", ".join(skill.name for skill in loaded.skills)
    yield good("skills", names or "none")
    for level, text in skill_notices(loaded):
        is_problem = level is NoticeLevel.WARNING
        yield warning("skills", text, _MEND) if is_problem else good("skills", text)


def _state(start: Start, root: Path) -> Check:
    try:
        keep_apart(root, start)
    except ConfigError as error:
        return problem("state", str(error), _MEND)
    return state_check(start.locations.state)
