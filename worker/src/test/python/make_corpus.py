"""Serialises the programs of the corpus and records what Python yields of them.

    python make_corpus.py OUT                                       # OUT: worker/src/test/resources/corpus; beside it lies pipelines
    python make_corpus.py OUT --only skip_header,zip_counter        # these programs
    python make_corpus.py OUT --modules ops_map,bert                # the programs of these modules

Written are OUT/NAME.pb, OUT/values/NAME.jsonl and OUT/list.tsv, the list of all programs that have a graph. A file of values begins
with a line that says how its rows are to be read: the options of `programs.Program` that are set, and `rows`, how many the program
yields. Then a line for each row: for each component its type, its shape and its values (elements.py); drawn and loose components have no
values, a loose one no leading dimension where elements are compared whole. The lines stand in order of their text, those of an ordered
program as they come; for a program whose elements are chosen by chance they are its universe's.

Every program runs twice. A difference in what is said to be exact, a draw out of its bounds, two equal draws that are said to be
independent or an element out of the universe ends with a line that names the program, and nothing of it is written.

Written with TensorFlow 2.18, the version of the engine: other versions decode JPEGs to other last bits.
"""

import argparse
import contextlib
import importlib
import json
import os
import pkgutil
import sys
import tempfile

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "2")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "-1")

import numpy as np
import tensorflow as tf

import corpus
from elements import component, flat, mirrored, slices, unpadded
from programs import PROGRAMS, UNIVERSES

COLUMNS = "program\tfamily\tdata\tdataset ops\tcompared"


class Untrue(Exception):
    """A program does not yield what is said of it."""


@contextlib.contextmanager
def fresh_folder(data):
    """Works in an empty folder that has the data files, so that what a program caches is not there when it runs again."""
    before = os.getcwd()
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(data, os.path.join(folder, "data"))
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)


def rows(dataset, program):
    """Each row, or element, as arrays."""
    for element in dataset.as_numpy_iterator():
        for row in slices(element) if program.unit == "row" else [flat(element)]:
            row = [mirrored(one) if i in program.mirrored else one for i, one in enumerate(row)]
            yield [unpadded(one) if i in program.padded else one for i, one in enumerate(row)]


def line(row, program):
    """What of a row is compared with values, as text."""
    written = [component(one) for one in row]
    drawn = dict(program.drawn)
    for index, one in enumerate(written):
        if index in drawn or index in program.loose:
            del one["values"]
        if index in program.loose and program.unit == "element" and one["shape"]:
            one["shape"] = [-1] + one["shape"][1:]
    return json.dumps(written, allow_nan=False, separators=(",", ":"))


def lines(given, program):
    made = [line(row, program) for row in given]
    return made if program.ordered else sorted(made)


def check_draws(given, program):
    for index, (low, high) in program.drawn:
        for row in given:
            values = row[index].astype(np.float64)
            if values.size and not (low <= values.min() and values.max() <= high):
                raise Untrue(f"component {index} has {values.min()} to {values.max()}, said is {low} to {high}")
    for one, other in program.distinct:
        if any(np.array_equal(row[one], row[other]) for row in given):
            raise Untrue(f"components {one} and {other} are equal")
    for index in program.spread:
        if 2 * len({row[index].tobytes() for row in given}) <= len(given):
            raise Untrue(f"component {index} is the same in half of the rows")


def check_choice(found, possible, program):
    strange = set(found) - set(possible)
    if strange:
        raise Untrue(f"not in its universe: {min(strange)}")
    low, high = program.count or (len(found), len(found))
    if not low <= len(found) <= high:
        raise Untrue(f"{len(found)} rows, said are {low} to {high}")


def recorded(program, data):
    """The lines of its file of values, the first without the others' meaning."""
    head = program.head()
    if program.refused:
        return [json.dumps(head)]
    runs = []
    for _ in range(2):
        with fresh_folder(data):
            runs.append(list(rows(program.make(), program)))
            check_draws(runs[-1], program)
    first, second = (lines(run, program) for run in runs)
    if bool(first) == program.empty:
        raise Untrue("it yields something" if first else "it yields nothing")
    if program.choice:
        with fresh_folder(data):
            body = lines(rows(UNIVERSES[program.name](), program), program)
        for found in (first, second):
            check_choice(found, body, program)
    else:
        body = first
    if not program.choice and first != second:
        different = sorted(set(first) ^ set(second)) or ["the order"]
        raise Untrue(f"two runs differ: {different[0]}")
    if len(first) != len(second) and not program.count:
        raise Untrue(f"{len(first)} rows, then {len(second)}")
    return [json.dumps(head | {"rows": len(first)})] + body


def dataset_ops(path):
    graph = tf.compat.v1.GraphDef()
    with open(path, "rb") as opened:
        graph.ParseFromString(opened.read())
    nodes = list(graph.node) + [node for function in graph.library.function for node in function.node_def]
    return sorted({node.op for node in nodes if "Dataset" in node.op})


def write(program, out, data):
    with fresh_folder(data):
        graph = program.make()._as_serialized_graph().numpy()
    values = recorded(program, data)
    with open(os.path.join(out, f"{program.name}.pb"), "wb") as opened:
        opened.write(graph)
    with open(os.path.join(out, "values", f"{program.name}.jsonl"), "w") as opened:
        opened.write("\n".join(values) + "\n")


def write_list(out):
    there = [program for _, program in sorted(PROGRAMS.items()) if os.path.exists(os.path.join(out, f"{program.name}.pb"))]
    with open(os.path.join(out, "list.tsv"), "w") as opened:
        print(COLUMNS, file=opened)
        for program in there:
            ops = ",".join(dataset_ops(os.path.join(out, f"{program.name}.pb")))
            print(program.name, program.family, program.data, ops, program.compared(), sep="\t", file=opened)


def remove_strangers(out):
    for folder, ending in ((out, ".pb"), (os.path.join(out, "values"), ".jsonl")):
        for name in os.listdir(folder):
            if name.endswith(ending) and name.removesuffix(ending) not in PROGRAMS:
                os.remove(os.path.join(folder, name))


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("out")
    arguments.add_argument("--only", help="names of programs, with commas")
    arguments.add_argument("--modules", help="names of modules, with commas")
    given = arguments.parse_args()
    out = os.path.abspath(given.out)
    data = os.path.join(os.path.dirname(out), "pipelines", "data")
    os.makedirs(os.path.join(out, "values"), exist_ok=True)
    tf.get_logger().setLevel("ERROR")  # several lambdas on a line: autograph says so for each
    for module in pkgutil.iter_modules(corpus.__path__, "corpus."):
        importlib.import_module(module.name)
    modules = {f"corpus.{name}" for name in given.modules.split(",")} if given.modules else None
    names = set(given.only.split(",")) if given.only else None
    failed = 0
    for name, program in PROGRAMS.items():
        if (modules is None or program.make.__module__ in modules) and (names is None or name in names):
            tf.random.set_seed(None)
            try:
                write(program, out, data)
            except Exception as failure:  # whatever one program ends with, the others are written, and the script ends with 1
                failed += 1
                print(f"{name}: {type(failure).__name__}: {str(failure).strip().splitlines()[0][:300]}", file=sys.stderr)
    remove_strangers(out)
    write_list(out)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
