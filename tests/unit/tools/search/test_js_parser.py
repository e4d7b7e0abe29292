"""The grammar of JavaScript's expressions, with what old sources may write."""

import pytest

from caramelo_tui.tools.search.code_units import DIGITS, LINE_ENDS, UnitSet, units_of
from caramelo_tui.tools.search.js_escapes import NotUnderstood
from caramelo_tui.tools.search.js_nodes import (
    BackReference,
    Choice,
    Edge,
    Group,
    Look,
    Node,
    Repeat,
    Sequence,
    Units,
    children,
)
from caramelo_tui.tools.search.js_parser import DEEPEST_NESTING, LONGEST_SOURCE, parse


def tree(source: str) -> Node:
    return parse(source, folds_case=False).root


def text(plain: str) -> Node:
    items = tuple(Units(units=UnitSet.single(unit)) for unit in units_of(plain))
    return items[0] if len(items) == 1 else Sequence(items)


A, B = text("a"), text("b")


@pytest.mark.parametrize(
    ("source", "node"),
    [
        ("", Sequence(())),
        ("ab", text("ab")),
        ("a|b|", Choice((A, B, Sequence(())))),
        (".", Units(units=LINE_ENDS, is_negated=True)),
        ("^$", Sequence((Edge.START, Edge.END))),
        ("\\b\\B", Sequence((Edge.WORD, Edge.NOT_WORD))),
        ("(a)", Group(body=A, number=1)),
        ("(?:a)", Group(body=A)),
        ("(?<x>a)", Group(body=A, number=1)),
        ("(?=a)", Look(body=A, is_behind=False, is_negative=False)),
        ("(?!a)", Look(body=A, is_behind=False, is_negative=True)),
        ("(?<=a)", Look(body=A, is_behind=True, is_negative=False)),
        ("(?<!a)", Look(body=A, is_behind=True, is_negative=True)),
        ("(a)\\1", Sequence((Group(body=A, number=1), BackReference(number=1)))),
        ("(?<x>a)\\k<x>", Sequence((Group(body=A, number=1), BackReference(number=1)))),
        ("\\1(a)", Sequence((BackReference(number=1), Group(body=A, number=1)))),
        ("\\d", Units(units=DIGITS)),
        ("\\D", Units(units=DIGITS.complement())),
        ("[a-c]", Units(units=UnitSet(((97, 99),)))),
        ("[^a-c]", Units(units=UnitSet(((97, 99),)), is_negated=True)),
        ("[]", Units(units=UnitSet(()))),
        ("[^]", Units(units=UnitSet(()), is_negated=True)),
        ("[\\d-x]", Units(units=UnitSet.of([(48, 57), (45, 45), (120, 120)]))),
        ("[a-]", Units(units=UnitSet.of([(97, 97), (45, 45)]))),
        ("[-a]", Units(units=UnitSet.of([(97, 97), (45, 45)]))),
        ("[\\b]", text("\x08")),
        ("[\\c_\\c0]", Units(units=UnitSet.of([(0x1F, 0x1F), (0x10, 0x10)]))),
        ("[(]", text("(")),
    ],
)
def test_source_becomes_a_tree(source: str, node: Node) -> None:
    assert tree(source) == node


@pytest.mark.parametrize(
    ("source", "plain"),
    [
        ("]}", "]}"),
        ("{", "{"),
        ("a{,2}", "a{,2}"),
        ("a{1", "a{1"),
        ("\\cJ", "\n"),
        ("\\c", "\\c"),
        ("\\c1", "\\c1"),
        ("\\x41\\u0042", "AB"),
        ("\\x4", "x4"),
        ("\\0", "\0"),
        ("\\07\\101\\400", "\x07A\x200"),
        ("\\8\\1", "8\x01"),
        ("\\k\\a\\.\\/", "ka./"),
        ("\\t\\n\\v\\f\\r", "\t\n\v\f\r"),
        ("\\ud83d\\ude00", "😀"),
        ("😀", "😀"),
    ],
)
def test_odd_spellings_are_plain_text(source: str, plain: str) -> None:
    assert tree(source) == text(plain)


@pytest.mark.parametrize(
    ("source", "least", "most", "is_lazy"),
    [
        ("a*", 0, None, False),
        ("a+?", 1, None, True),
        ("a?", 0, 1, False),
        ("a??", 0, 1, True),
        ("a{2}", 2, 2, False),
        ("a{2,}", 2, None, False),
        ("a{2,3}?", 2, 3, True),
        # Without flag ``u`` these braces count.
        ("\\u{61}", 61, 61, False),
    ],
)
def test_counts(source: str, least: int, most: int | None, *, is_lazy: bool) -> None:
    body = text(source.removeprefix("\\")[0])
    assert tree(source) == Repeat(body=body, least=least, most=most, is_lazy=is_lazy)


@pytest.mark.parametrize(
    "source",
    [
        "(",
        ")",
        "[a",
        "[b-a]",
        "*",
        "a**",
        "{2}",
        "a{3,2}",
        "a{9999999999}",
        "^*",
        "\\b+",
        "(?<=a)*",
        "(?i:a)",
        "(?<x>a)|(?<x>b)",
        "(?<\\u0061>a)",
        "(?<x>a)\\k<y>",
        "(?<x>a)\\k",
        "(?<x>a)[\\k]",
        "\\",
        "(" * (DEEPEST_NESTING + 1) + ")" * (DEEPEST_NESTING + 1),
        "a" * (LONGEST_SOURCE + 1),
    ],
)
def test_what_is_not_understood_is_said(source: str) -> None:
    with pytest.raises(NotUnderstood):
        parse(source, folds_case=True)


def test_case_is_folded_into_the_sets() -> None:
    assert parse("é", folds_case=True).root == text("É")
    assert parse("[^k]", folds_case=True).root == Units(
        units=UnitSet.of([(75, 75), (107, 107)]), is_negated=True
    )


def test_captures_are_counted_outside_of_classes_and_escapes() -> None:
    assert parse("[(](a)\\((?<n>b)(?:c)(?=(d))", folds_case=False).captures == 3


def test_each_node_knows_its_children() -> None:
    group, choice = Group(body=A), Choice((A, B))

    assert children(choice) == (A, B)
    assert children(Sequence((A, group))) == (A, group)
    assert children(group) == (A,)
    assert children(Edge.START) == ()


def test_deepest_nesting_is_still_read() -> None:
    source = "(" * DEEPEST_NESTING + ")" * DEEPEST_NESTING

    assert parse(source, folds_case=False).captures == DEEPEST_NESTING
