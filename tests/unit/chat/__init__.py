"""The conversation in rooms, without any platform."""
