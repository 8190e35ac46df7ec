"""What is refused before anything is started."""

import sys

import numpy as np
import praline
import pytest
from conftest import framework
from praline import _batch, _open, _source, _types


@pytest.mark.parametrize(
    "arguments, line",
    [
        ({"pipeline": 7}, "a int is no pipeline"),
        ({"pipeline": "/nowhere/p.pb"}, "the pipeline file /nowhere/p.pb cannot be read: No such file or directory"),
        ({"pipeline": b"", "memory_mb": 4}, "memory_mb must be 8 to 2047, is 4"),
        ({"pipeline": b"", "rank": 2, "consumers": 2}, "rank must be 0 to 1 where consumers is 2, is 2"),
        ({"pipeline": b"", "consumers": 2}, "processes that share a job must say which: job is missing"),
        ({"pipeline": b"", "bootstrap": "h:1"}, "Kafka and the registry go together, and one of them is not given"),
    ],
)
def test_wrong_arguments_are_refused_in_a_line(arguments, line):
    with pytest.raises(praline.Refused) as refused:
        praline.feed(**arguments)
    assert str(refused.value) == line


def test_a_cluster_is_named_by_an_address(monkeypatch):
    monkeypatch.setenv("PRALINE_URL", "kafka://a:1,b:2?registry=http://r:3&secret=/s")
    assert _open._cluster(None, None, None, None) == {"bootstrap": "a:1,b:2", "registry": "http://r:3", "secret": "/s"}
    assert _open._cluster("h:1", "http://q", None, None) == {"bootstrap": "h:1", "registry": "http://q"}
    monkeypatch.setenv("PRALINE_URL", "kafka://a:1?registry=http://r:3&graphs=/g")
    assert _open._cluster(None, None, None, None) == {"bootstrap": "a:1", "registry": "http://r:3", "graphs": "/g"}
    monkeypatch.setenv("PRALINE_URL", "http://a:1")
    with pytest.raises(praline.Refused, match="PRALINE_URL is not as expected: http://a:1"):
        _open._cluster(None, None, None, None)
    monkeypatch.delenv("PRALINE_URL")
    assert _open._cluster(None, None, None, None) is None


def test_other_systems_are_refused(monkeypatch):
    monkeypatch.setattr(sys, "platform", "darwin")
    with pytest.raises(praline.Refused, match="runs on Linux only"):
        praline.feed(b"")


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
