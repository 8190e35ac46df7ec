"""A feed: what a training loop takes its batches from."""

from __future__ import annotations

import json
import os
import sys
import warnings
import weakref
from collections import deque
from dataclasses import dataclass, fields
from typing import Any, Iterator, Sequence
from urllib.parse import parse_qs, urlsplit

import numpy as np

from . import _errors, _java, _types
from ._batch import Batch, Strings
from ._errors import PralineError, Refused
from ._pipe import Pipe
from ._source import Source, source_of
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


@dataclass(frozen=True)
class Result:
    """What became of a job, as this loop saw it, with the ledger's numbers at its end."""

    job: str
    #: COMPLETED; of a job that goes on WAITING, PLANNING or RUNNING
    state: str
    #: EXACTLY_ONCE or AT_LEAST_ONCE
    guarantee: str
    guarantee_reasons: list[str]
    #: what this loop took, over all epochs
    elements: int
    batches: int
    bytes: int
    #: from the first batch to the last
    seconds: float
    first_batch_ms: float
    workers_local: int
    workers_remote: int
    #: elements that neither came nor are excluded for a reason; None where nobody can know
    missing: int | None
    #: elements that came more than once; None where nobody can know
    duplicates: int | None
    #: elements that a loop that is gone may have trained on
    in_doubt: int
    #: of each epoch: epoch, elements, consumed, excluded, complete
    epochs: list[dict[str, Any]]
    #: tolerated bad records, a line each
    bad_records: list[str]

    def __str__(self) -> str:
        rate = self.elements / self.seconds if self.seconds else 0
        promise = self.guarantee.lower().replace("_", " ")
        known = lambda count: "not known" if count is None else count  # noqa: E731
        return (
            f"job {self.job} {self.state}: {self.elements} elements in {self.batches} batches, {self.seconds:.1f} s, "
            f"{rate:.0f} elements/s, missing {known(self.missing)}, duplicates {known(self.duplicates)} ({promise})"
        )


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
        import torch

        def tensor(value: np.ndarray) -> Any:
            if value.dtype == object:
                return value
            if value.dtype.name == "bfloat16":
                made = torch.from_numpy(value.view(np.int16)).view(torch.bfloat16)
            else:
                made = torch.from_numpy(value)
            return made if device is None else made.to(device)

        for batch in self:
            yield batch.map(tensor)

    def tf(self) -> Any:
        """The batches as a ``tf.data.Dataset`` of the same element spec; for a feed that was given a dataset. It can be walked once."""
        import tensorflow as tf

        if self._source.spec is None:
            raise Refused(
                "a graph does not say what its elements are, so that no tf.data.Dataset can be made of it",
                "give praline.feed the dataset itself",
            )

        def batches() -> Iterator[Any]:
            for batch in self:
                yield batch.data

        return tf.data.Dataset.from_generator(batches, output_signature=self._source.spec)

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
            told = json.loads(self._until(TOLD_RESULT))
            if not self._over:
                told["missing"] = None  # it may come yet
            self._result = Result(**{field.name: told[field.name] for field in fields(Result)})
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


def _cluster(
    bootstrap: str | None, registry: str | None, secret_file: str | None, kafka_config: str | None
) -> dict[str, str] | None:
    if bootstrap is None and registry is None:
        url = os.environ.get("PRALINE_URL")
        if not url:
            return None
        parts = urlsplit(url)
        options = {key: values[-1] for key, values in parse_qs(parts.query).items()}
        if parts.scheme != "kafka" or not parts.netloc or set(options) - {"registry", "secret", "config"}:
            raise Refused(
                f"PRALINE_URL is not as expected: {url}",
                "it must be kafka://HOST:PORT,HOST:PORT?registry=URL&secret=FILE&config=FILE, where secret and config may be left out",
            )
        bootstrap, registry = parts.netloc, options.get("registry")
        secret_file = secret_file or options.get("secret")
        kafka_config = kafka_config or options.get("config")
    if not bootstrap or not registry:
        raise Refused(
            "Kafka and the registry go together, and one of them is not given",
            "give both bootstrap= and registry=, or PRALINE_URL, or none for the cluster of 'praline up'",
        )
    named = {"bootstrap": bootstrap, "registry": registry}
    if secret_file:
        named["secret"] = os.path.abspath(os.fspath(secret_file))
    if kafka_config:
        named["config"] = os.path.abspath(os.fspath(kafka_config))
    return named


