"""A batch, in the structure of the dataset that it comes from."""

from __future__ import annotations

from collections import defaultdict
from typing import TYPE_CHECKING, Any, Callable, Iterator, Mapping

import numpy as np

from . import _types

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Strings:
    """A component of strings as it came: made into objects where somebody looks."""

    __slots__ = ("raw", "shape")

    def __init__(self, raw: NDArray[Any], shape: tuple[int, ...]) -> None:
        self.raw = raw
        self.shape = shape


def fields(template: Any) -> list[str]:
    """The names of its parts, in their order: of a named tuple, or of a class of attrs; else none."""
    attributes = getattr(type(template), "__attrs_attrs__", None)
    return list(getattr(template, "_fields", ())) if attributes is None else [attribute.name for attribute in attributes]


def parts(template: Any) -> list[Any]:
    """The parts of a tuple, named or not, of a class of attrs, or of one that TensorFlow takes apart by what that says."""
    if isinstance(template, tuple):
        return list(template)
    if fields(template):
        return [getattr(template, name) for name in fields(template)]
    return list(template.__tf_flatten__()[1])


def mapped(template: Any, leaf: Callable[[int], Any]) -> Any:
    """The template with each of its numbers replaced; None stays, and each structure is what it is."""
    if is_structure(template):
        return rebuilt(template, lambda part: mapped(part, leaf))
    return None if template is None else leaf(template)


def rebuilt(whole: Any, change: Callable[[Any], Any]) -> Any:
    """Another structure of the same kind, with each part changed."""
    if isinstance(whole, Mapping):
        items = [(key, change(part)) for key, part in whole.items()]
        made: Any = type(whole)  # and as tf.nest makes them
        return made(whole.default_factory, items) if isinstance(whole, defaultdict) else made(items)
    values = [change(part) for part in parts(whole)]
    if fields(whole):
        return type(whole)(*values)
    if isinstance(whole, tuple):
        return tuple(values)
    return type(whole).__tf_unflatten__(whole.__tf_flatten__()[0], tuple(values))


def leaves(template: Any) -> Iterator[int]:
    """The numbers in a template."""
    if is_structure(template):
        for part in template.values() if isinstance(template, Mapping) else parts(template):
            yield from leaves(part)
    elif template is not None:
        yield template


def is_structure(template: Any) -> bool:
    """Whether it has parts, by name or by place."""
    return isinstance(template, Mapping) or has_parts(template)


def has_parts(template: Any) -> bool:
    """Whether it is taken apart by place, and perhaps by name."""
    return isinstance(template, tuple) or any(hasattr(type(template), name) for name in ("__attrs_attrs__", "__tf_flatten__"))


class Batch:
    """
    A batch in the hands of the loop: numpy arrays in the dataset's own structure.

    ``batch["image"]`` or ``batch[0]`` is a part of it, :attr:`data` all of it, and ``image, label = batch`` takes apart
    what is a tuple. The arrays may be kept as long as anybody likes, and written to: their memory goes back when the
    last of them is gone.
    """

    __slots__ = ("epoch", "size", "_tickets", "_values", "_template")

    #: the epoch it belongs to, counted from 0
    epoch: int
    #: how many elements it holds
    size: int

    def __init__(
        self, epoch: int, size: int, tickets: NDArray[Any] | tuple[Any, ...], values: list[Any], template: Any
    ) -> None:
        self.epoch = epoch
        self.size = size
        self._tickets = tickets
        self._values = values
        self._template = template

    @property
    def tickets(self) -> NDArray[Any]:
        """What its elements are called in the job's ledger, an int64 each; empty where the job does not track them."""
        if isinstance(self._tickets, tuple):  # where they lie: few loops look at them
            self._tickets = np.frombuffer(*self._tickets)
        return self._tickets

    def _value(self, index: int) -> NDArray[Any]:
        value = self._values[index]
        if isinstance(value, Strings):
            value = self._values[index] = _types.strings(value.raw, value.shape)
        return value

    @property
    def data(self) -> Any:
        """All of it: arrays in the dataset's own structure."""
        return mapped(self._template, self._value)

    def map(self, function: Callable[[NDArray[Any]], Any]) -> Any:
        """What the function makes of each array, in the dataset's own structure."""
        return mapped(self._template, lambda index: function(self._value(index)))

    def __getitem__(self, key: str | int) -> Any:
        template = self._template
        if isinstance(template, Mapping):
            if key in template:
                part = template[key]
            elif isinstance(key, int):
                part = list(template.values())[key]
            else:
                raise KeyError(f"no component is named {key!r}; there are {', '.join(map(repr, template))}")
        elif has_parts(template):
            names = fields(template)
            if isinstance(key, int):
                part = parts(template)[key]
            elif key in names:
                part = getattr(template, key)
            elif names:
                raise KeyError(f"no component is named {key!r}; there are {', '.join(map(repr, names))}")
            else:
                raise KeyError(f"its components have no names: {key!r} may be 0 to {len(template) - 1}, or names= be given")
        else:
            part = (template,)[key] if isinstance(key, int) else None
            if part is None:
                raise KeyError(f"it has one component, which has no name: batch.data is it, not batch[{key!r}]")
        return mapped(part, self._value)

    def keys(self) -> list[str]:
        """The names of its parts, in their order; of a tuple none."""
        return list(self._template) if isinstance(self._template, Mapping) else []

    def __iter__(self) -> Iterator[Any]:
        template = self._template
        if isinstance(template, Mapping):
            return iter(template)
        if has_parts(template):
            return (mapped(part, self._value) for part in parts(template))
        return iter((self.data,))

    def __len__(self) -> int:
        if isinstance(self._template, Mapping):
            return len(self._template)
        return len(parts(self._template)) if has_parts(self._template) else 1

    def __repr__(self) -> str:
        def told(index: int) -> str:
            value = self._values[index]
            kind = "string" if isinstance(value, Strings) else value.dtype
            return f"{kind}{list(value.shape)}"

        return f"Batch(epoch={self.epoch}, size={self.size}, {mapped(self._template, told)})"
