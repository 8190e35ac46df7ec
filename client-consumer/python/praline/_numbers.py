"""Numbers in a graph that say how much its process had made before."""

from __future__ import annotations

import re
from typing import Any, Iterator

#: a function's name, and a resource's, behind which TensorFlow counts all that a process makes
_COUNTED = re.compile(r"(.*)_(0|[1-9]\d*)")
#: a dataset's name where the user gave none: a protocol buffer of one string, which is shorter than 128 bytes
_DATASET = re.compile(rb"\n[\0-\x7f]([^:]+):(\d+)", re.DOTALL)
#: a node's name where it has a number of its own beside the graph's, which begin with an underscore
_NODE = re.compile(r"(.*)/(0|[1-9]\d*)")


def renumber(graph: Any) -> None:
    """
    Counts functions, datasets, resources and nodes anew, by where they stand in the graph: who makes the same dataset again in the
    same process, as a cell of a notebook does that is run again, has the same graph again.
    """
    names = _names(graph)
    for function in graph.library.function:
        function.signature.name = names[function.signature.name]
        _rename_arguments(function, names)
    for gradient in graph.library.gradient:
        gradient.function_name = names.get(gradient.function_name, gradient.function_name)
        gradient.gradient_func = names.get(gradient.gradient_func, gradient.gradient_func)
    nodes = list(_nodes(graph))
    for node in nodes:
        node.op = names.get(node.op, node.op)
        for called in _called(node.attr):
            called.name = names.get(called.name, called.name)
    _renumber_datasets(nodes)
    _renumber_resources(nodes)
    _renumber_nodes(graph.node)


def _nodes(graph: Any) -> Iterator[Any]:
    yield from graph.node
    for function in graph.library.function:
        yield from function.node_def


def _called(attributes: Any) -> Iterator[Any]:
    """The functions that these attributes name, in the order of their keys."""
    for key in sorted(attributes):
        value = attributes[key]
        functions = [value.func] if value.HasField("func") else value.list.func
        for function in functions:
            yield function
            yield from _called(function.attr)


def _names(graph: Any) -> dict[str, str]:
    """Of each function, by the one it has: counted as they are met, from the graph on."""
    functions = {function.signature.name: function for function in graph.library.function}
    names: dict[str, str] = {}
    bodies = [graph.node]

    def meet(name: str) -> None:
        if name in functions and name not in names:
            counted = _COUNTED.fullmatch(name)
            names[name] = f"{counted[1] if counted else name}_{len(names)}"
            bodies.append(functions[name].node_def)

    for body in bodies:
        for node in body:
            meet(node.op)
            for called in _called(node.attr):
                meet(called.name)
    for name in sorted(functions):
        meet(name)
    return names


def _rename_arguments(function: Any, names: dict[str, str]) -> None:
    """Those of a loop's condition that it does not look at have the function's own name in theirs."""
    arguments: dict[str, str] = {}
    for argument in function.signature.input_arg:
        for name, again in names.items():
            if f"{name}___redundant_placeholder" in argument.name:
                arguments[argument.name] = argument.name.replace(name, again)
                argument.name = arguments[argument.name]
                break
    if not arguments:
        return
    for node in function.node_def:
        for place, given in enumerate(node.input):
            node.input[place] = arguments.get(given, given)
    for returned, given in list(function.ret.items()):
        function.ret[returned] = arguments.get(given, given)


def _renumber_datasets(nodes: list[Any]) -> None:
    named = [(node.attr["metadata"], _DATASET.fullmatch(node.attr["metadata"].s)) for node in nodes if "metadata" in node.attr]
    numbers = sorted({int(name[2]) for _, name in named if name})
    for value, name in named:
        if name:
            again = b"%s:%d" % (name[1], numbers.index(int(name[2])))
            value.s = b"\n%c%s" % (len(again), again)


def _renumber_resources(nodes: list[Any]) -> None:
    handles = [handle for node in nodes if node.op == "Const" for handle in node.attr["value"].tensor.resource_handle_val]
    named = [(handle, _COUNTED.fullmatch(handle.name)) for handle in handles]
    numbers = sorted({int(name[2]) for _, name in named if name})
    for handle, name in named:
        if name:
            handle.name = f"{name[1]}_{numbers.index(int(name[2]))}"


def _renumber_nodes(nodes: Any) -> None:
    named = [(node.name, _NODE.fullmatch(node.name)) for node in nodes]
    numbers = sorted({int(counted[2]) for _, counted in named if counted})
    again = {name: f"{counted[1]}/{numbers.index(int(counted[2]))}" for name, counted in named if counted}
    for node in nodes:
        node.name = again.get(node.name, node.name)
        for place, given in enumerate(node.input):
            name, colon, output = given.lstrip("^").partition(":")
            if name in again:
                node.input[place] = "^" * given.startswith("^") + again[name] + colon + output
