"""Our own writes are told from those of others."""

from caramelo_tui.workspace.own_writes import OwnWrites
from tests.doubles.workspace_worlds import stamp


def test_an_expected_write_is_own_whatever_its_change_time() -> None:
    own = OwnWrites()
    own.expect("a", stamp(ctime_ns=1))
    assert own.is_own("a", stamp(ctime_ns=9))
    assert not own.is_own("a", stamp(inode=2))
    assert not own.is_own("b", stamp())
    assert not own.is_own("a", None)


def test_a_withdrawn_write_is_not_own() -> None:
    own = OwnWrites()
    own.expect("a", stamp())
    own.withdraw("a")
    own.withdraw("never expected")
    assert not own.is_own("a", stamp())


def test_a_settled_write_is_own_only_with_its_very_stamp() -> None:
    own = OwnWrites()
    own.expect("a", stamp(ctime_ns=1))
    own.settle("a", stamp(ctime_ns=2))
    assert own.is_own("a", stamp(ctime_ns=2))
    assert not own.is_own("a", stamp(ctime_ns=3))


def test_our_deletion_is_own_until_somebody_makes_the_file_again() -> None:
    own = OwnWrites()
    own.settle("a", None)
    assert own.is_own("a", None)
    assert not own.is_own("b", None)
    own.forget_deletion("a")
    own.forget_deletion("b")
    assert not own.is_own("a", None)


def test_forgetting_a_deletion_keeps_a_write() -> None:
    own = OwnWrites()
    own.settle("a", stamp())
    own.forget_deletion("a")
    assert own.is_own("a", stamp())
