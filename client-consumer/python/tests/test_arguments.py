"""What is refused before anything is started."""

import ast
import collections
import collections.abc
import dataclasses
import pathlib
import re
import subprocess
import sys
import time
import types

import numpy as np
import praline
import pytest
from conftest import framework
from praline import _arguments, _batch, _composite, _errors, _open, _source, _types


@pytest.mark.parametrize(
    "arguments, line",
    [
        ({"pipeline": 7}, "a int is no pipeline"),
        ({"pipeline": "/nowhere/p.pb"}, "the pipeline file /nowhere/p.pb cannot be read: No such file or directory"),
        ({"pipeline": b"", "memory_mb": 4}, "memory_mb must be 8 to 2047, is 4"),
        ({"pipeline": b"", "ahead": -1}, "ahead must be at least 0, is -1"),
        ({"pipeline": b"", "ahead": "1"}, "ahead must be a whole number, is '1'"),
        ({"pipeline": b"", "rank": 2, "consumers": 2}, "rank must be 0 to 1 where consumers is 2, is 2"),
        ({"pipeline": b"", "consumers": 2}, "processes that share a job must say which: job is missing"),
        ({"pipeline": b"", "consumers": 0}, "consumers must be at least 1, is 0"),
        ({"pipeline": b"", "epochs": "two"}, "epochs must be a whole number, is 'two'"),
        ({"pipeline": b"", "epochs": 2.5}, "epochs must be a whole number, is 2.5"),
        ({"pipeline": b"", "epochs": 10**12}, "epochs must be from 1 to 2**31 - 1, is 1000000000000"),
        ({"pipeline": b"", "seed": None}, "seed must be a whole number, is None"),
        ({"pipeline": b"", "seed": 2**63}, f"seed must be from -2**63 to 2**63 - 1, is {2**63}"),
        ({"pipeline": b"", "skip_bad": True}, "skip_bad must be a whole number, is True"),
        ({"pipeline": b"", "max_local": "1"}, "max_local must be a whole number, is '1'"),
        ({"pipeline": b"", "memory_mb": "256"}, "memory_mb must be a whole number, is '256'"),
        ({"pipeline": b"", "max_batch_bytes": 1.5}, "max_batch_bytes must be a whole number, is 1.5"),
        ({"pipeline": b"", "max_batch_bytes": 0}, "max_batch_bytes must be at least 1, is 0"),
        ({"pipeline": b"", "max_batch_bytes": -1}, "max_batch_bytes must be at least 1, is -1"),
        ({"pipeline": b"", "max_batch_bytes": 2**63}, f"max_batch_bytes must be from 1 to 2**63 - 1, is {2**63}"),
        ({"pipeline": b"", "epochs": 0}, "epochs must be at least 1, is 0"),
        ({"pipeline": b"", "skip_bad": -1}, "skip_bad must be at least 0, is -1"),
        ({"pipeline": b"", "max_remote": -1}, "max_remote must be at least 0, is -1"),
        ({"pipeline": b"", "max_local": -1}, "max_local must be at least 0, is -1"),
        ({"pipeline": b"", "price_client": -0.5}, "price_client must be at least 0, is -0.5"),
        ({"pipeline": b"", "cap": 0}, "cap must be above 0, is 0"),
        ({"pipeline": b"", "cap": "much"}, "cap must be a number, is 'much'"),
        ({"pipeline": b"", "cap": float("nan")}, "cap must be finite, is nan"),
        ({"pipeline": b"", "price_fetch": float("inf")}, "price_fetch must be finite, is inf"),
        ({"pipeline": b"", "job": ""}, "job must be a string that is not empty, is ''"),
        ({"pipeline": b"", "job": 7}, "job must be a string that is not empty, is 7"),
        ({"pipeline": b"", "guarantee": 1}, "guarantee must be a string that is not empty, is 1"),
        ({"pipeline": b"", "names": "image"}, "names must be a list of strings, is 'image'"),
        ({"pipeline": b"", "names": ["a", 1]}, "each of names must be a string that is not empty, is 1"),
        ({"pipeline": b"", "names": 3}, "names must be a list of strings, is 3"),
        ({"pipeline": b"", "data": 5}, "data must be a glob or a list of globs, is 5"),
        ({"pipeline": b"", "data": []}, "data is an empty list"),
        ({"pipeline": b"", "data": ["/a", b"/b"]}, "each of data must be a path, is b'/b'"),
        ({"pipeline": b"", "kafka_config": 1, "bootstrap": "h:1", "registry": "http://r"}, "kafka_config must be a path, is 1"),
        ({"pipeline": b"", "kafka_config": 1}, "kafka_config must be a path, is 1"),
        ({"pipeline": b"", "secret_file": ""}, "secret_file must be a string that is not empty, is ''"),
        ({"pipeline": b"", "secret_file": "s"}, "secret_file is of a cluster that is named, and none is"),
        ({"pipeline": b"", "kafka_config": "s"}, "kafka_config is of a cluster that is named, and none is"),
        ({"pipeline": b"", "graph_dir": ""}, "graph_dir must be a string that is not empty, is ''"),
        ({"pipeline": b"", "graph_dir": []}, "graph_dir must be a path, is []"),
        ({"pipeline": b"", "data": "/a\0b"}, "data must not have a character 0 in it, is '/a\\x00b'"),
        ({"pipeline": b"", "memory_mb": 2**40}, f"memory_mb must be 8 to 2047, is {2**40}"),
        ({"pipeline": b"", "bootstrap": "h:1"}, "Kafka and the registry go together, and one of them is not given"),
    ],
)
def test_wrong_arguments_are_refused_in_a_line(arguments, line, monkeypatch):
    monkeypatch.delenv("PRALINE_URL", raising=False)
    with pytest.raises(praline.Refused) as refused:
        praline.feed(**arguments)
    assert str(refused.value) == line


