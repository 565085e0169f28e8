"""Signed JSON as the Matrix specification has it."""

import base64

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from bot.matrix.signatures import canonical, decode, encode, is_signed, public_key, sign

_SEED = "YJDBA9Xnr2sVqXD9Vj7XVUnmFZcZrlw8Md7kMW+3XA1"
_JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=10,
)


def _key() -> Ed25519PrivateKey:
    # The last character of the published seed has bits that no byte takes up; keys so written are refused elsewhere.
    return Ed25519PrivateKey.from_private_bytes(base64.b64decode(_SEED + "="))


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ({}, "{}"),
        ({"one": 1, "two": "Two"}, '{"one":1,"two":"Two"}'),
        ({"b": "2", "a": "1"}, '{"a":"1","b":"2"}'),
        ({"a": "日本語"}, '{"a":"日本語"}'),
        ({"本": 2, "日": 1}, '{"日":1,"本":2}'),
        ({"a": "\u65e5"}, '{"a":"日"}'),
        ({"a": None}, '{"a":null}'),
        ({"a": True, "b": [-0, 2**53 - 1]}, '{"a":true,"b":[0,9007199254740991]}'),
    ],
)
def test_the_examples_of_the_specification(value: object, expected: str) -> None:
    """Canonical JSON is, byte for byte, what the appendix of the specification lists."""
    assert canonical(value) == expected.encode()


@pytest.mark.parametrize("value", [1.5, float("nan"), 2**53, {"a": [-(2**53)]}, {1: 2}, "\ud800", {"a": b""}])
def test_what_matrix_does_not_have_is_refused(value: object) -> None:
    """Fractions, large numbers, lone surrogates and what is no JSON have no canonical form."""
    with pytest.raises(ValueError, match=r"."):
        canonical(value)


def test_a_deep_value_is_refused() -> None:
    """A value nested beyond measure is an error of the same type."""
    value: object = 0
    for _ in range(100_000):
        value = [value]
    with pytest.raises(ValueError, match="JSON"):
        canonical(value)


@pytest.mark.parametrize(
    ("value", "signature"),
    [
        ({}, "K8280/U9SSy9IVtjBuVeLr+HpOB4BQFWbg+UZaADMtTdGYI7Geitb76LTrr5QV/7Xg4ahLwYGYZzuHGZKM5ZAQ"),
        (
            {"one": 1, "two": "Two"},
            "KqmLSbO39/Bzb0QIYE82zqLwsA+PDzYIpIRA2sRQ4sL53+sN6/fpNSoqE7BP7vBZhG6kYdD13EIMJpvhJI+6Bw",
        ),
    ],
)
def test_signatures_of_the_specification(value: dict[str, object], signature: str) -> None:
    """The test vectors of the specification, made with its seed, come out and are accepted."""
    key = _key()
    signed = {**value, "signatures": {"domain": {"ed25519:1": sign(key, value)}}, "unsigned": {"age": 3}}
    assert signed["signatures"] == {"domain": {"ed25519:1": signature}}
    assert is_signed(signed, "domain", "1", public_key(key))
    assert not is_signed({**signed, "three": 3}, "domain", "1", public_key(key))
    assert not is_signed(signed, "other", "1", public_key(key))
    assert not is_signed(signed, "domain", "2", public_key(key))


@given(_JSON, _JSON, st.text(), st.text(), _JSON)
def test_no_value_is_signed_by_accident_or_breaks_the_check(
    value: object, signatures: object, user: str, name: str, public: object
) -> None:
    """Whatever the server sends, the answer is no, and never an error."""
    for claimed in ({"signatures": signatures, "a": value}, {"signatures": {user: {f"ed25519:{name}": value}}}):
        assert not is_signed(claimed, user, name, public)  # type: ignore[arg-type]


@given(st.binary(max_size=70))
def test_base64_comes_back(raw: bytes) -> None:
    """Unpadded base64 is read as it was written, of the right length alone, and in no other spelling."""
    text = encode(raw)
    assert decode(text, len(raw)) == raw
    assert decode(text, len(raw) + 1) is None
    assert decode(text + "=", len(raw)) is None
    assert decode(text + "\n", len(raw)) is None
