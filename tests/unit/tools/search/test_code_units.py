"""Code units are compared as JavaScript compares them."""

import json
import shutil
import subprocess

import pytest

from caramelo_tui.tools.search.code_units import (
    BLANKS,
    DIGITS,
    LINE_ENDS,
    WORD_UNITS,
    UnitSet,
    canonical,
    canonical_units,
    seen_ranges,
    units_of,
)

NODE = shutil.which("node")


def test_ranges_are_merged_and_sorted() -> None:
    assert UnitSet.of([(5, 7), (1, 2), (3, 3), (6, 9)]).ranges == ((1, 3), (5, 9))


def test_complement_is_all_the_rest_and_its_own_inverse() -> None:
    units = UnitSet.of([(0, 5), (9, 0xFFFF)])

    assert units.complement().ranges == ((6, 8),)
    assert units.complement().complement() == units
    assert UnitSet(()).complement().ranges == ((0, 0xFFFF),)


def test_only_a_set_of_one_has_an_only_unit() -> None:
    assert UnitSet.single(7).only_unit == 7
    assert UnitSet(((7, 8),)).only_unit is None
    assert UnitSet(()).only_unit is None


@pytest.mark.parametrize(
    ("unit", "wanted"),
    [
        ("a", "A"),
        ("A", "A"),
        ("é", "É"),
        ("ς", "Σ"),
        ("ÿ", "\u0178"),
        # Several letters, or ASCII where the unit is not: the unit itself.
        ("ß", "ß"),
        ("\u017f", "\u017f"),
        ("\u0131", "\u0131"),
        ("\u212a", "\u212a"),
        ("1", "1"),
    ],
)
def test_canonical_form(unit: str, wanted: str) -> None:
    assert canonical(ord(unit)) == ord(wanted)


def test_set_gets_the_canonical_forms_of_its_members() -> None:
    units = UnitSet.of([(ord("x"), ord("z")), (ord("é"), ord("é"))]).with_canonical()

    assert [chr(unit) for unit in range(0x250) if unit in units] == list("XYZxyzÉé")


@pytest.mark.parametrize(
    ("units", "is_same"),
    [
        (UnitSet.single(ord("a")), True),
        (WORD_UNITS.complement(), True),
        (BLANKS, True),
        (UnitSet(()), True),
        (UnitSet(((0x4E00, 0x9FFF),)), True),
        (UnitSet.single(ord("é")), False),
        (UnitSet.single(ord("É")), False),
        (UnitSet(((0x80, 0xE0),)), False),
        (UnitSet(((0x80, 0xFFFF),)), True),
        (UnitSet(((0x81, 0xFFFF),)), True),
        (UnitSet(((0xC0, 0xFFFF),)), False),
    ],
)
def test_most_sets_do_not_mind_case_beyond_ascii(units: UnitSet, *, is_same: bool) -> None:
    assert units.is_same_beyond_ascii is is_same


def test_members_are_found_in_every_range() -> None:
    units = UnitSet.of([(2, 3), (7, 7), (0xFFFF, 0xFFFF)])

    assert [unit for unit in range(0x10000) if unit in units] == [2, 3, 7, 0xFFFF]
    assert 5 not in UnitSet(())


def test_set_of_all_beyond_ascii_gets_ascii_forms_only() -> None:
    assert UnitSet(((0x7A, 0xFFFF),)).with_canonical().ranges == ((0x5A, 0x5A), (0x7A, 0xFFFF))


def test_large_characters_are_two_units_with_stand_ins() -> None:
    assert units_of("a😀") == (0x61, 0xD83D, 0xDE00)
    assert list(seen_ranges(UnitSet(((0xD7FF, 0xE000),)))) == [
        (0xD7FF, 0xD7FF),
        (0xE000, 0xE000),
        (0xF0000, 0xF07FF),
    ]
    assert list(seen_ranges(UnitSet.single(0xDE00))) == [(0xF0600, 0xF0600)]


@pytest.mark.skipif(NODE is None, reason="Node.js is not installed")
def test_tables_are_those_of_node() -> None:
    script = """
      const found = {fold: {}, d: [], w: [], s: [], dot: []};
      for (let unit = 0; unit < 0x10000; unit++) {
        const text = String.fromCharCode(unit), upper = text.toUpperCase();
        if (upper.length === 1 && upper !== text && (unit < 128 || upper.charCodeAt(0) >= 128))
          found.fold[unit] = upper.charCodeAt(0);
        if (/\\d/.test(text)) found.d.push(unit);
        if (/\\w/.test(text)) found.w.push(unit);
        if (/\\s/.test(text)) found.s.push(unit);
        if (!/./.test(text)) found.dot.push(unit);
      }
      console.log(JSON.stringify(found))
    """
    assert NODE is not None
    ran = subprocess.run([NODE, "-e", script], capture_output=True, text=True, check=True)
    found = json.loads(ran.stdout)

    # Newer versions of Unicode add pairs; none is ever taken away.
    theirs = {int(unit): form for unit, form in found["fold"].items()}
    ours = dict(canonical_units())
    known = theirs.keys() & ours.keys()
    assert len(known) > 1_000
    assert all(theirs[unit] == ours[unit] for unit in known)
    assert len(theirs.keys() ^ ours.keys()) < 20
    for name, units in (("d", DIGITS), ("w", WORD_UNITS), ("s", BLANKS), ("dot", LINE_ENDS)):
        assert [unit for unit in range(0x10000) if unit in units] == found[name]