def _require_a_place_for_feeds() -> None:
    if sys.platform != "linux":
        raise Refused("praline.feed runs on Linux only: other systems have no memory without a name", "run it on Linux")
    torch = sys.modules.get("torch")
    if torch is not None and torch.utils.data.get_worker_info() is not None:
        raise Refused(
            "a feed cannot be opened in a worker of DataLoader: each would train on all of the data",
            "open it in the training process and give DataLoader num_workers=0; the feed reads ahead itself",
        )


def feed(
    pipeline: Any,
    data: str | Sequence[str] | None = None,
    *,
    names: Sequence[str] | None = None,
    epochs: int = 1,
    seed: int = 0,
    skip_bad: int = 0,
    guarantee: str | None = None,
    target: str | None = None,
    policy: str | None = None,
    price_client: float | None = None,
    price_remote: float | None = None,
    price_egress: float | None = None,
    cap: float | None = None,
    max_remote: int | None = None,
    max_local: int | None = None,
    consumers: int = 1,
    rank: int = 0,
    job: str | None = None,
    tenant: str | None = None,
    pool: str | None = None,
    max_batch_bytes: int | None = None,
    bootstrap: str | None = None,
    registry: str | None = None,
    secret_file: str | None = None,
    kafka_config: str | None = None,
    memory_mb: int = 256,
) -> Feed:
    """
    Submits a job and gives its batches.

    :param pipeline: a ``tf.data.Dataset``, a serialised graph as ``bytes``, or the path of a ``.pb`` or ``.yaml`` file
    :param data: globs of the files to read, as the workers see them; without it those that the pipeline names
    :param names: of the components, in the graph's order; a dataset has its own
    :param epochs: how often the data is visited
    :param seed: decides the order of the data and every random draw
    :param skip_bad: how many records that cannot be processed are tolerated
    :param guarantee: ``exactly-once`` or ``at-least-once``: a pipeline that cannot keep it is refused; without it the job
        runs with what it can keep, and says so
    :param target: what the policy makes small: ``cost``, ``time`` or ``balanced``
    :param policy: which policy scales and places the job
    :param price_client: of the trainer's host for an hour
    :param price_remote: of a remote worker for an hour
    :param price_egress: of 10^9 bytes from a remote worker to the trainer
    :param cap: the most that the job may spend
    :param max_remote: the most workers of the pool
    :param max_local: the most workers on this host, started as they are wanted
    :param consumers: how many training processes share the job
    :param rank: which of them this is: number 0 submits the job, the others wait for it
    :param job: the job's id; without it one is made, and the job is cancelled when its Python goes
    :param tenant: whose job it is
    :param pool: the pool it runs in
    :param max_batch_bytes: the largest batch that can be taken; a larger one fails the job
    :param bootstrap: Kafka, as HOST:PORT; without it PRALINE_URL, else the cluster that ``praline up`` started, else one on
        this machine for the time of the program
    :param registry: the URL of the schema registry
    :param secret_file: what workers and clients share; without it ``~/.praline/secret``
    :param kafka_config: a file of properties of Kafka's clients
    :param memory_mb: for batches, in MiB of 2^20 bytes, at most 2047; it is held as long as arrays of them are
    """
    _require_a_place_for_feeds()
    if not 8 <= memory_mb <= 2047:
        raise Refused(f"memory_mb must be 8 to 2047, is {memory_mb}")
    if not 0 <= rank < consumers:
        raise Refused(f"rank must be 0 to {consumers - 1} where consumers is {consumers}, is {rank}")
    if consumers > 1 and job is None:
        raise Refused("processes that share a job must say which: job is missing", "give all ranks the same job=ID")
    source = source_of(pipeline)
    said: dict[str, Any] = {"epochs": epochs, "seed": seed, "skip_bad": skip_bad, "consumers": consumers, "rank": rank}
    if names is not None:
        source.names = list(names)
        source.template = None
    globs = [data] if isinstance(data, (str, os.PathLike)) else list(data or [])
    given: dict[str, Any] = {
        "cluster": _cluster(bootstrap, registry, secret_file, kafka_config),
        "file": source.file or None,
        "name": source.name or None,
        "names": source.names or None,
        "data": [os.fspath(glob) for glob in globs] or None,
        "guarantee": guarantee,
        "target": target,
        "policy": policy,
        "price_client": price_client,
        "price_remote": price_remote,
        "price_egress": price_egress,
        "cap": cap,
        "max_remote": max_remote,
        "max_local": max_local,
        "job": job,
        "tenant": tenant,
        "pool": pool,
        "max_batch_bytes": max_batch_bytes,
    }
    said.update({key: value for key, value in given.items() if value is not None})
    return Feed(source, said, memory_mb * _MIB)
