"""Ragged and sparse tensors, which travel as the dense ones that they are made of."""

from __future__ import annotations

from typing import Any, Callable, Iterator, Mapping, NamedTuple

from ._batch import is_structure, parts, rebuilt


class Ragged(NamedTuple):
    """
    Rows of unequal length, as ``tf.RaggedTensor`` has them: row ``i`` is ``values[row_splits[i]:row_splits[i + 1]]``.

    :param values: of all rows, one behind the other; where rows are ragged themselves, a :class:`Ragged`
    :param row_splits: where each row begins, and the last one ends: one more than there are rows, int32 or int64
    """

    values: Any
    row_splits: Any


class Sparse(NamedTuple):
    """
    A tensor of which few values are not 0, as ``tf.SparseTensor`` has it.

    :param indices: where these stand, int64 of shape [values, dimensions]
    :param values: in the order of the indices
    :param dense_shape: of the whole tensor, int64 of shape [dimensions]
    """

    indices: Any
    values: Any
    dense_shape: Any


#: what tells workers that a function makes a batch's rows of the same rows, in whatever form they lie: EarlyBatches
_BY_ROWS = "_praline_rows"


def is_composite(spec: Any) -> bool:
    """Whether it is the spec of a ragged or a sparse tensor."""
    import tensorflow as tf

    return isinstance(spec, (tf.RaggedTensorSpec, tf.SparseTensorSpec))


def in_parts(dataset: Any) -> tuple[Any, list[Any]]:
    """
    The dataset with dense tensors in place of each ragged or sparse one, behind each other in a tuple.

    :return: it, and for each leaf of the dataset's spec where it lies in that tuple: a place, or :class:`Ragged` or
        :class:`Sparse` of places
    """
    import tensorflow as tf

    spec = dataset.element_spec
    places: list[Any] = []

    def dense(*arguments: Any) -> tuple[Any, ...]:
        element = arguments if type(spec) is tuple else arguments[0]
        dense_parts: list[Any] = []
        places.clear()
        for value in tf.nest.flatten(element):
            at = len(dense_parts)
            if isinstance(value, tf.RaggedTensor):
                splits = value.nested_row_splits
                dense_parts += [value.flat_values, *splits]
                place: Any = at
                for number in reversed(range(len(splits))):
                    place = Ragged(place, at + 1 + number)
            elif isinstance(value, tf.SparseTensor):
                dense_parts += [value.indices, value.values, value.dense_shape]
                place = Sparse(at, at + 1, at + 2)
            elif value is None:
                place = None
            else:
                dense_parts.append(value)
                place = at
            places.append(place)
        return tuple(dense_parts)

    # there is nothing in it that depends on values
    return dataset.map(tf.autograph.experimental.do_not_convert(dense), name="dense_parts"), places


def mark_by_rows(graph: Any) -> None:
    """Tells workers that the last step of a graph, which :func:`in_parts` put there, does not mix the rows of batches."""
    nodes = {node.name: node for node in graph.node}
    (returned,) = [node for node in graph.node if node.op == "_Retval"]
    step = nodes[returned.input[0].partition(":")[0]]
    function = step.attr["f"].func.name
    for each in graph.library.function:
        if each.signature.name == function:
            each.attr[_BY_ROWS].b = True


def dataset_of(batches: Callable[[], Iterator[Any]], spec: Any, as_asked: bool = False) -> Any:
    """
    A dataset of this element spec that walks over data of batches.

    :param batches: begins a walk; what it gives is closed where the walk ends early
    :param as_asked: whether it is walked as whoever has it asks; by itself TensorFlow reads ahead, and that a batch is asked for
        would not tell that the one before is done with
    """
    import tensorflow as tf

    made = _dataset_of(batches, spec)
    if not as_asked:
        return made
    options = tf.data.Options()
    options.experimental_optimization.inject_prefetch = False
    return made.with_options(options)


def _dataset_of(batches: Callable[[], Iterator[Any]], spec: Any) -> Any:
    import tensorflow as tf

    specs = tensor_specs(spec)

    if not _is_taken_apart_by_its_own_word(spec):
        return tf.data.Dataset.from_generator(lambda: map(tensors, batches()), output_signature=specs)
    # a generator's elements are taken apart by what is known of tuples and mappings alone
    flat = tf.data.Dataset.from_generator(
        lambda: (tuple(tf.nest.flatten(tensors(data))) for data in batches()),
        output_signature=tuple(tf.nest.flatten(specs)),
    )
    return flat.map(tf.autograph.experimental.do_not_convert(lambda *parts: tf.nest.pack_sequence_as(spec, parts)))


def _is_taken_apart_by_its_own_word(spec: Any) -> bool:
    """Whether it is, or has in it, what says itself how TensorFlow takes it apart."""
    if not is_structure(spec):
        return False
    values = spec.values() if isinstance(spec, Mapping) else parts(spec)
    return hasattr(type(spec), "__tf_flatten__") or any(map(_is_taken_apart_by_its_own_word, values))


def tensor_specs(spec: Any) -> Any:
    """
    The same spec as a generator of :func:`tensors` keeps it: ragged tensors of no ragged dimension, which are elements of
    ragged ones, are dense.
    """
    import tensorflow as tf

    def dense(leaf: Any) -> Any:
        return tf.TensorSpec(leaf.shape, leaf.dtype) if getattr(leaf, "ragged_rank", 1) == 0 else leaf

    return tf.nest.map_structure(dense, spec)


def tensors(data: Any) -> Any:
    """The same data with TensorFlow's ragged and sparse tensors."""
    if isinstance(data, Ragged):
        import tensorflow as tf

        return tf.RaggedTensor.from_row_splits(tensors(data.values), data.row_splits, validate=False)
    if isinstance(data, Sparse):
        import tensorflow as tf

        return tf.SparseTensor(data.indices, data.values, data.dense_shape)
    return rebuilt(data, tensors) if is_structure(data) else data
