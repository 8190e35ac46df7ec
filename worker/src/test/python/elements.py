"""How elements are written down, for a test to compare with what comes through a whole cluster.

An element is a line: for each component its type, its shape and its values; of more than 48 numbers their mean and 48 at equal
distances. A complex number counts as two.
"""

import numpy as np

SAMPLES = 48


def flat(value):
    """The components of an element, dictionaries by key, as tf.data flattens them."""
    if isinstance(value, dict):
        return [leaf for key in sorted(value) for leaf in flat(value[key])]
    if isinstance(value, (tuple, list)):
        return [leaf for one in value for leaf in flat(one)]
    return [np.asarray(value, dtype=object if isinstance(value, bytes) else None)]


def slices(element):
    """The rows of a batch, along the leading dimension; a component without one belongs to each."""
    leaves = flat(element)
    for index in range(max(len(leaf) for leaf in leaves if leaf.ndim)):
        row = [leaf[index] if leaf.ndim else leaf for leaf in leaves]
        yield [np.asarray(one, dtype=leaf.dtype) for one, leaf in zip(row, leaves)]


def mirrored(image):
    half = image.shape[1] // 2
    left, right = image[:, :half], image[:, image.shape[1] - half:]
    return image if float(left.sum(dtype=np.float64)) <= float(right.sum(dtype=np.float64)) else image[:, ::-1]


def unpadded(row):
    if row.dtype == object:
        return row[: max((i + 1 for i, text in enumerate(row) if text), default=0)]
    return np.trim_zeros(row, "b")


def component(value):
    if value.dtype == object or value.dtype.kind == "S":
        values = [bytes(one).hex() for one in value.reshape(-1)]
        return {"type": "string", "shape": list(value.shape), "values": values}
    if value.dtype.kind == "c":
        return component(np.stack([value.real, value.imag], -1)) | {"type": value.dtype.name, "shape": list(value.shape)}
    numbers = value.reshape(-1).astype(np.float64)
    if len(numbers) > SAMPLES:
        places = [i * len(numbers) // SAMPLES for i in range(SAMPLES)]
        numbers = np.concatenate([[numbers.mean()], numbers[places]])
    values = [int(n) for n in numbers] if value.dtype.kind in "iub" and value.size <= SAMPLES else [float(f"{n:.9g}") for n in numbers]
    return {"type": value.dtype.name, "shape": list(value.shape), "values": values}
