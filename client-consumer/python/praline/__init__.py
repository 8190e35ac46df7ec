"""
Praline feeds training loops: what a tf.data pipeline makes of data on workers comes as numpy arrays, each element once.

::

    import praline

    with praline.feed(dataset, data="/data/train-*", epochs=2) as feed:
        for batch in feed:
            step(batch["image"], batch["label"])
    print(feed.result())
"""

from ._batch import Batch
from ._composite import Ragged, Sparse
from ._drop_in import distribute
from ._epochs import Epoch, Loader
from ._errors import JobFailed, PralineError, Refused, Superseded, Unreachable
from ._explain import Decision, Explanation
from ._feed import Feed
from ._open import feed
from ._result import Result

__all__ = [
    "Batch",
    "Decision",
    "Epoch",
    "Explanation",
    "Feed",
    "JobFailed",
    "Loader",
    "PralineError",
    "Ragged",
    "Refused",
    "Result",
    "Sparse",
    "Superseded",
    "Unreachable",
    "distribute",
    "feed",
]
