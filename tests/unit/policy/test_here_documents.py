"""Here-documents are lifted out, and nothing beside them is lost."""

import pytest

from caramelo_tui.policy.here_documents import (
    HereDocument,
    document_number,
    lift_here_documents,
)


def literal(body: str) -> HereDocument:
    return HereDocument(body=body, is_literal=True)


def expanded(body: str) -> HereDocument:
    return HereDocument(body=body, is_literal=False)


@pytest.mark.parametrize(
    ("text", "rest", "documents"),
    [
        ("cat <<E\nfoo\nE\nls", "cat  <CARAMELO_HERE_0 \nls", (expanded("foo\n"),)),
        ("cat <<'E'\nfoo\nE", "cat  <CARAMELO_HERE_0 \n", (literal("foo\n"),)),
        ('cat <<"E F"\nfoo\nE F', "cat  <CARAMELO_HERE_0 \n", (literal("foo\n"),)),
        ("cat <<\\E\nfoo\nE", "cat  <CARAMELO_HERE_0 \n", (literal("foo\n"),)),
        ("cat <<-E\n\tfoo\n\tE\nls", "cat  <CARAMELO_HERE_0 \nls", (expanded("foo\n"),)),
        ("cat << E; ls\nfoo\nE", "cat  <CARAMELO_HERE_0 ; ls\n", (expanded("foo\n"),)),
        (
            "cat <<A <<B\n1\nA\n2\nB\nls",
            "cat  <CARAMELO_HERE_0   <CARAMELO_HERE_1 \nls",
            (expanded("1\n"), expanded("2\n")),
        ),
        ("cat <<E\nnever ends", "cat  <CARAMELO_HERE_0 \n", (expanded("never ends"),)),
        ("cat <<E", "cat  <CARAMELO_HERE_0 ", (expanded(""),)),
        (
            'x="$(cat <<E\nfoo\nE\n)"; ls',
            'x="$(cat  <CARAMELO_HERE_0 \n)"; ls',
            (expanded("foo\n"),),
        ),
        ("cat <<E\n  E\nE", "cat  <CARAMELO_HERE_0 \n", (expanded("  E\n"),)),
    ],
)
def test_bodies_are_lifted(text: str, rest: str, documents: tuple[HereDocument, ...]) -> None:
    lifted = lift_here_documents(text)

    assert lifted.text == rest
    assert lifted.documents == documents


@pytest.mark.parametrize(
    "text",
    [
        "cat <<< word",
        "echo $((1<<2))",
        "((x<<2))",
        "echo '<<E'",
        'echo "<<E"',
        "echo ${x#<<E}",
        r"echo \<<E".replace("<<", "<\\<"),
        "echo a#b",
        "a << ;",
        "echo \"`echo ')'`\" )",
        "echo $'it\\'s' (a)",
        "case x in a) b;; esac }",
        "echo `a `b` c",
        'echo `a "$(b` c',
        'echo "a\nb" c',
    ],
)
def test_what_is_no_here_document_stays(text: str) -> None:
    lifted = lift_here_documents(text)

    assert lifted.text == text
    assert lifted.documents == ()


def test_comments_and_line_continuations_go() -> None:
    assert lift_here_documents("ls # <<E\nrm x").text == "ls \nrm x"
    assert lift_here_documents("ls # no end").text == "ls "
    assert lift_here_documents("r\\\nm x").text == "rm x"
    assert lift_here_documents("echo 'a\\\nb'").text == "echo 'a\\\nb'"


def test_the_text_is_also_cut_at_its_operators() -> None:
    segments = lift_here_documents("a; b | c && (d) 'x;y' \"p|q\" & e\nf || g |& h").segments

    assert [segment.text for segment in segments if segment.is_piped] == ["c"]
    assert [segment.text for segment in segments] == [
        "a", "b", "c", "d", "'x;y' \"p|q\"", "e", "f", "g", "h",
    ]  # fmt: skip


def test_a_redirect_of_ours_is_known_by_its_number() -> None:
    assert document_number("CARAMELO_HERE_12") == 12
    assert document_number("CARAMELO_HERE_") is None
    assert document_number("file") is None
