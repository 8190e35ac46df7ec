"""What a feed reads, as the user gives it: a tf.data.Dataset, a serialised graph, a file of either kind."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from ._errors import Refused


@dataclass
class Source:
    """A pipeline on its way to Java."""

    graph: bytes
    #: a file of named steps; empty where there is none
    file: str
    name: str
    #: of its components, in the graph's order; empty where it has none
    names: list[str]
    #: the dataset's structure with the components' places in it, None where it has None; None where only names tell
    template: Any
    #: batches in an epoch; None where nobody knows
    batches: int | None
    #: TensorFlow's element spec; None where no dataset was given
    spec: Any
    #: the text of such a file, where the steps themselves were given
    steps: str = ""


def _paths(template: Any, prefix: str, into: dict[int, str]) -> None:
    if isinstance(template, dict):
        parts = list(template.items())
    elif isinstance(template, tuple):
        parts = list(zip(getattr(template, "_fields", range(len(template))), template))
    else:
        if template is not None:
            into[template] = prefix or str(template)
        return
    for key, part in parts:
        _paths(part, f"{prefix}/{key}" if prefix else str(key), into)


def _graph_of(dataset: Any) -> bytes:
    """
    The dataset's graph, with the same bytes whenever the same program makes it: a job that has an id goes on by them.

    TensorFlow writes functions and attributes in an order that chance decides.
    """
    import tensorflow as tf

    try:
        written = dataset._as_serialized_graph()
    except tf.errors.OpError as unwritable:
        reason = str(unwritable.message).splitlines()[0].rpartition("}} ")[2].removesuffix(" [Op:DatasetToGraphV2] name: ")
        raise Refused(
            f"the dataset cannot be written down: {reason}",
            "leave out what belongs to this process, such as prefetch_to_device and copy_to_device",
        ) from None
    graph = tf.compat.v1.GraphDef.FromString(written.numpy())
    functions = sorted(graph.library.function, key=lambda function: function.signature.name)
    del graph.library.function[:]
    graph.library.function.extend(functions)
    return graph.SerializeToString(deterministic=True)


def _of_dataset(dataset: Any) -> Source:
    import tensorflow as tf

    spec = dataset.element_spec
    places: list[int | None] = []
    leaves = 0
    for leaf in tf.nest.flatten(spec):
        # None is part of the structure alone: the graph has no component for it
        if isinstance(leaf, tf.NoneTensorSpec):
            places.append(None)
            continue
        if not isinstance(leaf, tf.TensorSpec):
            raise Refused(
                f"the dataset yields {type(leaf).__name__}: only dense tensors can travel",
                "make it dense in the pipeline, for instance with to_tensor() or tf.sparse.to_dense in a map",
            )
        places.append(leaves)
        leaves += 1
    template = tf.nest.pack_sequence_as(spec, places)
    paths: dict[int, str] = {}
    _paths(template, "", paths)
    cardinality = int(dataset.cardinality().numpy())
    return Source(
        graph=_graph_of(dataset),
        file="",
        name="",
        names=[paths[index] for index in range(leaves)],
        template=template,
        batches=cardinality if cardinality >= 0 else None,
        spec=spec,
    )


def _text_of(steps: Any) -> str:
    """
    The file of YAML that these steps would be, with each of a list's items in the line of its number, which complaints name.
    """
    if isinstance(steps, dict):
        head, items = dict(steps), []
        if isinstance(steps.get("steps"), (list, tuple)):
            items = head.pop("steps")
    else:
        head, items = {"source": steps[0]} if steps else {}, steps[1:]
    try:
        first, *others = [json.dumps(part, ensure_ascii=False, allow_nan=False) for part in (head, *items)]
    except (TypeError, ValueError) as unwritable:
        raise Refused(
            f"the steps hold what no file of steps can: {unwritable}",
            "settings are numbers, strings, booleans, lists and dicts of them",
        ) from None
    if not others:
        return first
    return first[:-1] + (", " if head else "") + '"steps": [\n' + ",\n".join(others) + "]}"


def source_of(given: Any) -> Source:
    """The pipeline that the user gives."""
    if hasattr(given, "_as_serialized_graph"):
        return _of_dataset(given)
    if isinstance(given, (bytes, bytearray, memoryview)):
        return Source(bytes(given), "", "", [], None, None, None)
    if isinstance(given, (list, tuple, dict)):
        return Source(b"", "", "", [], None, None, None, _text_of(given))
    if not isinstance(given, (str, os.PathLike)):
        raise Refused(
            f"a {type(given).__name__} is no pipeline",
            "give a tf.data.Dataset, a serialised graph as bytes, the path of a .pb or .yaml file, or steps",
        )
    path = os.path.abspath(os.fspath(given))
    name, ending = os.path.splitext(os.path.basename(path))
    if ending in (".yaml", ".yml"):
        return Source(b"", path, "", [], None, None, None)
    try:
        with open(path, "rb") as file:
            return Source(file.read(), "", name, [], None, None, None)
    except OSError as unreadable:
        raise Refused(f"the pipeline file {path} cannot be read: {unreadable.strerror}", "check the path") from None
