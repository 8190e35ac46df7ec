"""Praline where another service of tf.data stood."""

from __future__ import annotations

import itertools
from typing import Any, Callable, Iterator

from ._composite import dataset_of
from ._open import feed
from ._source import batches_known, source_of


def distribute(
    data: Any = None, *, job: str | None = None, seed: int = 0, **arguments: Any
) -> Callable[[Any], Any]:
    """
    For ``dataset.apply(praline.distribute(...))``, as ``tf.data.experimental.service.distribute`` is used: the dataset's
    pipeline runs on workers, and what comes back is a ``tf.data.Dataset`` of the same element spec, which further steps may
    follow and Keras may fit to.

    Each walk over it is a job of its own, which begins with the walk, and is cancelled where that ends early. The n-th walk,
    from 0, draws by ``seed + n``.

    :param data: globs of the files to read, as :func:`praline.feed` takes them
    :param job: the id of the first walk's job; that of the n-th one is ``job-n``
    :param seed: of the first walk
    :param arguments: what else :func:`praline.feed` takes
    """

    def apply(dataset: Any) -> Any:
        import tensorflow as tf

        walks = itertools.count()

        def batches() -> Iterator[Any]:
            walk = next(walks)
            named = job if job is None or walk == 0 else f"{job}-{walk}"
            with feed(dataset, data, job=named, seed=seed + walk, **arguments) as open_feed:
                for batch in open_feed:
                    yield batch.data

        made = dataset_of(batches, dataset.element_spec, as_asked=job is not None)
        batches_of_all = batches_known(source_of(dataset), arguments | {"data": data})
        return made if batches_of_all is None else made.apply(tf.data.experimental.assert_cardinality(batches_of_all))

    return apply
