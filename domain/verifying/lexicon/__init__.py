"""Tables of words: which say the same, which the opposite, and which exclude one another. May import the domain."""
