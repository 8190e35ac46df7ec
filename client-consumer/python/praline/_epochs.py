"""The epochs of a feed, each by itself."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any, Callable, Iterator

from . import _views
from ._errors import NoMoreEpochs

if TYPE_CHECKING:
    from ._batch import Batch
    from ._feed import Feed


class Epoch:
    """The batches of one epoch; what a failure brings late of an earlier one comes among them."""

    def __init__(self, feed: Feed, number: int) -> None:
        self._feed = feed
        #: counted from 0
        self.number = number

    def __iter__(self) -> Iterator[Batch]:
        return self

    def __next__(self) -> Batch:
        # what is looked at is what is taken, whatever other threads ask meanwhile
        with self._feed._calls:
            if self._feed._epoch_of_next() > self.number:
                raise StopIteration
            return next(self._feed)

    def torch(self, device: Any = None) -> Iterator[Any]:
        """Its batches as PyTorch tensors, as :meth:`Feed.torch` makes them."""
        return _views.torch_tensors(self, device)

    def jax(self, sharding: Any = None) -> Iterator[Any]:
        """Its batches as ``jax.Array``, as :meth:`Feed.jax` makes them."""
        return _views.jax_arrays(self, sharding)


class Epochs:
    """The epochs that still come, one after the other."""

    def __init__(self, feed: Feed) -> None:
        self._feed = feed
        self._walked: Epoch | None = None

    def __iter__(self) -> Iterator[Epoch]:
        return self

    def __next__(self) -> Epoch:
        epoch = self.following()
        if epoch is None:
            # not seen but by who asks for it within a generator, where Python makes a RuntimeError of it
            raise StopIteration(self.over())
        return epoch

    def following(self) -> Epoch | None:
        """The next one, None behind the last; what the loop left of the one before is passed over."""
        if self._walked is not None:
            for _left in self._walked:
                pass
        number = self._feed._epoch_of_next()
        due = self._due(number)
        if number == sys.maxsize and not self._feed._had(due):
            return None
        self._walked = Epoch(self._feed, due)
        return self._walked

    def _due(self, number: int) -> int:
        """
        Which epoch follows, where the next batch is of this one: those between have none, be it by chance or since others took
        them all, and a loop that counts its epochs counts these too. Where a job is gone on with, what came before is not known.
        """
        if self._walked is not None:
            return self._walked.number + 1
        return 0 if self._feed._begins else number

    def over(self) -> str:
        """That there are no more, in words."""
        if self._walked is None:
            return "nothing comes of the feed any more, and its loop begins an epoch"
        epochs = self._walked.number + 1
        return f"the feed has {epochs} epoch{'s' * (epochs > 1)}, and its loop begins another one"


class Loader:
    """
    What is walked over once for each epoch of a training loop: each walk is the feed's next epoch. Made by
    :meth:`praline.Feed.loader`.
    """

    def __init__(self, feed: Feed, make: Callable[[Batch], Any] | None, batches: int | None) -> None:
        self._epochs = Epochs(feed)
        self._make = make
        self._batches = batches

    def __iter__(self) -> Iterator[Any]:
        # by who takes its first batch: Lightning begins walks that it does not walk
        epoch = self._epochs.following()
        if epoch is None:
            raise NoMoreEpochs(
                self._epochs.over(),
                "give the loop as many epochs as the feed has (max_epochs, num_train_epochs), or praline.feed more by epochs=;"
                " of batches to validate by, Lightning looks at some before it begins, which is an epoch too (num_sanity_val_steps=0)",
            )
        # no batch stays with who walks
        yield from epoch if self._make is None else map(self._make, epoch)

    def __len__(self) -> int:
        """How many batches an epoch has, where that was said."""
        if self._batches is None:
            raise TypeError("how many batches an epoch has is not known: feed.loader(batches=N) says it")
        return self._batches
