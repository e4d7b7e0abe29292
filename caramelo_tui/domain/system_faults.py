"""Say what the operating system refused, and what the user can do about it.

Owns the advice that goes with the errors a full, failing or forbidden place ends with. Knows no
path: whoever asks names it. Proven by tests/unit/domain/test_system_faults.py and tests/faults/.
"""

import errno

_ADVICE = {
    errno.ENOSPC: "make room on its disk",
    errno.EDQUOT: "make room, or have the quota raised",
    errno.EROFS: "it lies on a disk that is mounted read-only: mount it writable, or use another",
    errno.EACCES: "look at who owns it and who may write there",
    errno.EPERM: "look at who owns it and who may write there",
    errno.EIO: "its disk fails: save what is on it before anything else",
    errno.EMFILE: "close what holds files open, or start again under a higher `ulimit -n`",
    errno.ENFILE: "the whole system has too many files open: close other programs",
    errno.ESTALE: "its disk is gone: connect it again",
    errno.ENODEV: "its disk is gone: connect it again",
    errno.ENOTCONN: "its disk is gone: connect it again",
}


def reason_of(error: OSError) -> str:
    """Return what went wrong and, where that helps, what to do; no full stop at its end."""
    return f"{error.strerror or error}{advice_for(error)}"


def advice_for(error: BaseException) -> str:
    """Return what to do, in parentheses behind a blank; empty where no advice helps."""
    advice = _ADVICE.get(error.errno or 0) if isinstance(error, OSError) else None
    return f" ({advice})" if advice else ""


def is_of_the_machine(error: OSError) -> bool:
    """Whether the next file meets the same, until somebody mends it: a disk, a mount, a table."""
    return error.errno in _ADVICE and error.errno not in {errno.EACCES, errno.EPERM}


def is_full_table(error: OSError) -> bool:
    """Whether no file could be opened because too many are open: nothing is said of this one."""
    return error.errno in {errno.EMFILE, errno.ENFILE}
