"""Show the configuration: every key, its value, and where it came from.

Owns the text of ``caramelo config show`` and ``caramelo config path``. Secrets are not in the
settings; of a command that prints one only the program is shown. Hidden and look-alike
characters are made visible. Proven by tests/unit/config/test_report.py.
"""

from collections.abc import Iterator
from typing import cast

from caramelo_tui.config.keys import ANY_NAME, KEYS, Key
from caramelo_tui.config.loader import LoadedSettings
from caramelo_tui.config.merging import Sourced
from caramelo_tui.domain.roles import BUILT_IN_ROLES
from caramelo_tui.domain.screen_text import visible

_Row = tuple[str, str, str]
"""Key, value, origin."""
_WIDEST_VALUE = 44
"""Cells of the value's column; a longer value moves its origin to the right."""


def config_report(loaded: LoadedSettings) -> str:
    """Return every setting with its value and origin, a line each, ending in a newline.

    Lists have a line for each element. Below stands what a workspace's file asked for in vain.
    """
    rows = [row for key in KEYS for row in _rows_of(key, loaded)]
    name_width = max(len(name) for name, _, _ in rows)
    value_width = min(max(len(value) for _, value, _ in rows), _WIDEST_VALUE)
    lines = [
        f"{name:<{name_width}}  {value:<{value_width}}  {origin}".rstrip()
        for name, value, origin in rows
    ]
    if loaded.not_taken:
        lines += ["", "Not taken from the workspace:"]
        lines += [
            _safe(": ".join(part for part in (problem.origin, problem.name, problem.why) if part))
            for problem in loaded.not_taken
        ]
    return "\n".join(lines) + "\n"


def config_path_report(loaded: LoadedSettings) -> str:
    """Return the files that may hold settings, in order, and what became of each."""
    return "".join(f"{_safe(str(file.path))}  {file.state}\n" for file in loaded.files)


def _rows_of(key: Key, loaded: LoadedSettings) -> Iterator[_Row]:
    found = loaded.provenance.get(key.name)
    if ANY_NAME in key.path:
        yield from _named_rows(key, loaded)
    elif found is not None:
        yield from _sourced_rows(key.name, found)
    elif key.field == "base_url" and loaded.vendor_endpoints:
        for variable, address in loaded.vendor_endpoints.items():
            yield key.name, _safe(address), variable
    else:
        yield _default_row(key, loaded.settings.profile)


def _default_row(key: Key, profile: str) -> _Row:
    value = key.default_in(profile)
    is_of_profile = key.core_default is not None
    origin = f"default of profile {profile}" if is_of_profile else "default"
    return key.name, key.when_unset if value in {None, ()} else key.show(value), origin


def _named_rows(key: Key, loaded: LoadedSettings) -> Iterator[_Row]:
    table, _, field = key.path
    roles = dict.fromkeys((*BUILT_IN_ROLES, *loaded.settings.roles))
    names = roles if table == "roles" else loaded.settings.endpoints
    for name in names:
        own = f"{table}.{name}.{field}"
        found = loaded.provenance.get(own)
        if found is None:
            yield own, key.when_unset, "default"
        else:
            yield from _sourced_rows(own, found)


def _sourced_rows(name: str, found: Sourced) -> Iterator[_Row]:
    elements = cast("tuple[str, ...]", found.value) if found.key.is_list else ()
    if elements:
        for index, (element, origin) in enumerate(
            zip(elements, found.element_origins, strict=True)
        ):
            yield name if index == 0 else "", _safe(element), _safe(origin)
    else:
        words = found.key.when_unset if found.value == () else found.key.show(found.value)
        yield name, _safe(words), _safe(found.origin)


def _safe(text: str) -> str:
    return visible(text, keeps_newlines=False, marks_look_alikes=True)
