"""Program text is noticed wherever a program takes it."""

import pytest

from tests.doubles.policy_calls import engine

INLINE = "runs program text given inline"
READ = "runs what it reads as a program"


def notes_of(command: str) -> set[str]:
    return {risk for part in engine().explain(command) for risk in part.risks}


@pytest.mark.parametrize(
    ("command", "note"),
    [
        ("python3 -Bc x", INLINE),
        ("python3 -W -m -c x", INLINE),
        ("python3 -X dev -c x", INLINE),
        ("python2.7 -c x", INLINE),
        ("perl -Mstrict -e x", INLINE),
        ("perl -wnE x", INLINE),
        ("ruby -ne x", INLINE),
        ("node -r ./a -e x", INLINE),
        ("nodejs --print=x", INLINE),
        ("deno eval x", INLINE),
        ("Rscript -e x", INLINE),
        ("osascript -e x", INLINE),
        ("nvim --cmd x", INLINE),
        ("less +x a", INLINE),
        ("ex a", INLINE),
        ("mysql -e '\\! id'", INLINE),
        ("cat a | node", READ),
        ("cat a | node -", READ),
        ("cat a | deno run -", READ),
        ("ruby <<E\nx\nE\n", READ),
        ("python3 -u $X", "runs a program that only the shell knows"),
        ("node <(a)", "runs a program that only the shell knows"),
        ("bash $X", "runs a script that only the shell knows"),
        (". $X", "runs a script that only the shell knows"),
        ("source <(a)", "runs a script that only the shell knows"),
        ("a | bash /dev/stdin", "runs what it reads as a shell script"),
        ("a | bash -s", "runs what it reads as a shell script"),
        ("awk '{ print > \"x\" }'", "runs or writes by its program text"),
        ("gawk '{ print > \"x\" }'", "runs or writes by its program text"),
        ("awk -v a=b '{ print | \"x\" }'", "runs or writes by its program text"),
        ("awk $X a", "runs program text that only the shell knows"),
        ("sed -e p -e '1e id' a", "runs or writes by its program text"),
        ("sed --expr='1e id' a", "runs or writes by its program text"),
        ("sed -l 5 '1e id' a", "runs or writes by its program text"),
        ('sed "s/$X/b/" a', "runs program text that only the shell knows"),
        ('sed -e "$X" a', "runs program text that only the shell knows"),
    ],
)
def test_program_text_is_noted(command: str, note: str) -> None:
    assert note in notes_of(command)


@pytest.mark.parametrize(
    "command",
    [
        "python3 a.py -c x",
        "python3 -m json.tool a",
        "cat a | python3 -m json.tool",
        "cat a | python3 a.py",
        "python3 -V",
        "perl -Ilib a.pl",
        "perl -I lib a.pl",
        "node a.js --eval x",
        "deno run a.ts",
        "bash a.sh",
        "cat a | bash a.sh",
        "bash -c ls",
        "bash",
        "source a.sh",
        ". ./a.sh",
        "vim a",
        "awk '{ print $1 }' 'a|b'",
        "sed p '1e id'",
        "sed -ne p a",
        "mysql -e 'select 1'",
        'awk -v n="$N" -F "$S" "{ print }" a',
        "awk",
        "sed",
    ],
)
def test_program_files_and_plain_filters_have_no_such_note(command: str) -> None:
    assert notes_of(command) == set()
