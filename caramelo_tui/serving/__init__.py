"""Show the app in a browser.

``gate`` decides who gets anything at all, ``terminal_process`` runs the app in a terminal of its
own, ``server`` answers the browser. Needs the extra ``serve``.
"""
