"""Formulas of Word (OMML) and MathML as one line of text: ``a_1 + b^2 / c``."""

import re
from collections.abc import Callable
from typing import Any, Final

_ATOM: Final = re.compile(r"[\w.,]+|\([^()]*\)")
_OPERATORS: Final = frozenset("+-−=<>≤≥≠±·×÷∈∧∨→⇒")
_BLANKS: Final = re.compile(r"\s+")
_LEAVES: Final = frozenset({"t", "mi", "mn", "mo", "mtext", "ms"})
_SILENT: Final = re.compile(r"annotation(?:-xml)?|\w+Pr")


def linear(element: Any) -> str:
    """Return the formula below an lxml element of either namespace; what it does not know is read through."""
    name = _name(element)
    if name in _LEAVES:
        text = _BLANKS.sub(" ", "".join(element.itertext()))
        return _spaced(text) if name in {"mo", "t"} else text.strip()
    if _SILENT.fullmatch(name):
        return ""
    build = _BUILDERS.get(name)
    return build(element) if build else _BLANKS.sub(" ", "".join(_parts(element)))


def _name(element: Any) -> str:
    return element.tag.rpartition("}")[2] if isinstance(element.tag, str) else "annotation"


def _spaced(text: str) -> str:
    stripped = text.strip()
    return f" {stripped} " if stripped in _OPERATORS else text


def _parts(element: Any) -> list[str]:
    return [linear(child) for child in element]


def _part(element: Any, index: int) -> str:
    return linear(element[index]) if index < len(element) else ""


def _named(element: Any, name: str) -> str:
    found = next((child for child in element if _name(child) == name), None)
    return linear(found) if found is not None else ""


def _setting(element: Any, properties: str, name: str, default: str) -> str:
    """Return the value of a property; an empty one is a property that is switched off."""
    for owner in element:
        for child in owner if _name(owner) == properties else ():
            if _name(child) == name:
                return next((str(value) for key, value in child.attrib.items() if key.endswith("}val")), "")
    return default


def _group(text: str) -> str:
    text = text.strip()
    return text if _ATOM.fullmatch(text) or not text else f"({text})"


def _fraction(top: str, bottom: str) -> str:
    return f"{_group(top)} / {_group(bottom)}"


def _scripts(base: str, lower: str, upper: str) -> str:
    return (
        _group(base) + (f"_{_group(lower)}" if lower.strip() else "") + (f"^{_group(upper)}" if upper.strip() else "")
    )


def _root(degree: str, body: str) -> str:
    return f"{_group(degree)}√({body.strip()})"


def _scripted(element: Any) -> str:
    return _scripts(_named(element, "e"), _named(element, "sub"), _named(element, "sup"))


def _large_operator(element: Any) -> str:
    sign = _setting(element, "naryPr", "chr", "∫")
    scripts = _scripts(sign, _named(element, "sub"), _named(element, "sup")).replace(f"({sign})", sign)
    return f"{scripts} {_named(element, 'e').strip()}"


def _delimited(element: Any) -> str:
    inner = "; ".join(linear(child).strip() for child in element if _name(child) == "e")
    return _setting(element, "dPr", "begChr", "(") + inner + _setting(element, "dPr", "endChr", ")")


def _row(element: Any) -> str:
    return ", ".join(part.strip() for part in _parts(element)) + "; "


_BUILDERS: Final[dict[str, Callable[[Any], str]]] = {
    "f": lambda element: _fraction(_named(element, "num"), _named(element, "den")),
    "sSub": _scripted,
    "sSup": _scripted,
    "sSubSup": _scripted,
    "rad": lambda element: _root(_named(element, "deg"), _named(element, "e")),
    "nary": _large_operator,
    "d": _delimited,
    "func": lambda element: f"{_named(element, 'fName').strip()} {_named(element, 'e').strip()}",
    "mr": _row,
    "mtr": _row,
    "mfrac": lambda element: _fraction(_part(element, 0), _part(element, 1)),
    "msub": lambda element: _scripts(_part(element, 0), _part(element, 1), ""),
    "munder": lambda element: _scripts(_part(element, 0), _part(element, 1), ""),
    "msup": lambda element: _scripts(_part(element, 0), "", _part(element, 1)),
    "msubsup": lambda element: _scripts(_part(element, 0), _part(element, 1), _part(element, 2)),
    "munderover": lambda element: _scripts(_part(element, 0), _part(element, 1), _part(element, 2)) + " ",
    "msqrt": lambda element: _root("", "".join(_parts(element))),
    "mroot": lambda element: _root(_part(element, 1), _part(element, 0)),
}