def test_whatever_goes_wrong_is_told_with_what_to_do_next():
    kinds = {kind.__name__ for kind in vars(_errors).values() if isinstance(kind, type) and issubclass(kind, praline.PralineError)}
    for file in pathlib.Path(praline.__file__).parent.glob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in kinds:
                assert len(node.args) == 2, f"{file.name}:{node.lineno} tells no next step"


def test_a_program_whose_folder_is_gone_is_told_so(tmp_path, monkeypatch):
    folder = tmp_path / "gone"
    folder.mkdir()
    monkeypatch.chdir(folder)
    folder.rmdir()
    for pipeline in (b"", "p.pb"):
        with pytest.raises(praline.Refused, match="the folder that this program runs in cannot be found: No such file") as refused:
            praline.feed(pipeline)
        assert "os.chdir" in refused.value.__notes__[0]


def test_numbers_of_numpy_and_all_that_can_be_walked_over_are_taken_as_what_they_are():
    assert _arguments.whole("epochs", np.int64(3)) == 3 and type(_arguments.whole("epochs", np.int64(3))) is int
    assert _arguments.number("cap", np.float32(0.5)) == 0.5 and type(_arguments.number("cap", 1)) is float
    assert _arguments.globs("data", pathlib.Path("/a")) == ["/a"]
    assert _arguments.globs("data", (path for path in [pathlib.Path("/a"), "/b"])) == ["/a", "/b"]
    assert _arguments.texts("names", ("x", "y")) == ["x", "y"]


def test_a_cluster_is_named_by_an_address(monkeypatch):
    monkeypatch.setenv("PRALINE_URL", "kafka://a:1,b:2?registry=http://r:3&secret=/s")
    assert _open._cluster(None, None, None, None) == {"bootstrap": "a:1,b:2", "registry": "http://r:3", "secret": "/s"}
    assert _open._cluster("h:1", "http://q", None, None) == {"bootstrap": "h:1", "registry": "http://q"}
    monkeypatch.setenv("PRALINE_URL", "kafka://a:1?registry=http://r:3&graphs=/g")
    assert _open._cluster(None, None, None, None) == {"bootstrap": "a:1", "registry": "http://r:3", "graphs": "/g"}
    # not an address of the web: several hosts, and a + is no space
    monkeypatch.setenv("PRALINE_URL", " KAFKA://a:1,[::1]:2,[fe80::1%eth0]:3/?registry=http://r:3&secret=/c++/s%20t&page=http://p/#/jobs")
    assert _open._cluster(None, None, None, None) == {
        "bootstrap": "a:1,[::1]:2,[fe80::1%eth0]:3",
        "registry": "http://r:3",
        "secret": "/c++/s t",
        "page": "http://p/#/jobs",
    }
    for url in (
        "http://a:1",
        "kafka://[::1",
        "kafka://a:1?regisrty=http://r:3",
        "garbage",
        "kafka://?registry=http://r:3",
        "kafka://a:1/topic?registry=http://r:3",
        "kafka://a b:1?registry=http://r:3",
        "kafka://a:1?registry=http://r:3&secret=",
        "kafka://a:1?registry=http://r:3&registry=http://q:3",
        "kafka://a:1&registry=http://r:3",
    ):
        monkeypatch.setenv("PRALINE_URL", url)
        with pytest.raises(praline.Refused, match=re.escape(f"PRALINE_URL is not as expected: {url}")):
            _open._cluster(None, None, None, None)
    monkeypatch.setenv("PRALINE_URL", "kafka://me:hidden@a:1?registry=http://r:3")
    with pytest.raises(praline.Refused, match=re.escape("PRALINE_URL is not as expected: kafka://...@a:1?registry")):
        _open._cluster(None, None, None, None)
    monkeypatch.delenv("PRALINE_URL")
    assert _open._cluster(None, None, None, None) is None


