"""Compares the recorded pipelines and data with the scripts that make them, as far as that goes without TensorFlow.

    python check_pipelines.py PIPELINES

prints a line for each difference and ends with 1 if there is one. Compared are: every data file, byte by byte within its packing; of
pictures their number and size in pixels; the index, and which graphs and values there are; for the corpus that lies beside them its
list and how each file of values is to be read, and of other versions' graphs whose they are. Not compared are the graphs and values
themselves and the pictures' contents: those need the TensorFlow that wrote them.
"""

import ast
import glob
import gzip
import json
import os
import struct
import sys
import zlib

import make_data
from programs import Program

HERE = os.path.dirname(os.path.abspath(__file__))
UNPACKED = {"none": lambda content: content, "gzip": gzip.decompress, "zlib": zlib.decompress}
BROKEN = {"empty", "no_graph", "cut_short", "unknown_op", "no_retval"}


def pixels(jpeg):
    """Height and width, from the first frame header."""
    at = 2
    while jpeg[at + 1] not in (0xC0, 0xC1, 0xC2):
        at += 2 + struct.unpack_from(">H", jpeg, at + 2)[0]
    return struct.unpack_from(">HH", jpeg, at + 5)


def same(found, made):
    if isinstance(made, make_data.PictureExample):
        jpeg = found[found.find(b"\xff\xd8"): found.rfind(b"\xff\xd9") + 2]
        return same(jpeg, made.picture) and found == made.holding(jpeg)
    if isinstance(made, make_data.Picture):
        return found[:2] == b"\xff\xd8" and pixels(found) == (made.height, made.width)
    return found == made


def data_differences():
    files = make_data.files()
    for file in files:
        try:
            with open(file.path, "rb") as opened:
                content = opened.read()
            if isinstance(file, make_data.Plain):
                if not same(content, file.content):
                    yield f"{file.path} is not what make_data.py writes"
                continue
            found = make_data.unframed(UNPACKED[file.packing](content))
        except (OSError, ValueError, struct.error) as unreadable:
            yield f"{file.path}: {unreadable}"
            continue
        if len(found) != len(file.records):
            yield f"{file.path} has {len(found)} records, make_data.py writes {len(file.records)}"
        for index, (one, other) in enumerate(zip(found, file.records)):
            if not same(one, other):
                yield f"{file.path}: record {index} is not what make_data.py writes"
    there = {os.path.join(folder, name) for folder, _, names in os.walk("data") for name in names}
    for path in sorted(there - {file.path for file in files}):
        yield f"{path} is written by nobody"


def registered():
    """The pipelines of make_pipelines.py as (name, data, note, refused), and its constants, such as lists of names, read without running it."""
    constants, pipelines = {}, []
    for node in parsed("make_pipelines.py").body:
        if isinstance(node, ast.Assign):
            value = value_of(node.value, constants)
            if value is not None:
                constants[node.targets[0].id] = value
        elif isinstance(node, ast.FunctionDef):
            for by in node.decorator_list:
                if isinstance(by, ast.Call) and by.func.id == "pipeline":
                    data, note = (value_of(argument, constants) for argument in by.args)
                    refused = any(word.arg == "refused" and word.value.value for word in by.keywords)
                    pipelines.append((node.name.rstrip("_"), data, note, refused))
    return pipelines, constants


def valued():
    """The names of the pipelines whose values record_values.py records."""
    for node in parsed("record_values.py").body:
        if isinstance(node, ast.Assign) and node.targets[0].id == "RECORDED":
            return set(ast.literal_eval(node.value))
    return set()


def parsed(script):
    with open(os.path.join(HERE, script)) as source:
        return ast.parse(source.read())


def value_of(node, constants):
    if isinstance(node, ast.BinOp):
        left, right = value_of(node.left, constants), value_of(node.right, constants)
        return None if left is None or right is None else left + right
    if isinstance(node, ast.Name):
        return constants.get(node.id)
    if isinstance(node, (ast.Tuple, ast.List)):
        return tuple(value_of(one, constants) for one in node.elts)
    if isinstance(node, ast.Dict):
        return {value_of(key, constants): value_of(value, constants) for key, value in zip(node.keys, node.values)}
    try:
        return ast.literal_eval(node)
    except ValueError:
        return None


