"""What a feed reads, as the user gives it: a tf.data.Dataset, a serialised graph, a file of either kind."""

from __future__ import annotations

import itertools
import json
import os
import re
from dataclasses import dataclass
from typing import Any, Mapping

from ._arguments import whole
from ._batch import fields, has_parts, leaves, parts
from ._composite import in_parts, is_composite, mark_by_rows
from ._errors import Refused
from ._numbers import renumber


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

    def require(self, names: list[str]) -> None:
        """Refuses batches of a job whose components are others than are known here: it was submitted with another pipeline."""
        expected = self.names
        if not expected and self.template is not None:
            expected = [str(place) for place in range(len(list(leaves(self.template))))]
        if expected and names != expected:
            raise Refused(
                f"the job's batches have the components {', '.join(names)}, and here they are {', '.join(expected)}",
                "give all processes that share a job the same pipeline and names",
            )


def by_names(names: list[str]) -> Any:
    """The structure where only names tell of one: components go by these, or by place where they have none."""
    places = list(range(len(names)))
    return tuple(places) if names == list(map(str, places)) else dict(zip(names, places))


def _paths(template: Any, prefix: str, into: dict[int, str]) -> None:
    if isinstance(template, Mapping):
        named = list(template.items())
    elif has_parts(template):
        named = list(zip(fields(template) or itertools.count(), parts(template)))
    else:
        if template is not None:
            into[template] = prefix or str(template)
        return
    for key, part in named:
        _paths(part, f"{prefix}/{key}" if prefix else str(key), into)


def _graph_of(dataset: Any) -> Any:
    """
    The dataset's graph, with the same bytes whenever the same program makes it, and however often: a job that has an id goes on
    by them.

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
    renumber(graph)
    functions = sorted(graph.library.function, key=lambda function: function.signature.name)
    del graph.library.function[:]
    graph.library.function.extend(functions)
    return graph


def _of_dataset(dataset: Any) -> Source:
    import tensorflow as tf

    spec = dataset.element_spec
    specs = tf.nest.flatten(spec)
    for leaf in specs:
        if not (_is_none(leaf) or isinstance(leaf, tf.TensorSpec) or is_composite(leaf)):
            raise Refused(
                f"the dataset yields {type(leaf).__name__}: only tensors can travel",
                "make tensors of it in the pipeline, for instance with stack() of a TensorArray in a map",
            )
    if any(map(is_composite, specs)):
        dense, places = in_parts(dataset)
        graph = _graph_of(dense)
        mark_by_rows(graph)
    else:
        present = itertools.count()
        places = [None if _is_none(leaf) else next(present) for leaf in specs]
        graph = _graph_of(dataset)
    template = tf.nest.pack_sequence_as(spec, places)
    paths: dict[int, str] = {}
    _paths(template, "", paths)
    names = [paths[index] for index in range(len(paths))]
    return Source(
        graph=graph.SerializeToString(deterministic=True),
        file="",
        name="",
        # {"a": {"b": x}, "a/b": y}: by their places
        names=names if len(set(names)) == len(names) else [],
        template=template,
        batches=None if _repeats_below_a_step(graph) or _ends_short_in_each_task(graph) else _batches(dataset),
        spec=spec,
    )


def _is_none(spec: Any) -> bool:
    """None is part of the structure alone: the graph has no component for it. TensorFlow 2.18 and older do not export its type."""
    return type(spec).__name__ == "NoneTensorSpec"


def _ends_short_in_each_task(graph: Any) -> bool:
    """
    Whether there are batches of which each task's last may come short: of such sparse ones no element is known, so that what
    does not fill a batch goes on to no other task.
    """
    return any(node.op == "DenseToSparseBatchDataset" for node in graph.node)


def _batches(dataset: Any) -> int | None:
    cardinality = int(dataset.cardinality().numpy())
    return cardinality if cardinality >= 0 else None


#: of each element, wherever it comes from, these steps make one
_ONE_OF_ONE = re.compile(
    r"_Retval|(Repeat|Prefetch|Options|Map|ParallelMap|Shuffle|Cache)Dataset(V\d)?"
)


def _repeats_below_a_step(graph: Any) -> bool:
    """
    Whether a repetition stands below a step that may join the end of one round with the beginning of the next, as a batch
    does: such rounds become epochs, where each ends with batches of its own, so that there are more than TensorFlow counts.
    """
    nodes = {node.name: node for node in graph.node}
    repeats = {node.name for node in graph.node if node.op == "RepeatDataset"}
    inputs = {given.split(":")[0].lstrip("^") for node in graph.node for given in node.input}
    above = [name for name in nodes if name not in inputs]
    while above:
        node = nodes[above.pop()]
        repeats.discard(node.name)
        if _ONE_OF_ONE.fullmatch(node.op):
            above += [given.split(":")[0] for given in node.input[:1]]
    return bool(repeats)


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


def batches_known(source: Source, said: Mapping[str, Any]) -> int | None:
    """
    How many batches come in all, to a loop that says this of its job; None where that is not known before they came.

    Other files hold other numbers, other loops take some, as this one may have before it was started again with the job's id,
    and bad records are in none.
    """
    others = said.get("consumers", 1) != 1 or said.get("job") is not None
    if source.batches is None or said.get("data") is not None or others or said.get("skip_bad", 0):
        return None
    return source.batches * whole("epochs", said.get("epochs", 1))
