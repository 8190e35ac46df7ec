"""A feed: what a training loop takes its batches from."""

from __future__ import annotations

import json
import os
import sys
import warnings
import weakref
from collections import deque
from typing import Any, Iterator

import numpy as np

from . import _errors, _java, _types, _views
from ._batch import Batch, Strings
from ._errors import PralineError, Refused
from ._pipe import Pipe
from ._result import Result
from ._source import Source
from ._wire import (
    ACKNOWLEDGED,
    CANCEL,
    COMPONENT,
    COMPONENTS,
    DIMENSIONS,
    END,
    ERROR,
    FREED,
    HAS_TAKEN,
    OFFER,
    OFFERED,
    OPEN,
    OPENED,
    RESULT,
    STATUS,
    TOLD_RESULT,
    TOLD_STATUS,
    message,
    numbered,
)

#: components below this are copied out: who keeps all labels must not keep all images with them
_SMALL_BYTES = 64 << 10
_MIB = 1 << 20


class _Root(weakref.ref):  # type: ignore[type-arg]
    """Of the one array over a batch's memory: that is given back when nobody has that array, or a view of it, any more."""

    __slots__ = ("number",)
    number: int


class Epoch:
    """The batches of one epoch; what a failure brings late of an earlier one comes among them."""

    def __init__(self, feed: Feed, number: int) -> None:
        self._feed = feed
        #: counted from 0
        self.number = number

    def __iter__(self) -> Iterator[Batch]:
        return self

    def __next__(self) -> Batch:
        if self._feed._epoch_of_next() > self.number:
            raise StopIteration
        return next(self._feed)


