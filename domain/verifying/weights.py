"""Weights of the model of ``grading``; written by ``bench/train_judge.py``, not by hand."""

from typing import Final

OFFSETS: Final = {"de": 1.069, "en": 1.969}
WEIGHTS: Final = {
    "missing noun": -1.398,
    "missing word": -0.106,
    "missing actor": -1.168,
    "missing beside": -1.301,
    "missing share": -2.553,
    "missing in a copy": -0.768,
    "elsewhere": -1.515,
    "in other words": 1.847,
    "two sentences": -0.295,
    "modality": -0.454,
    "negation": -0.905,
    "hedge": -3.193,
    "concession": -3.338,
    "role": -0.829,
    "rival": -0.502,
    "rate": -0.185,
}
