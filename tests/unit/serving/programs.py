"""A small program that behaves like the app in its terminal."""

import sys

ECHO = """
import os, signal, sys, tty
os.login_tty(0)
tty.setraw(0)
def size(*_):
    columns, rows = os.get_terminal_size()
    os.write(1, f"<{columns}x{rows}>".encode())
signal.signal(signal.SIGWINCH, size)
size()
os.write(1, os.environ.get("TERM", "").encode())
while data := os.read(0, 65536):
    if data == b"q":
        sys.exit(7)
    os.write(1, data)
"""
ECHO_COMMAND = (sys.executable, "-c", ECHO)
STUBBORN = """
import os, signal
os.login_tty(0)
for number in (signal.SIGHUP, signal.SIGTERM):
    signal.signal(number, signal.SIG_IGN)
os.write(1, b"here")
while True:
    signal.pause()
"""
STUBBORN_COMMAND = (sys.executable, "-c", STUBBORN)