class Feed:
    """
    The batches of a job, as one of its loops gets them. Made by :func:`praline.feed`; for one thread.

    Asking for the next batch says that the loop is done with the one before: should it come to harm before that, others
    get it again, or the same program when it is started again under the same job id.
    """

    def __init__(self, source: Source, said: dict[str, Any], memory_bytes: int) -> None:
        self._source = source
        self._template = source.template
        self._names: list[str] = []
        self._freed: deque[_Root] = deque()
        self._roots: dict[int, _Root] = {}
        self._offered: deque[tuple[memoryview, bytes | None]] = deque()
        self._current: int | None = None
        self._over = False
        self._failure: PralineError | None = None
        self._result: Result | None = None
        self._warned = False
        self._memory_bytes = memory_bytes
        self._epochs = int(said.get("epochs", 1))
        self._alone = int(said.get("consumers", 1)) == 1 and "data" not in said
        self._pipe, self._memory = Pipe.make(memory_bytes)
        _java.opened(self)
        try:
            text = json.dumps(said).encode()
            self._pipe.put(message(OPEN, len(text).to_bytes(4, "little") + text + source.graph))
            self.job: str = json.loads(self._until(OPENED))["job"]
        except BaseException:
            self._pipe.close()
            raise

    # ---- what the loop asks

    def __iter__(self) -> Feed:
        return self

    def __next__(self) -> Batch:
        pipe = self._pipe
        pipe.require_here()
        if self._failure is not None:
            raise self._failure
        if self._over:
            raise StopIteration
        if self._current is not None:
            pipe.put(numbered(ACKNOWLEDGED, self._current))
            self._current = None
        self._give_back()
        while not self._offered:
            self._take(*self._pipe.get(True))
            if self._failure is not None:
                raise self._failure
            if self._over:
                pipe.flush()
                raise StopIteration
        head, bytes_beside = self._offered.popleft()
        batch = self._batch(head, bytes_beside)
        pipe.put(HAS_TAKEN)
        pipe.flush()
        return batch

    def epochs(self) -> Iterator[Epoch]:
        """
        The epochs that still come, each an iterator over its batches.

        What the loop leaves of an epoch by ``break`` is passed over when it asks for the next epoch, and counts as consumed.
        """
        number = self._epoch_of_next()
        while not self._over:
            epoch = Epoch(self, number)
            yield epoch
            for _left in epoch:
                pass
            number = self._epoch_of_next()

    def __len__(self) -> int:
        """
        How many batches come in all.

        Raises ``TypeError`` where that is not known before they came: tf.data must know how many there are
        (``dataset.cardinality()``), the files be those of the dataset, and the loop be the job's only one.
        """
        if self._source.batches is None or not self._alone:
            raise TypeError("how many batches there are is not known before they came")
        return self._source.batches * self._epochs

    def torch(self, device: Any = None) -> Iterator[Any]:
        """
        The batches as PyTorch tensors in the dataset's own structure, on this device; without one they lie where the arrays
        do. Strings stay arrays of ``bytes``.
        """
        return _views.torch_tensors(self, device)

    def jax(self, sharding: Any = None) -> Iterator[Any]:
        """
        The batches as ``jax.Array`` in the dataset's own structure. Strings stay arrays of ``bytes``.

        On a CPU they lie where the numpy arrays do, so writing to those changes them too; the memory goes back when JAX is
        done with it. Integers of 64 bits become ones of 32 where JAX is set so; a batch whose values do not fit is refused.

        :param sharding: over which devices each array is divided, by ``jax.make_array_from_process_local_data``: what this
            process got is its part of the global array, whose first dimension is that of all processes together. Without it
            arrays lie on JAX's default device. Processes that share a job get batches as fast as they ask for them: they must
            agree on a number of steps, and batches be of one size (``drop_remainder=True``).
        """
        return _views.jax_arrays(self, sharding)

    def tf(self) -> Any:
        """The batches as a ``tf.data.Dataset`` of the same element spec; for a feed that was given a dataset. It can be walked once."""
        return _views.tf_dataset(self, self._source.spec)

    @property
    def batches_held(self) -> int:
        """Of how many batches this program has arrays that lie in the feed's memory."""
        return len(self._roots) - len(self._freed)

    def status(self) -> dict[str, Any]:
        """How the job stands: ``state``, ``reason`` (of every wait), ``workers``, ``epochs``; empty before it was heard of."""
        self._pipe.require_here()
        self._pipe.put(message(STATUS))
        told = self._until(TOLD_STATUS)
        return json.loads(told) if told else {}

    def result(self) -> Result:
        """
        What became of the job: at the end of the feed, with the ledger's last numbers, for which it waits up to ten seconds;
        before that, how it stands.
        """
        if self._result is None or not self._pipe.closed:
            if self._failure is not None:
                raise self._failure
            self._pipe.require_here()
            self._pipe.put(message(RESULT))
            self._result = Result.of(json.loads(self._until(TOLD_RESULT)), self._over)
        return self._result

    def cancel(self) -> None:
        """Cancels the job; what the loop did not take is gone."""
        self._pipe.require_here()
        self._pipe.put(message(CANCEL))
        self._pipe.flush()

    def close(self) -> None:
        """
        Ends the feed; the arrays that came stay. A job without an id of the user's goes with it, one with an id goes on: what
        was not asked past is given to others, or again. Closing twice does nothing.
        """
        if self._pipe.closed:
            return
        try:
            if self._failure is None:
                self.result()
        except PralineError as failed:
            self._failure = self._failure or failed
        finally:
            self._pipe.end()

    def __enter__(self) -> Feed:
        return self

    def __exit__(self, *error: object) -> None:
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_pipe") and not sys.is_finalizing():
            self.close()

    def __reduce__(self) -> Any:
        raise Refused(
            "a feed cannot be handed to another process: its batches come to the one that opened it",
            "give DataLoader num_workers=0; the feed has read ahead already",
        )

    def __repr__(self) -> str:
        state = "closed" if self._pipe.closed else "over" if self._over else "open"
        return f"<praline feed of job {self.job}, {state}>"

    # ---- what comes

    def _forked(self) -> None:
        self._pipe.forget()

    def _until(self, wanted: int) -> bytes:
        """The answer to what was just asked; what else comes is taken in."""
        while True:
            kind, body, beside = self._pipe.get(False)
            if kind == wanted:
                return bytes(body)
            self._take(kind, body, beside)
            if self._failure is not None:
                raise self._failure

    def _take(self, kind: int, body: memoryview, beside: bytes | None) -> None:
        if kind == OFFERED:
            self._offered.append((body, beside))
        elif kind == COMPONENTS:
            self._names = json.loads(bytes(body))["names"]
            if self._template is None:
                places = [str(place) for place in range(len(self._names))]
                self._template = (
                    tuple(range(len(places)))
                    if self._names == places
                    else {name: place for place, name in enumerate(self._names)}
                )
        elif kind == END:
            self._over = True
        elif kind == ERROR:
            self._failure = _errors.of(json.loads(bytes(body)))
        else:
            raise PralineError(f"the Java process sent an event of kind {kind}, which nobody asked for")

    def _epoch_of_next(self) -> int:
        while not self._offered and not self._over:
            if self._current is not None:
                self._pipe.put(numbered(ACKNOWLEDGED, self._current))
                self._current = None
            self._give_back()
            self._take(*self._pipe.get(True))
            if self._failure is not None:
                raise self._failure
        if self._over and not self._offered:
            return sys.maxsize
        epoch: int = OFFER.unpack_from(self._offered[0][0])[1]
        return epoch

    def _give_back(self) -> None:
        freed = self._freed
        if freed:
            numbers = []
            while freed:
                number = freed.popleft().number
                del self._roots[number]
                numbers.append(number)
            self._pipe.put(message(FREED, np.array(numbers, "<i8").tobytes()))

    def _batch(self, head: memoryview, beside: bytes | None) -> Batch:
        number, epoch, elements, _place, components, offset, size, count = OFFER.unpack_from(head)
        self._current = number
        if beside is None:
            root = np.ndarray((size,), np.uint8, self._memory, offset)
        else:
            root = np.frombuffer(beside, np.uint8)
            self._warn_of_copies()
        tickets = np.ndarray((count,), np.int64, root, 0) if count else np.empty(0, np.int64)
        kept = beside is not None
        if count * 8 < _SMALL_BYTES:
            tickets = tickets.copy()
        else:
            kept = True
        values: list[Any] = []
        at = OFFER.size
        for _ in range(components):
            dtype, rank, start, length = COMPONENT.unpack_from(head, at)
            at += COMPONENT.size
            shape = DIMENSIONS[rank].unpack_from(head, at)
            at += 8 * rank
            value: Any
            if dtype == _types.STRING:
                raw = np.ndarray((length,), np.uint8, root, start)
                value = Strings(raw.copy() if length < _SMALL_BYTES else raw, shape)
            else:
                value = np.ndarray(shape, _types.numpy_type(dtype), root, start)
                if length < _SMALL_BYTES:
                    value = value.copy()
            kept = kept or length >= _SMALL_BYTES
            values.append(value)
        if beside is None:
            if kept:
                watch = _Root(root, self._freed.append)
                watch.number = number
                self._roots[number] = watch
            else:
                self._pipe.put(numbered(FREED, number))
        return Batch(epoch, elements, tickets, values, self._template)

    def _warn_of_copies(self) -> None:
        if not self._warned:
            self._warned = True
            warnings.warn(
                f"batches come as copies for now: arrays that are kept hold half of the feed's memory, which is "
                f"{self._memory_bytes // _MIB} MiB; keep copies of what you need, or give the feed more by memory_mb=",
                RuntimeWarning,
                stacklevel=4,
            )
