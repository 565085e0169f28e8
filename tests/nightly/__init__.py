"""The law corpus through the real program with a real language model that hallucinates (``make nightly``)."""