def test_other_systems_are_refused(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(praline.Refused, match="runs on Linux only"):
        praline.feed(b"")
    monkeypatch.undo()
    monkeypatch.setattr(sys, "byteorder", "big")
    with pytest.raises(praline.Refused, match="runs on little-endian processors only"):
        praline.feed(b"")


def test_the_package_can_be_imported_where_feeds_are_refused():
    said = subprocess.run([sys.executable, "-c", ELSEWHERE], stdout=subprocess.PIPE, check=True, text=True).stdout
    assert said == "praline.feed runs on Linux only: other systems have no memory without a name\n"


# as Windows has it
ELSEWHERE = """
import ctypes, os, select, sys
import numpy
sys.modules["fcntl"] = None
del os.register_at_fork, os.memfd_create, select.poll
ctypes.CDLL = None
sys.platform = "win32"
import praline
try:
    praline.feed(b"")
except praline.Refused as refused:
    print(refused)
"""


def test_a_batch_is_in_the_datasets_structure():
    a, b, c = (np.full(2, value) for value in (1, 2, 3))
    named = _batch.Batch(0, 2, np.empty(0, np.int64), [a, b, c], {"x": 0, "y": (1, 2)})
    assert named["x"] is a and named["y"][1] is c and named[0] is a
    assert list(named) == named.keys() == ["x", "y"] and len(named) == 2
    with pytest.raises(KeyError, match="there are 'x', 'y'"):
        named["z"]
    first, second = _batch.Batch(0, 2, np.empty(0, np.int64), [a, b], (0, 1))
    assert first is a and second is b
    alone = _batch.Batch(0, 2, np.empty(0, np.int64), [a], 0)
    assert alone.data is a and alone[0] is a
    with pytest.raises(KeyError, match="batch.data is it"):
        alone["x"]


def test_named_tuples_and_classes_of_attrs_stay_what_they_are():
    class Pair:
        __attrs_attrs__ = (types.SimpleNamespace(name="image"), types.SimpleNamespace(name="index"))

        def __init__(self, image, index):
            self.image = image
            self.index = index

    a, b, c = (np.full(2, value) for value in (1, 2, 3))
    named = collections.namedtuple("named", "index x")
    template = Pair(0, named({"deep": 1}, 2))
    paths = {}
    _source._paths(template, "", paths)
    assert paths == {0: "image", 1: "index/index/deep", 2: "index/x"}
    batch = _batch.Batch(0, 2, np.empty(0, np.int64), [a, b, c], template)
    assert isinstance(batch.data, Pair) and batch.data.image is a and batch.data.index == named({"deep": b}, c)
    image, inner = batch
    assert image is a and batch["image"] is a and batch[0] is a and batch["index"].x is c and len(batch) == 2
    with pytest.raises(KeyError, match="there are 'image', 'index'"):
        batch["count"]
    # what every tuple has is no component
    with pytest.raises(KeyError, match="there are 'index', 'x'"):
        _batch.Batch(0, 2, np.empty(0, np.int64), [a, b], named(0, 1))["count"]


class Row(collections.abc.Mapping):
    """What is no dict, and is made as one is."""

    def __init__(self, items):
        self.items_of = dict(items)

    def __getitem__(self, key):
        return self.items_of[key]

    def __iter__(self):
        return iter(self.items_of)

    def __len__(self):
        return len(self.items_of)


@dataclasses.dataclass
class Pair:
    """What TensorFlow takes apart by what it says."""

    one: object
    other: object

    def __tf_flatten__(self):
        return ("as it was",), (self.one, self.other)

    @classmethod
    def __tf_unflatten__(cls, metadata, parts):
        assert metadata == ("as it was",)
        return cls(*parts)


# those of CSV files are an OrderedDict, and TensorFlow takes no other dict in its place
@pytest.mark.parametrize("made", [dict, collections.OrderedDict, Row, lambda items: collections.defaultdict(int, items)])
def test_each_structure_of_a_dataset_stays_what_it_is(made):
    tf = framework("tensorflow")
    items = [("y", tf.range(2)), ("x", (tf.range(2) + 5, Pair(tf.range(2) + 7, tf.range(2) + 9)))]
    dataset = tf.data.Dataset.from_tensors(made(items))
    source = _source.source_of(dataset)
    assert source.names == ["x/0", "x/1/0", "x/1/1", "y"]
    values = [np.arange(2, dtype=np.int32) + more for more in (5, 7, 9, 0)]
    batch = _batch.Batch(0, 2, np.empty(0, np.int64), values, source.template)
    data = batch.data
    assert type(data) is type(dataset.element_spec) and list(data) == list(batch) == batch.keys() == ["y", "x"]
    first, pair = batch["x"]
    assert first is values[0] and type(pair) is Pair and pair.other is values[2] and batch["y"] is values[3]
    assert list(_batch.leaves(source.template)) == [3, 0, 1, 2]
    # which it takes apart nowhere else
    spec = made([("y", tf.TensorSpec([2], tf.int32))])
    data = _batch.mapped(made([("y", 3)]), lambda index: values[index])
    (again,) = tf.data.Dataset.from_generator(lambda: iter([data]), output_signature=spec)
    assert type(again) is type(spec) and again["y"].numpy().tolist() == [0, 1]


class Whole:
    """As a pair, which says nothing of when two of it are equal."""

    def __init__(self, one, other):
        self.one, self.other = one, other

    def __tf_flatten__(self):
        return (), (self.one, self.other)

    @classmethod
    def __tf_unflatten__(cls, metadata, parts):
        return cls(*parts)


@pytest.mark.parametrize("kind", [Pair, Whole])
def test_a_dataset_is_made_of_batches_whatever_says_itself_how_it_is_taken_apart(kind):
    tf = framework("tensorflow")
    if kind is Pair:
        step = lambda n: (Pair(n, {"a": n + 1}), None, Pair(tf.range(n), n))  # noqa: E731
    else:
        step = lambda n: {"whole": Whole(n, Whole(n + 1, tf.range(n)))}  # noqa: E731
    dataset = tf.data.Dataset.range(3).map(step).ragged_batch(2)
    ended = []

    def batches():
        try:
            yield from dataset
        finally:
            ended.append(True)

    made = _composite.dataset_of(batches, dataset.element_spec)
    assert tf.nest.flatten(made.element_spec) == tf.nest.flatten(dataset.element_spec)
    for element, expected in zip(made, dataset, strict=True):
        tf.nest.assert_same_structure(element, expected)
        for one, other in zip(tf.nest.flatten(element), tf.nest.flatten(expected)):
            assert one is other or tf.reduce_all(tf.equal(one, other))
    assert ended == [True]


# TensorFlow puts a prefetch behind what has none: of a job with an id that was killed, batches were lost that nobody trained on
def test_a_dataset_of_a_job_that_may_be_started_again_asks_for_nothing_ahead_of_its_loop():
    tf = framework("tensorflow")
    asked = 0

    def batches():
        nonlocal asked
        for number in range(20):
            asked += 1
            yield np.array([number])

    walked = _composite.dataset_of(batches, tf.TensorSpec([1], tf.int64), as_asked=True)
    for trained, _batch in enumerate(walked, 1):
        time.sleep(0.01)
        assert asked == trained
    assert asked == 20


def test_none_in_a_dataset_stays_where_it_is():
    tf = framework("tensorflow")
    source = _source.source_of(tf.data.Dataset.range(4).map(lambda n: (n, None, {"a": n, "b": None})).batch(2))
    assert source.names == ["0", "2/a"]
    a, b = np.full(2, 1), np.full(2, 2)
    batch = _batch.Batch(0, 2, np.empty(0, np.int64), [a, b], source.template)
    first, none, named = batch
    assert first is a and none is None and named["a"] is b and named["b"] is None
    assert batch[1] is None and batch[2]["a"] is b
    assert "None" in repr(batch)


def sparse_batches(dataset):
    tf = framework("tensorflow")
    rows = dataset.map(lambda n: tf.range(n))
    return rows.apply(tf.data.experimental.dense_to_sparse_batch(4, [10]))


# two rounds over 10 in batches of 4: tf.data makes 5 batches of all 20, two epochs have 3 each
@pytest.mark.parametrize(
    "made, said, batches",
    [
        (lambda ds: ds.repeat(2).batch(4), {}, None),
        (lambda ds: ds.repeat(2).map(lambda n: n).shuffle(3).batch(4).repeat(2), {}, None),
        (lambda ds: ds.batch(4).repeat(2).map(lambda n: n).prefetch(2), {"epochs": 3}, 18),
        (lambda ds: ds.batch(4), {"epochs": 2}, 6),
        (lambda ds: ds.batch(4), {"skip_bad": 1}, None),
        (lambda ds: ds.batch(4), {"consumers": 2}, None),
        # it may have begun before this program was started
        (lambda ds: ds.batch(4), {"job": "j1"}, None),
        (lambda ds: ds.batch(4), {"data": ["/a"]}, None),
        (lambda ds: ds.filter(lambda n: n > 0).batch(4), {}, None),
        # each task's last one may be short
        (sparse_batches, {}, None),
    ],
)
def test_how_many_batches_come_is_known_where_each_epoch_has_as_many_as_tensorflow_counts(made, said, batches):
    tf = framework("tensorflow")
    assert _source.batches_known(_source.source_of(made(tf.data.Dataset.range(10))), said) == batches


def test_batches_of_another_pipeline_than_this_loops_are_refused():
    two = _source.Source(b"", "", "", ["x", "y"], {"x": 0, "y": 1}, None, None)
    two.require(["x", "y"])
    with pytest.raises(praline.Refused, match="the job's batches have the components y, x, and here they are x, y"):
        two.require(["y", "x"])
    by_place = _source.Source(b"", "", "", [], {"a": {"b": 0}, "a/b": 1, "c": None}, None, None)
    by_place.require(["0", "1"])
    for names in (["0"], ["0", "1", "2"], ["x", "y"]):
        with pytest.raises(praline.Refused, match="have the components"):
            by_place.require(names)
    _source.Source(b"", "", "", [], None, None, None).require(["x"])


def test_components_whose_paths_are_the_same_go_by_their_places():
    tf = framework("tensorflow")
    source = _source.source_of(tf.data.Dataset.range(4).map(lambda n: {"a": {"b": n}, "a/b": n}))
    assert source.names == [] and source.template == {"a": {"b": 0}, "a/b": 1}


def test_a_dataset_that_holds_on_to_a_device_is_refused_in_a_line():
    tf = framework("tensorflow")
    held = tf.data.Dataset.range(3).apply(tf.data.experimental.copy_to_device("/cpu:0"))
    with pytest.raises(praline.Refused) as refused:
        praline.feed(held)
    assert str(refused.value).startswith("the dataset cannot be written down: Failed to serialize")
    assert len(str(refused.value).splitlines()) == 1


def test_strings_are_bytes_of_their_own():
    raw = np.frombuffer(np.array([0, 1, 1, 4], "<i8").tobytes() + b"abcd", np.uint8)
    assert _types.strings(raw, (3, 1)).tolist() == [[b"a"], [b""], [b"bcd"]]


# 42 datasets and their functions were made before, so that all that TensorFlow counts is another number, in other orders as text
def test_a_dataset_that_is_made_again_in_the_same_program_is_the_same_graph(tmp_path):
    tf = framework("tensorflow")

    def made():
        @tf.function
        def inner(x):
            return tf.where(x > 2, x * 2, x)

        def step(x):
            flipped = tf.cond(x > 3, lambda: x, lambda: -x)
            counted = tf.while_loop(lambda i: i < 3, lambda i: i + 1, [tf.constant(0)])[0]
            added = tf.map_fn(lambda value: value + 1, tf.range(3))
            return {"a": flipped + tf.cast(counted, tf.int64), "b": inner(x), "c": added}

        dataset = tf.data.Dataset.range(9).interleave(lambda i: tf.data.Dataset.range(i + 1).map(lambda q: q + i), cycle_length=2)
        return dataset.map(step).filter(lambda x: x["b"] > 0).map(lambda x: x).shuffle(5).cache().batch(2, name="pairs")

    def listed():
        files = tf.data.Dataset.list_files(str(tmp_path / "*"), shuffle=False)
        return tf.data.FixedLengthRecordDataset(files, 3)

    (tmp_path / "file").write_bytes(b"123456")
    by_files = _source.source_of(listed()).graph
    first = _source.source_of(made()).graph
    for _ in range(6):
        made()
    assert _source.source_of(listed()).graph == by_files
    again = made()
    assert _source.source_of(again).graph == first
    spec = again.element_spec
    loaded = tf.raw_ops.DatasetFromGraph(graph_def=tf.constant(first))
    rows = [row for batch in _walked(tf, loaded, spec) for row in batch["a"].numpy().tolist()]
    assert sorted(rows) == sorted(row for batch in again for row in batch["a"].numpy().tolist())


def _walked(tf, variant, spec):
    """What a dataset yields that was read from its graph."""
    from tensorflow.python.data.ops import dataset_ops

    return dataset_ops._VariantDataset(variant, spec)
