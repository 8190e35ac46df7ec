"""A feed's batches as the arrays of other frameworks, each imported where it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Callable, Iterator

import numpy as np

from ._composite import dataset_of
from ._errors import Refused

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ._batch import Batch
    from ._feed import Feed


def torch_tensors(batches: Iterator[Batch], device: Any) -> Iterator[Any]:
    """Tensors over the same memory, or on a device."""
    tensor = _to_torch(device)
    for batch in batches:
        made = batch.map(tensor)
        del batch  # or it would be held as long as the loop has its tensors
        yield made
        del made


#: what numpy has by ml_dtypes, as PyTorch calls it, and the integers that its bits are
_BITS = {"bfloat16": np.int16, "float8_e5m2": np.uint8, "float8_e4m3fn": np.uint8}


def _to_torch(device: Any) -> Callable[[NDArray[Any]], Any]:
    import torch

    def tensor(value: NDArray[Any]) -> Any:
        if value.dtype == object:
            return value
        name = value.dtype.name
        if name in _BITS:
            made = torch.from_numpy(value.view(_BITS[name])).view(getattr(torch, name))
        elif name in ("int4", "uint4"):  # a byte each in numpy, which PyTorch has no type for
            made = torch.from_numpy(value.astype(name[:-1] + "8"))
        else:
            made = torch.from_numpy(value)
        return made if device is None else made.to(device)

    return tensor


def jax_arrays(batches: Iterator[Batch], sharding: Any) -> Iterator[Any]:
    """Arrays on JAX's devices; on a CPU over the same memory, which JAX lets go of by the time that it makes others."""
    array = _to_jax(sharding)
    for batch in batches:
        arrays = batch.map(array)
        del batch  # or it would be held as long as the loop has its arrays
        yield arrays
        del arrays


def _to_jax(sharding: Any) -> Callable[[NDArray[Any]], Any]:
    import jax

    def array(value: NDArray[Any]) -> Any:
        if value.dtype == object:
            return value
        _require_room(value, jax.dtypes.canonicalize_dtype(value.dtype))
        if sharding is None:
            return jax.device_put(value)
        return jax.make_array_from_process_local_data(sharding, value)

    return array


def _require_room(value: NDArray[Any], becomes: np.dtype[Any]) -> None:
    """Refuses integers that JAX would cut without a word."""
    if value.dtype.kind not in "iu" or becomes.itemsize >= value.dtype.itemsize or not value.size:
        return
    room = np.iinfo(becomes)
    least, most = int(value.min()), int(value.max())
    if least < room.min or most > room.max:
        raise Refused(
            f"a component has values from {least} to {most}, and JAX would cut them to {becomes.name}",
            "call jax.config.update('jax_enable_x64', True) at the beginning, or cast the component in the pipeline",
        )


def tf_dataset(feed: Feed, spec: Any) -> Any:
    """A dataset that walks the feed once."""
    if spec is None:
        raise Refused(
            "a graph does not say what its elements are, so that no tf.data.Dataset can be made of it",
            "give praline.feed the dataset itself",
        )

    return dataset_of(lambda: (batch.data for batch in feed), spec, as_asked=not feed._goes_with_feed)
