"""A feed's memory, which Java lays batches into or workers of this host do, and the arrays over it."""

from __future__ import annotations

import mmap
import os
import warnings
import weakref
from collections import deque
from typing import TYPE_CHECKING, Any, Optional, Tuple

import numpy as np

from . import _types
from ._batch import Batch, Strings
from ._errors import Unreachable
from ._wire import COMPONENT, DIMENSIONS, IN_SEGMENT, OFFER, SEGMENT_HEAD, SEGMENT_ID

if TYPE_CHECKING:
    from numpy.typing import NDArray

#: components below this are copied out: who keeps all labels must not keep all images with them
_SMALL_BYTES = 64 << 10
_MIB = 1 << 20
_NO_TICKETS = np.empty(0, np.int64)


#: its type, None of strings; its shape, and where in the batch it lies
_Component = Tuple[Optional["np.dtype[Any]"], Tuple[int, ...], int, int]


class _Root(weakref.ref["NDArray[Any]"]):
    """Of the one array over a batch's memory: that is given back when nobody has that array, or a view of it, any more."""

    __slots__ = ("number",)
    number: int


class Memory:
    """Makes arrays of what is offered, and knows which batches' memory nobody looks at any more."""

    def __init__(self, mapped: mmap.mmap) -> None:
        self._mapped = mapped
        self._segments: dict[int, mmap.mmap] = {}
        self._gone: deque[_Root] = deque()
        self._roots: dict[int, _Root] = {}
        self._unwatched: set[int] = set()
        self._warned = False
        self._last: tuple[bytes, list[_Component]] = b"", []

    @property
    def held(self) -> int:
        """Of how many batches there are arrays that lie in this memory."""
        return len(self._roots) - len(self._gone)

    def freed(self) -> list[int]:
        """The numbers of batches of which there are none any more, each told once."""
        if not self._unwatched and not self._gone:
            return []
        numbers = self._unwatched
        self._unwatched = set()
        while self._gone:
            root = self._gone.popleft()
            # else it is that of a batch that Ctrl-C broke into, and that was made once more
            if self._roots.get(root.number) is root:
                del self._roots[root.number]
                numbers.add(root.number)
        return sorted(numbers)

    def segment(self, told: bytearray) -> None:
        """
        Maps what is shared with a worker, or lets it go: then it stays as long as there are arrays over it.
        """
        number, size = SEGMENT_HEAD.unpack_from(told)
        if not size:
            self._segments.pop(number, None)
            return
        path = told[SEGMENT_HEAD.size :].decode()
        try:
            descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC)
            try:
                self._segments[number] = mmap.mmap(descriptor, size)
            finally:
                os.close(descriptor)
        except OSError as refused:
            raise Unreachable(
                f"what a worker of this host shares cannot be mapped: {refused}",
                "raise the limit of memory (ulimit -v) or of maps (vm.max_map_count), or keep fewer arrays",
            ) from refused

    def batch(self, head: bytearray, beside: memoryview | None, template: Any) -> Batch:
        """
        The batch of an offer.

        :param beside: its bytes, where they do not lie in this memory
        :param template: the dataset's structure with the components' places in it
        """
        number, epoch, elements, place, components, offset, size, count = OFFER.unpack_from(head)
        kept = beside is not None
        tickets = _NO_TICKETS
        if place == IN_SEGMENT:
            # they end the message, behind the segment's id
            tickets_at = len(head) - 8 * count
            segment = SEGMENT_ID.unpack_from(head, tickets_at - SEGMENT_ID.size)[0]
            root = np.ndarray((size,), np.uint8, self._segments[segment], offset)
            tickets = np.frombuffer(head, np.int64, count, tickets_at)  # the message is nobody else's
        else:
            if beside is None:
                root = np.ndarray((size,), np.uint8, self._mapped, offset)
            else:
                root = np.frombuffer(beside, np.uint8)
                self._warn_of_copies()
            if count:
                tickets = np.ndarray((count,), np.int64, root, 0)
            if count * 8 < _SMALL_BYTES:
                tickets = tickets.copy()
            else:
                kept = True
        values: list[Any] = []
        for numpy_type, shape, start, length in self._layout(head, components):
            value: Any
            if numpy_type is None:
                raw = np.ndarray((length,), np.uint8, root, start)
                value = Strings(raw.copy() if length < _SMALL_BYTES else raw, shape)
            else:
                value = np.ndarray(shape, numpy_type, root, start)
                if length < _SMALL_BYTES:
                    value = value.copy()
            kept = kept or length >= _SMALL_BYTES
            values.append(value)
        if beside is None:
            if kept:
                watch = _Root(root, self._gone.append)
                watch.number = number
                self._roots[number] = watch
            else:
                self._unwatched.add(number)
        return Batch(epoch, elements, tickets, values, template)

    def _layout(self, head: bytearray, components: int) -> list[_Component]:
        """What an offer says of its components: mostly what the one before did, which is read once."""
        known, layout = self._last
        if components == len(layout) and head.startswith(known, OFFER.size):
            return layout
        layout = []
        at = OFFER.size
        for _ in range(components):
            dtype, rank, start, length = COMPONENT.unpack_from(head, at)
            at += COMPONENT.size
            shape = DIMENSIONS[rank].unpack_from(head, at)
            at += 8 * rank
            layout.append((None if dtype == _types.STRING else _types.numpy_type(dtype), shape, start, length))
        self._last = bytes(head[OFFER.size : at]), layout
        return layout

    def _warn_of_copies(self) -> None:
        if not self._warned:
            self._warned = True
            warnings.warn(
                f"batches come as copies for now: arrays that are kept hold half of the feed's memory, which is "
                f"{len(self._mapped) // _MIB} MiB; keep copies of what you need, or give the feed more by memory_mb=",
                RuntimeWarning,
                stacklevel=4,
            )
