"""Random histories of the whole system beside a model that is as naive as possible.

``system.py`` the real parts under a clock of our own · ``model.py`` what they should say · ``history.py`` what happens.
A seed gives one history, always the same.
"""
