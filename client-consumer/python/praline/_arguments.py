"""What may stand for a number, a word or a list of words in a call, and the line that refuses anything else."""

from __future__ import annotations

import math
import operator
import os
from typing import Any

from ._errors import Refused

_NEXT = "help(praline.feed) tells what each argument may be"
#: what Java holds in an int and in a long
INT_BITS, LONG_BITS = 31, 63


def _index(name: str, value: Any) -> int:
    """A whole number of Python or numpy, but no truth value: that is a slip of the pen."""
    if isinstance(value, bool):
        raise Refused(f"{name} must be a whole number, is {value!r}", _NEXT)
    try:
        return operator.index(value)
    except TypeError:
        raise Refused(f"{name} must be a whole number, is {value!r}", _NEXT) from None


def whole(name: str, value: Any, bits: int = INT_BITS, least: int | None = None) -> int:
    """A whole number that Java holds, and no less than the least."""
    number = _index(name, value)
    if not -(1 << bits) <= number < 1 << bits:
        raise Refused(f"{name} must be from {f'-2**{bits}' if least is None else least} to 2**{bits} - 1, is {value!r}", _NEXT)
    if least is not None and number < least:
        raise Refused(f"{name} must be at least {least}, is {value!r}", _NEXT)
    return number


def between(name: str, value: Any, least: int, most: int) -> int:
    """A whole number of these."""
    number = _index(name, value)
    if not least <= number <= most:
        raise Refused(f"{name} must be {least} to {most}, is {value!r}", _NEXT)
    return number


def count(name: str, value: Any) -> int:
    """A whole number of things, which may be none."""
    return whole(name, value, least=0)


def number(name: str, value: Any) -> float:
    """A number that is one."""
    try:
        if isinstance(value, (bool, str, bytes)):
            raise TypeError
        given = float(value)
    except (TypeError, ValueError, OverflowError):
        raise Refused(f"{name} must be a number, is {value!r}", _NEXT) from None
    if not math.isfinite(given):
        raise Refused(f"{name} must be finite, is {value!r}", _NEXT)
    return given


def price(name: str, value: Any) -> float:
    """A number that may be nothing."""
    given = number(name, value)
    if given < 0:
        raise Refused(f"{name} must be at least 0, is {value!r}", _NEXT)
    return given


def amount(name: str, value: Any) -> float:
    """A number that is something."""
    given = number(name, value)
    if given <= 0:
        raise Refused(f"{name} must be above 0, is {value!r}", _NEXT)
    return given


def text(name: str, value: Any) -> str:
    """A word: an empty one is mostly a variable that was not set."""
    if not isinstance(value, str) or not value:
        raise Refused(f"{name} must be a string that is not empty, is {value!r}", _NEXT)
    if "\0" in value:
        raise Refused(f"{name} must not have a character 0 in it, is {value!r}", _NEXT)
    return value


def path(name: str, value: Any) -> str:
    """A path as it was given."""
    if not isinstance(value, (str, os.PathLike)):
        raise Refused(f"{name} must be a path, is {value!r}", _NEXT)
    return text(name, os.fspath(value))


def _several(name: str, value: Any, what: str, instead: str) -> list[Any]:
    """
    What is in a list or anything else that can be walked over.

    An empty one is refused, too: that is what a search of one's own gives which found nothing, and not the wish for others.
    """
    try:
        if isinstance(value, bytes):
            raise TypeError
        several = list(value)
    except TypeError:
        raise Refused(f"{name} must be {what}, is {value!r}", _NEXT) from None
    if not several:
        raise Refused(f"{name} is an empty list", f"{instead}, or leave {name}= out for those that the pipeline names")
    return several


def texts(name: str, value: Any) -> list[str]:
    """A list of words: a word alone would be taken apart into its letters."""
    if isinstance(value, str):
        raise Refused(f"{name} must be a list of strings, is {value!r}", f"write {name}=[{value!r}]")
    return [text(f"each of {name}", one) for one in _several(name, value, "a list of strings", "give each component one")]


def globs(name: str, value: Any) -> list[str]:
    """A glob, or a list of them."""
    if isinstance(value, (str, os.PathLike)):
        return [path(name, value)]
    several = _several(name, value, "a glob or a list of globs", "name files")
    return [path(f"each of {name}", one) for one in several]