def graph_differences():
    pipelines, constants = registered()
    lines = ["pipeline\tdata\tshows"] + [
        f"{'refused/' if refused else ''}{name}.pb\t{data}\t{note}" for name, data, note, refused in sorted(pipelines)]
    with open("index.tsv") as index:
        if index.read() != "\n".join(lines) + "\n":
            yield "index.tsv is not what make_pipelines.py writes"
    expected = {
        ".": {f"{name}.pb" for name, _, _, refused in pipelines if not refused},
        "refused": {f"{name}.pb" for name, _, _, refused in pipelines if refused} | {f"{name}.pb" for name in BROKEN},
        "twice": {f"{name}.pb" for name in constants["TWICE"]},
        "tf215": {f"{name}.pb" for name in constants["OLD"]},
        "endless": {f"{name}.pb" for name in constants["ENDLESS"]},
        "values": {f"{name}.jsonl" for name in valued()},
    }
    for folder, names in expected.items():
        there = {name for name in os.listdir(folder) if name.endswith((".pb", ".jsonl"))}
        for name in sorted(there ^ names):
            yield f"{folder}/{name} is {'written by nobody' if name in there else 'missing'}"


def corpus_programs():
    """The programs of the corpus by name, read without running it: constants are those of the modules that programs take theirs from."""
    shared = assigned("make_pipelines.py", {})
    shared = assigned("corpus/sources.py", shared)
    found = {}
    for path in sorted(glob.glob(os.path.join(HERE, "corpus", "*.py"))):
        constants = assigned(path, shared)
        for node in parsed(path).body:
            for by in node.decorator_list if isinstance(node, ast.FunctionDef) else []:
                if isinstance(by, ast.Call) and isinstance(by.func, ast.Name) and by.func.id == "program":
                    given = [value_of(argument, constants) for argument in by.args]
                    named = {word.arg: value_of(word.value, constants) for word in by.keywords}
                    found[node.name] = Program.of(node.name, node, *given, **named)
    return found


def assigned(script, known):
    """The constants that a script gives a name, with those known before."""
    constants = dict(known)
    for node in parsed(script).body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            value = value_of(node.value, constants)
            if value is not None:
                constants[node.targets[0].id] = value
    return constants


def corpus_differences():
    programs = corpus_programs()
    with open("list.tsv") as listed:
        lines = [line.split("\t") for line in listed.read().splitlines()[1:]]
    if [(name, family, data, compared) for name, family, data, _, compared in lines] != [
            (program.name, program.family, program.data, program.compared()) for _, program in sorted(programs.items())]:
        yield "corpus: list.tsv is not what make_corpus.py writes"
    for folder, ending in ((".", ".pb"), ("values", ".jsonl")):
        there = {name for name in os.listdir(folder) if name.endswith(ending)}
        for name in sorted(there ^ {program + ending for program in programs}):
            yield f"corpus: {folder}/{name} is {'written by nobody' if name in there else 'missing'}"
    for name, program in programs.items():
        path = f"values/{name}.jsonl"
        if os.path.exists(path):
            with open(path) as values:
                head, *rows = values.read().splitlines()
            head = json.loads(head)
            if head.pop("rows", 0) != len(rows) and not program.choice or head != json.loads(json.dumps(program.head())):
                yield f"corpus: {path} is not what make_corpus.py writes"


def version_differences():
    """Which of a version's graphs are kept, a test of Java's says: here, that none is of a program that is not its to write."""
    constants = assigned("make_versions.py", {})
    since = constants["SINCE"]
    for path in sorted(glob.glob(os.path.join("*", "*.pb"))):
        version, name = int(path[2:5]), os.path.basename(path).removesuffix(".pb")
        if not any(name in names for names in constants["VERSIONED"].values()) or since.get(name, version) > version:
            yield f"versions: {path} is written by nobody"


def main():
    os.chdir(sys.argv[1])
    differences = list(data_differences()) + list(graph_differences())
    os.chdir(os.path.join(os.pardir, "corpus"))
    differences += corpus_differences()
    os.chdir(os.path.join(os.pardir, "versions"))
    differences += version_differences()
    for difference in differences:
        print(difference)
    sys.exit(1 if differences else 0)


if __name__ == "__main__":
    main()
