"""A feed: what a training loop takes its batches from."""

from __future__ import annotations

import json
import os
import sys
import threading
import warnings
from collections import deque
from typing import Any, Callable, Iterator, NoReturn

from . import _errors, _java, _orphans, _progress, _views
from ._arrivals import Arrivals
from ._batch import Batch
from ._epochs import Epoch, Epochs, Loader
from ._errors import NoMoreEpochs, PralineError, Refused, Unreachable
from ._explain import Explanation, table
from ._memory import Memory
from ._pipe import Pipe
from ._result import Result
from ._source import Source, batches_known
from ._wire import (
    CANCEL,
    EXPLAIN,
    EXPLAINED,
    IS_WAITING,
    OFFER,
    OPEN,
    OPENED,
    RESULT,
    STATUS,
    TOLD_RESULT,
    TOLD_STATUS,
    asked,
    message,
)

_NO_DATA_LOADER = "walk over the feed itself, feed.torch(), or feed.loader(): it makes batches and reads ahead in a DataLoader's place"


class Feed(Arrivals):
    """
    The batches of a job, as one of its loops gets them. Made by :func:`praline.feed`.

    Asking for the next batch says that the loop is done with the one before, whichever thread took it: should it come to harm
    before that, others get it again, or the same program when it is started again under the same job id. Of a loop that
    fetches ahead it says so of an earlier one. Threads that call a feed at the same time are answered one after the other;
    closing it ends what another thread waits for.
    """

    def __init__(
        self,
        source: Source,
        said: dict[str, Any],
        memory_bytes: int,
        bar: _progress.Bar | None = None,
        tells_page: bool = False,
        ahead: int = 0,
    ) -> None:
        self._source = source
        self._template = source.template
        self._offered: deque[tuple[bytearray, memoryview | None]] = deque()
        self._lease = 0, 0  # its end, by both clocks
        self._asks_lease = False
        self._let_go: deque[bytearray] = deque()
        self._next = 0  # the number of the batch that the loop gets next
        self._ahead = ahead
        self._done = 0  # the loop is done with all before this one
        self._asked_past = False
        # up to which one was asked for: behind Ctrl-C it may be one that the loop has not got
        self._asked = 0
        self._elements = 0
        self._over = False
        self._failure: PralineError | None = None
        self._result: Result | None = None
        self._status: dict[str, Any] = {}
        self._bar = bar
        self._batches = batches_known(source, said)
        self._goes_with_feed = "job" not in said
        self._epochs = int(said.get("epochs", 1))
        self._had_epochs: int | None = None  # known at the end
        self._calls = threading.RLock()
        self._pipe, mapped = Pipe.make(memory_bytes)
        self._memory = Memory(mapped)
        _java.opened(self)
        try:
            text = json.dumps(said).encode()
            self._pipe.put(message(OPEN, len(text).to_bytes(4, "little") + text + source.graph))
            opened = json.loads(self._until(OPENED))
        except BaseException:
            self._pipe.close()
            raise
        self.job: str = opened["job"]
        self._waits = _progress.Waits(self.job)
        if self._goes_with_feed and not opened["own"]:  # in a cluster of Java's own it is gone with Java
            self._pipe.lost = lambda job=self.job: _orphans.cancel_soon(job, said)  # without the feed, which goes by its last use
        #: the address where the cluster's page shows the job; None where no page is known
        self.page: str | None = opened["page"]
        if tells_page:
            _progress.tell_page(self)
        if bar is not None:
            bar.begin(self._batches)

    # ---- what the loop asks

    def __iter__(self) -> Feed:
        if self._asked_past and not self._pipe.closed:
            warnings.warn(
                "a walk over a feed that is at its end gives nothing: one walk over it has all epochs, and one over feed.loader() an epoch",
                stacklevel=2,
            )
        return self

    # in one piece, as what it calls for each batch is: where a worker is beside, calls cost more than what they do
    def __next__(self) -> Batch:
        with self._calls:
            pipe = self._pipe
            if pipe.closed or os.getpid() != pipe.process:
                pipe.require_here()
            if self._failure is not None:
                raise self._failure
            offered = self._offered
            number = self._next
            until = number - self._ahead
            if self._over and until <= self._done and not offered:
                self._asked_past = True
                raise StopIteration
            if self._bar is not None:
                self._ask_figures()
            if self._asked == number:
                # it takes the next one before that is there: so Java goes on to the one behind it without another word
                self._tell_done(until, number)
                self._asked = number + 1
            if not offered:
                self._await_offer()
            if self._lease_is_over():
                self._await_lease()
            if not offered:
                self._asked_past = True
                raise StopIteration
            # it stays until all of it is made, so that Ctrl-C meanwhile takes it from nobody
            batch = self._memory.batch(number, offered[0], self._template)
            if batch is None:
                pipe.close()
                raise Unreachable("the feed was interrupted while it took a batch, and is over", "open it again")
            offered.popleft()
            self._next = number + 1
            self._elements += batch.size
            if self._bar is not None:
                self._bar.came()
            return batch

    def epochs(self) -> Iterator[Epoch]:
        """
        The epochs that still come, each an iterator over its batches, or over tensors by :meth:`Epoch.torch`.

        What the loop leaves of an epoch by ``break`` is passed over when it asks for the next epoch, and counts as consumed.
        """
        return Epochs(self)

    def loader(self, make: Callable[[Batch], Any] | None = None, batches: int | None = None) -> Loader:
        """
        What stands where trainers take a ``DataLoader`` that they walk over once for each of their epochs, as Lightning's and
        Hugging Face's do: each walk is the next epoch, and one behind the last is refused.

        ::

            trainer.fit(model, feed.loader(lambda batch: torch.from_numpy(batch["row"])))

        :param make: what the trainer gets of a batch; without it the batch
        :param batches: how many an epoch has, for trainers that ask for the length
        """
        return Loader(self, make, batches)

    def __bool__(self) -> bool:
        """A feed is one, also where its length is not known, or nothing comes."""
        return True

    def __len__(self) -> int:
        """
        How many batches come in all.

        Raises ``TypeError`` where that is not known before they came: tf.data must know how many there are
        (``dataset.cardinality()``), the files be those of the dataset and no record be let off, the loop be the job's only
        one, the job have no id, by which it might have begun before, and batches be made before anything is repeated.
        """
        if self._batches is None:
            raise TypeError(f"how many batches there are is not known before they came; {_NO_DATA_LOADER}")
        return self._batches

    def __getitem__(self, place: Any) -> NoReturn:
        """Refuses who asks for a batch by its place, as a ``DataLoader`` does."""
        raise Refused("a feed's batches come one after the other, and none is had by its place", _NO_DATA_LOADER)

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
        """
        The batches as a ``tf.data.Dataset`` of the same element spec; for a feed that was given a dataset. It can be walked once.
        What stands behind it asks for batches as it likes: those that ``prefetch(n)`` has ahead are told by ``ahead=n``.
        """
        return _views.tf_dataset(self, self._source.spec)

    @property
    def batches_held(self) -> int:
        """Of how many batches this program has arrays that lie in the feed's memory."""
        return self._memory.held

    def status(self) -> dict[str, Any]:
        """
        How the job stands: ``state``, ``reason`` (of every wait), ``workers``, ``cache_hits`` and all else that ``praline job ID --json``
        tells, by Python's spelling; ``epochs`` are those that began. Empty before it was heard of.
        """
        told = self._answer(STATUS, TOLD_STATUS)
        self._status = json.loads(told) if told else {}
        return self._status

    def explain(self) -> Explanation:
        """
        Every decision on the job so far, in order: what was seen, what was decided and why, and what then happened. Printed,
        it is what ``praline explain JOB`` prints. It is read from the cluster, which may take a second.
        """
        told = json.loads(self._answer(EXPLAIN, EXPLAINED))
        if "error" in told:
            raise _errors.of(told["error"])
        return Explanation.of(told)

    def result(self) -> Result:
        """
        What became of the job: at the end of the feed, with the ledger's last numbers, for which it waits up to ten seconds;
        before that, how it stands.
        """
        if self._result is None or not self._pipe.closed:
            if self._failure is not None:
                raise self._failure
            self._result = self._told(self._answer(RESULT, TOLD_RESULT))
        return self._result

    def cancel(self) -> None:
        """Cancels the job; what the loop did not take is gone."""
        with self._calls:
            self._pipe.require_here()
            self._pipe.put(message(CANCEL))
            self._pipe.flush()

    def done(self) -> None:
        """
        Says that the loop is done with the batch that it is at work on, as its question for the next one would: where it asks for
        no more, since ``zip`` ends with another iterator or it counts its steps, and behind a checkpoint that holds the batch.
        """
        with self._calls:
            self._pipe.require_here()
            self._tell_done(self._next - self._ahead)

    def _tell_done(self, until: int, taken: int | None = None, then: bytes = b"") -> None:
        """
        Says by one message that the loop is done with all batches before this one, and what nobody looks at any more.

        :param taken: the batch that the loop takes besides, or will once that is there
        :param then: what else is said
        """
        self._pipe.say(asked(self._memory.freed(), until - 1 if until > self._done else None, taken) + then)
        self._done = max(self._done, until)

    def close(self) -> None:
        """
        Ends the feed; the arrays that came stay. A job without an id of the user's goes with it, one with an id goes on: what
        was not asked past is given to others, or again. Closing twice does nothing.
        """
        if self._bar is not None:
            self._bar.close()
        if self._pipe.closed:
            return
        waiting = not self._calls.acquire(blocking=False)
        if waiting:
            # another thread waits for what may never come
            self._pipe.ask_end(message(RESULT))
            self._calls.acquire()
        try:
            self._close(waiting)
        finally:
            self._calls.release()

    def _close(self, waiting: bool) -> None:
        try:
            if self._failure is None and not waiting:
                if not self._over:
                    self.result()  # before whose answer all is heard that was said, perhaps that nothing follows
                if self._over:
                    if self._goes_with_feed or self._asked_past:
                        # nobody else could get them, and there is nothing else: the job is complete by them
                        self._tell_done(self._next)
                    self.result()
        except PralineError as failed:
            self._failure = self._failure or failed
        finally:
            self._pipe.end()
            if self._result is not None and self._goes_with_feed:
                self._result = self._result.gone()

    def __enter__(self) -> Feed:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _trace: object) -> None:
        ends = kind is None or issubclass(kind, GeneratorExit) or isinstance(error, NoMoreEpochs)
        if not ends:
            # its step threw: nobody is known to have trained on what it has
            self._done = self._next
        self.close()

    def __del__(self) -> None:
        if hasattr(self, "_pipe") and not sys.is_finalizing():
            self._abandon()

    def _abandon(self) -> None:
        """Closes it in the place of who did not, of whom nobody knows what ended the loop."""
        if not self._goes_with_feed:
            self._done = self._next
        self.close()

    def __reduce__(self) -> Any:
        raise Refused(
            "a feed cannot be handed to another process: its batches come to the one that opened it",
            "give DataLoader num_workers=0; the feed has read ahead already",
        )

    def _state(self) -> str:
        return "closed" if self._pipe.closed else "over" if self._over else "open"

    def __repr__(self) -> str:
        return f"<praline feed of job {self.job}, {self._state()}>"

    def _repr_html_(self) -> str:
        if not self._pipe.closed:
            try:
                self.status()
            except PralineError:
                pass  # what was heard last is shown
        return table(self.job, self.page, self._state(), self._status)

    # ---- what comes

    def _forked(self) -> None:
        self._calls = threading.RLock()  # a thread of the parent's may have had it
        self._pipe.forget()
        self._memory.forked(child=True)

    def _epoch_of_next(self) -> int:
        """Of what comes next, which the loop does not take by that; more than any epoch's number at the end."""
        with self._calls:
            return self._next_epoch()

    def _next_epoch(self) -> int:
        self._pipe.require_here()
        if self._failure is not None:
            raise self._failure
        if not self._offered:
            # there is nothing to wait for where the end came along with an answer to something else
            self._tell_done(self._next - self._ahead, then=b"" if self._over else IS_WAITING)
            self._await_offer()
        if not self._offered:
            self._asked_past = True
            return sys.maxsize
        epoch: int = OFFER.unpack_from(self._offered[0][0])[1]
        return epoch

    @property
    def _begins(self) -> bool:
        """Whether what comes next, if anything does, is the first of the job."""
        return self._goes_with_feed and self._next == 0

    def _had(self, epoch: int) -> bool:
        """
        At the end: whether there was this epoch too, of which nothing came. Of a pipeline that repeats itself there are more than were
        asked for.
        """
        if self._had_epochs is None:
            result = self.result()
            self._had_epochs = 0 if result.state == "CANCELLED" else max(self._epochs, len(result.epochs))
        return epoch < self._had_epochs
