"""The epochs of a feed, each by itself."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Iterator

from . import _views

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
