"""What the journal says about itself.

``events.py`` what is recorded about it · ``as_of.py`` which position an instant means.
"""
