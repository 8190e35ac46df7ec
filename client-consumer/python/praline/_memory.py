"""A feed's memory, which Java lays batches into or workers of this host do, and the arrays over it."""

from __future__ import annotations

import ctypes
import functools
import io
import mmap
import os
import select
import threading
import warnings
import weakref
from collections import deque
from typing import TYPE_CHECKING, Any, Callable, Iterable, Optional, Tuple

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
    """Of the array that stands for a batch's memory: that is given back when nobody has it, or a view of it, any more."""

    __slots__ = ("number",)
    number: int


_MAP_FIXED = 0x10  # in mmap from Python 3.13 on
_MAP_FAILED = ctypes.c_void_p(-1).value


@functools.lru_cache(None)
def _map() -> Callable[..., int]:
    """mmap as the system has it: Python's own takes no address."""
    call = ctypes.CDLL(None, use_errno=True).mmap
    call.restype = ctypes.c_void_p
    call.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
    return call


def _make_own(root: NDArray[Any]) -> None:
    """
    Puts this process's own copy in the place of the pages that the array lies in, which others share. All of each page, since
    other batches may begin where this one ends.
    """
    first = root.ctypes.data // mmap.PAGESIZE * mmap.PAGESIZE
    size = -(-(root.ctypes.data + root.nbytes - first) // mmap.PAGESIZE) * mmap.PAGESIZE
    held = ctypes.string_at(first, size)
    access = mmap.PROT_READ | mmap.PROT_WRITE
    if _map()(first, size, access, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | _MAP_FIXED, -1, 0) != _MAP_FAILED:
        ctypes.memmove(first, held, size)


#: how long a process that has forked waits for its child to copy what it has; behind that it may write into the child's arrays
_COPIED_MS = 5_000


class _Fork:
    """
    What a child that is forked has of a memory: its arrays are to be as they are now, as any others would be, while its parent
    goes on. So the child copies what its arrays lie in; its parent waits for that, and gives none of it back before.
    """

    def __init__(self, arrays: list[NDArray[Any]]) -> None:
        self._arrays = arrays
        # ends when the child, who holds the other end alone, closes it
        read, write = os.pipe()
        self._copied = io.FileIO(read, "rb")
        self._copies = io.FileIO(write, "wb")

    def in_parent(self) -> bool:
        """Whether the child is known to have all."""
        self._copies.close()
        return self.over(_COPIED_MS)

    def in_child(self) -> None:
        for array in self._arrays:
            _make_own(array)
        self.close()

    def over(self, wait_ms: int = 0) -> bool:
        """Whether the child has copied all, or is gone."""
        poll = select.poll()
        poll.register(self._copied, 0)  # that it ends is always told
        over = bool(poll.poll(wait_ms))
        if over:
            self.close()
        return over

    def close(self) -> None:
        self._copied.close()
        self._copies.close()


class _Forks:
    """What children that are forked have to copy, and who has not done so yet."""

    def __init__(self) -> None:
        self._forking: dict[int, _Fork] = {}  # by threads that fork
        self._forks: list[_Fork] = []

    def begins(self, roots: Iterable[weakref.ref[NDArray[Any]]]) -> None:
        """This process is about to fork; what these are of is the child's too."""
        arrays = [array for array in (root() for root in roots) if array is not None]
        if arrays:
            _map()  # loaded here, since a child of several threads had better load nothing
            self._forking[threading.get_ident()] = _Fork(arrays)

    def forked(self, child: bool) -> None:
        """This process has forked, and is the child or its parent."""
        fork = self._forking.pop(threading.get_ident(), None)
        if child:
            for other in [*self._forks, *self._forking.values()]:
                other.close()
            self._forks.clear()
            self._forking.clear()
        if fork is None:
            return
        if child:
            fork.in_child()
        elif not fork.in_parent():
            self._forks.append(fork)

    def look(self) -> None:
        """Lets go of what children have copied meanwhile."""
        if self._forks:
            self._forks = [fork for fork in self._forks if not fork.over()]


class Outlived:
    """Arrays of feeds that nobody has any more: nothing comes to lie where they do, but a child that is forked shares it."""

    def __init__(self) -> None:
        self._roots: dict[int, weakref.ref[NDArray[Any]]] = {}
        self._forks = _Forks()

    def take(self, roots: Iterable[_Root]) -> None:
        """What a memory has arrays of that goes."""
        for root in roots:
            array = root()
            if array is not None:
                at = id(array)  # nobody else's before it is gone
                self._roots[at] = weakref.ref(array, lambda _gone, at=at: self._roots.pop(at, None))

    def fork_begins(self) -> None:
        """As that of a :class:`Memory`."""
        self._forks.look()
        self._forks.begins(list(self._roots.values()))

    def forked(self, child: bool) -> None:
        """As that of a :class:`Memory`."""
        self._forks.forked(child)


outlived = Outlived()


class Memory:
    """Makes arrays of what is offered, and knows which batches' memory nobody looks at any more."""

    def __init__(self, mapped: mmap.mmap) -> None:
        self._mapped = mapped
        self._segments: dict[int, mmap.mmap] = {}
        self._gone: deque[_Root] = deque()
        self._roots: dict[int, _Root] = {}
        self._unwatched: set[int] = set()
        self._warned = False
        self._forks = _Forks()
        self._last: tuple[bytes, list[_Component], int] = b"", [], 0

    @property
    def held(self) -> int:
        """Of how many batches there are arrays that lie in this memory."""
        return len(self._roots) - len(self._gone)

    def freed(self) -> list[int]:
        """The numbers of batches of which there are none any more, each told once."""
        self._forks.look()
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

    def fork_begins(self) -> None:
        """This process is about to fork."""
        self._forks.begins(list(self._roots.values()))

    def forked(self, child: bool) -> None:
        """This process has forked, and is the child or its parent."""
        self._forks.forked(child)

    def __del__(self) -> None:
        outlived.take(self._roots.values())

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

    def batch(self, wanted: int, offer: tuple[bytearray, memoryview | None], template: Any) -> Batch | None:
        """
        The batch of an offer; None where that is another one than is wanted.

        :param wanted: its number
        :param offer: what is said of it, and its bytes, where they do not lie in this memory
        :param template: the dataset's structure with the components' places in it
        """
        head, beside = offer
        number, epoch, elements, place, components, offset, size, count, _nanos, _wall = OFFER.unpack_from(head)
        if number != wanted:
            return None
        described, layout, lasting = self._last
        if components != len(layout) or not head.startswith(described, OFFER.size):
            layout, lasting = self._layout(head, components)
        memory: Any = self._mapped
        tickets: NDArray[Any] | tuple[Any, ...] = _NO_TICKETS
        # what stands for the batch's memory: its one array that is not copied out, or one over all of it
        root: NDArray[Any] | None = None
        if place == IN_SEGMENT:
            # they end the message, behind the segment's id
            tickets_at = len(head) - 8 * count
            memory = self._segments[SEGMENT_ID.unpack_from(head, tickets_at - SEGMENT_ID.size)[0]]
            tickets = head, np.int64, count, tickets_at  # the message is nobody else's
        elif count * 8 >= _SMALL_BYTES:
            lasting += 1
        if beside is not None:
            root = memory = np.frombuffer(beside, np.uint8)
            self._warn_of_copies()
        elif lasting > 1:
            root = memory = np.ndarray((size,), np.uint8, memory, offset)
            offset = 0
        if count and place != IN_SEGMENT:
            tickets = np.ndarray((count,), np.int64, memory, offset)
            if count * 8 < _SMALL_BYTES:
                tickets = tickets.copy()
            elif root is None:
                root = tickets
        values: list[Any] = []
        for numpy_type, shape, start, length in layout:
            if numpy_type is None:
                value = np.ndarray((length,), np.uint8, memory, offset + start)
            else:
                value = np.ndarray(shape, numpy_type, memory, offset + start)
            if length < _SMALL_BYTES:
                value = value.copy()
            elif root is None:
                root = value
            values.append(value if numpy_type is not None else Strings(value, shape))
        if beside is None:
            if root is not None:
                watch = _Root(root, self._gone.append)
                watch.number = number
                self._roots[number] = watch
            else:
                self._unwatched.add(number)
        return Batch(epoch, elements, tickets, values, template)

    def _layout(self, head: bytearray, components: int) -> tuple[list[_Component], int]:
        """
        What an offer says of its components, and how many of them are not copied out: mostly what the one before did, which is
        read once.
        """
        layout: list[_Component] = []
        lasting = 0
        at = OFFER.size
        for _ in range(components):
            dtype, rank, start, length = COMPONENT.unpack_from(head, at)
            at += COMPONENT.size
            shape = DIMENSIONS[rank].unpack_from(head, at)
            at += 8 * rank
            lasting += length >= _SMALL_BYTES
            layout.append((None if dtype == _types.STRING else _types.numpy_type(dtype), shape, start, length))
        self._last = bytes(head[OFFER.size : at]), layout, lasting
        return layout, lasting

    def _warn_of_copies(self) -> None:
        if not self._warned:
            self._warned = True
            warnings.warn(
                f"batches come as copies for now: arrays that are kept hold half of the feed's memory, which is "
                f"{len(self._mapped) // _MIB} MiB; keep copies of what you need, or give the feed more by memory_mb=",
                RuntimeWarning,
                stacklevel=4,
            )
