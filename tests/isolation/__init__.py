"""Two worlds that differ only in what somebody must not see, and every command that may be run in them."""
