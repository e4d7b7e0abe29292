"""Show a session as plain lines, one after the other, for screen readers and simple terminals.

``session`` brings events and typed lines together, ``narration`` words the events, the questions
have a module each. Nothing is ever drawn over, coloured or moved.
"""
