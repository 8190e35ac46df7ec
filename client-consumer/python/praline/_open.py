"""Opening a feed: what may be said, and what is refused before anything starts."""

from __future__ import annotations

import os
import re
import sys
import traceback
import warnings
from typing import Any, Iterable
from urllib.parse import unquote

from . import _arguments, _java
from ._errors import Refused
from ._feed import Feed
from ._progress import bar_for
from ._source import source_of

_MIB = 1 << 20


_OPTIONS = {"registry", "secret", "config", "page", "graphs"}
_HOST = r"(\[[^\[\]\s]+\]|[^\s/@#\[\]:,]+)(:\d+)?"


def _of_url(url: str) -> dict[str, str]:
    """
    What an address of a cluster says. Not by what takes addresses of the web apart: this one may have several hosts, a + stays
    what it is, and what is not understood is refused.
    """
    scheme, _, rest = url.strip().partition("://")
    hosts, _, query = rest.partition("?")
    hosts = hosts.rstrip("/")
    named = [option.partition("=") for option in query.split("&") if option]
    options = {key: unquote(value) for key, _, value in named}
    if (
        scheme.lower() != "kafka"
        or not re.fullmatch(f"{_HOST}(,{_HOST})*", hosts)
        or len(options) < len(named)
        or set(options) - _OPTIONS
        or not all(options.values())
    ):
        shown = re.sub(r"//[^/?]*@", "//...@", url)  # nobody's password
        raise Refused(
            f"PRALINE_URL is not as expected: {shown}",
            "it must be kafka://HOST:PORT,HOST:PORT?registry=URL&secret=FILE&config=FILE&page=URL&graphs=FOLDER, where all behind the registry may be left out",
        )
    return {"bootstrap": hosts, **options}


def _cluster(
    bootstrap: str | None, registry: str | None, secret_file: str | None, kafka_config: str | None
) -> dict[str, str] | None:
    page = graphs = None
    for name, value in (("bootstrap", bootstrap), ("registry", registry)):
        if value is not None:
            _arguments.text(name, value)
    for name, value in (("secret_file", secret_file), ("kafka_config", kafka_config)):
        if value is not None:
            _arguments.path(name, value)
    if bootstrap is None and registry is None:
        url = os.environ.get("PRALINE_URL")
        if not url:
            if secret_file is not None or kafka_config is not None:
                given = "secret_file" if secret_file is not None else "kafka_config"
                raise Refused(
                    f"{given} is of a cluster that is named, and none is",
                    "give bootstrap= and registry= with it, or PRALINE_URL; the cluster of 'praline up' needs none of them",
                )
            return None
        options = _of_url(url)
        bootstrap, registry = options["bootstrap"], options.get("registry")
        secret_file = secret_file or options.get("secret")
        kafka_config = kafka_config or options.get("config")
        page = options.get("page")
        graphs = options.get("graphs")
    if not bootstrap or not registry:
        raise Refused(
            "Kafka and the registry go together, and one of them is not given",
            "give both bootstrap= and registry=, or PRALINE_URL, or none for the cluster of 'praline up'",
        )
    named = {"bootstrap": bootstrap, "registry": registry}
    if secret_file:
        named["secret"] = os.path.abspath(_arguments.path("secret_file", secret_file))
    if kafka_config:
        named["config"] = os.path.abspath(_arguments.path("kafka_config", kafka_config))
    if page:
        named["page"] = page
    if graphs:
        named["graphs"] = graphs
    return named


def _require_a_place_for_feeds() -> None:
    if sys.platform != "linux":
        raise Refused("praline.feed runs on Linux only: other systems have no memory without a name", "run it on Linux")
    if sys.byteorder != "little":
        raise Refused("praline.feed runs on little-endian processors only: batches come as these write numbers", "run it on one")
    torch = sys.modules.get("torch")
    if torch is not None and torch.utils.data.get_worker_info() is not None:
        raise Refused(
            "a feed cannot be opened in a worker of DataLoader: each would train on all of the data",
            "open it in the training process and give DataLoader num_workers=0; the feed reads ahead itself",
        )


def _folder() -> str:
    """Where the program runs: relative names are read there, whatever folder the workers are in."""
    try:
        return os.getcwd()
    except OSError as gone:
        raise Refused(
            f"the folder that this program runs in cannot be found: {gone.strerror}",
            "os.chdir to one that is there: relative names lead from it",
        ) from None


def _let_go_of_the_last_error() -> None:
    """
    Notebooks and prompts keep the error that they showed last, and with it all that was at work then: a feed whose loop was
    interrupted would stay open, and its job go on, when its cell is run again.
    """
    kept = [getattr(sys, "last_value", None)]
    for error in kept:
        if error is None:
            continue
        traceback.clear_frames(error.__traceback__)
        for frame, _line in traceback.walk_tb(error.__traceback__):
            frame.f_locals  # until Python 3.13 a copy, made when the error was shown, which is made anew by this
        kept += [other for other in (error.__cause__, error.__context__) if other not in kept]


def _tell_of_ranks(consumers: int, job: str | None) -> None:
    """A launcher of several processes, such as torchrun, says how many there are; once is enough to be told."""
    ranks = os.environ.get("WORLD_SIZE", "")
    if consumers == 1 and job is None and ranks.isdecimal() and int(ranks) > 1 and os.environ.get("RANK", "0") == "0":
        warnings.warn(
            f"each of the {ranks} processes of this run (WORLD_SIZE) gets all of the data;"
            f' job=ID, consumers={ranks}, rank=int(os.environ["RANK"]) share it among them',
            stacklevel=3,
        )


def feed(
    pipeline: Any,
    data: str | os.PathLike[str] | Iterable[str | os.PathLike[str]] | None = None,
    *,
    names: Iterable[str] | None = None,
    epochs: int = 1,
    seed: int = 0,
    skip_bad: int = 0,
    guarantee: str | None = None,
    target: str | None = None,
    policy: str | None = None,
    price_client: float | None = None,
    price_remote: float | None = None,
    price_egress: float | None = None,
    price_storage: float | None = None,
    price_fetch: float | None = None,
    order: str | None = None,
    cache: str | None = None,
    cap: float | None = None,
    max_remote: int | None = None,
    max_local: int | None = None,
    consumers: int = 1,
    rank: int = 0,
    job: str | None = None,
    tenant: str | None = None,
    pool: str | None = None,
    max_batch_bytes: int | None = None,
    bootstrap: str | None = None,
    registry: str | None = None,
    secret_file: str | None = None,
    kafka_config: str | None = None,
    graph_dir: str | None = None,
    memory_mb: int = 256,
    ahead: int = 0,
    progress: bool | None = None,
) -> Feed:
    """
    Submits a job and gives its batches.

    :param pipeline: a ``tf.data.Dataset``, a serialised graph as ``bytes``, the path of a ``.pb`` or ``.yaml`` file, or steps
        as such a ``.yaml`` file has them: a list of the source and the steps behind it, each a name or a name with its
        settings, ``["tfrecord", "decode_jpeg", {"resize": {"height": 224, "width": 224}}, {"batch": {"size": 32}}]``, or
        the file's keys as a dict, ``{"source": "tfrecord", "steps": [...], "names": ["image"]}``
    :param data: globs of the files to read, as the workers see them, each file once an epoch however many globs match it; without
        it those that the pipeline names, as often as it names them
    :param names: of the components, in the graph's order; a dataset has its own
    :param epochs: how often the data is visited
    :param seed: decides the order of the data and every random draw that has no seed of its own
    :param skip_bad: how many records that cannot be processed are tolerated
    :param guarantee: ``exactly-once`` or ``at-least-once``: a pipeline that cannot keep it is refused; without it the job
        runs with what it can keep, and says so
    :param target: what the policy makes small: ``cost``, ``time`` or ``balanced``
    :param policy: which policy scales and places the job
    :param price_client: of the trainer's host for an hour
    :param price_remote: of a remote worker for an hour
    :param price_egress: of 10^9 bytes from a remote worker to the trainer
    :param price_storage: of keeping 10^9 bytes of elements for an hour
    :param price_fetch: of reading 10^9 bytes of the data where they lie, such as a bucket's in another region
    :param order: how equal results must be where steps run in another order than they were written: ``exact`` (the usual),
        ``tolerant``, ``pecan``, or ``off``
    :param cache: which elements are kept and read again: ``auto`` (the usual), ``off``, ``source``, ``prefix`` or ``full``
    :param cap: the most that the job may spend
    :param max_remote: the most workers of the pool
    :param max_local: the most workers on this host, started as they are wanted
    :param consumers: how many training processes share the job
    :param rank: which of them this is: number 0 submits the job, the others wait for it
    :param job: the job's id; without it one is made, and the job is cancelled when its Python goes. A job that is there by
        this id is gone on with where all that is said of it here is the same, and the feed is refused where it is not
    :param tenant: whose job it is
    :param pool: the pool it runs in
    :param max_batch_bytes: the largest batch that can be taken, 1 byte at least; a larger one fails the job
    :param bootstrap: Kafka, as HOST:PORT; without it PRALINE_URL, else the cluster that ``praline up`` started, else one on
        this machine for the time of the program
    :param registry: the URL of the schema registry
    :param secret_file: what workers and clients share; without it ``~/.praline/secret``
    :param kafka_config: a file of properties of Kafka's clients
    :param graph_dir: where a pipeline of more than 512 KiB is put, such as one with arrays in it: a folder that workers see
        under the same path; without it one of the cluster that ``praline up`` started
    :param ahead: how many batches the loop fetches ahead of the one that it is at work on, each of which is done so many questions
        later: 1 under Lightning where what it walks over has no length, and under accelerate; n - 1 where Hugging Face's Trainer
        accumulates the gradients of n batches. It matters to a job with an id that is started again in the midst of that
    :param progress: whether a bar on standard error, or in the notebook, tells how it goes, which needs tqdm; without it there is
        one where tqdm is installed, standard error is a terminal or this is a notebook, and the rank is 0; then the address of
        the job on the cluster's page is told too, where that is known
    :param memory_mb: for batches, in MiB of 2^20 bytes, at most 2047; it is held as long as arrays of them are. What workers of
        this host share with the feed counts too: at most half as much of it is held by arrays. What comes from workers elsewhere lies
        in memory of the Java process before, up to 288 MiB for each feed that is open, or two of its largest batches
    """
    _require_a_place_for_feeds()
    memory_mb = _arguments.between("memory_mb", memory_mb, 8, 2047)
    said: dict[str, Any] = {
        "epochs": _arguments.whole("epochs", epochs, least=1),
        "seed": _arguments.whole("seed", seed, _arguments.LONG_BITS),
        "skip_bad": _arguments.count("skip_bad", skip_bad),
        "consumers": _arguments.whole("consumers", consumers, least=1),
        "rank": _arguments.whole("rank", rank),
    }
    ahead = _arguments.count("ahead", ahead)
    if not 0 <= rank < consumers:
        raise Refused(
            f"rank must be 0 to {consumers - 1} where consumers is {consumers}, is {rank}",
            "give consumers= the number of all processes (WORLD_SIZE), and each its own rank= (RANK)",
        )
    if consumers > 1 and job is None:
        raise Refused("processes that share a job must say which: job is missing", "give all ranks the same job=ID")
    _tell_of_ranks(consumers, job)
    for take, values in (
        (_arguments.count, {"max_remote": max_remote, "max_local": max_local}),
        (_arguments.price, {"price_client": price_client, "price_remote": price_remote, "price_egress": price_egress}),
        (_arguments.price, {"price_storage": price_storage, "price_fetch": price_fetch}),
        (_arguments.amount, {"cap": cap}),
        (_arguments.text, {"guarantee": guarantee, "target": target, "policy": policy, "order": order, "cache": cache}),
        (_arguments.text, {"job": job, "tenant": tenant, "pool": pool}),
        (_arguments.globs, {"data": data}),
    ):
        said.update({name: take(name, value) for name, value in values.items() if value is not None})
    if max_batch_bytes is not None:
        said["max_batch_bytes"] = _arguments.whole("max_batch_bytes", max_batch_bytes, _arguments.LONG_BITS, least=1)
    if names is not None:
        names = _arguments.texts("names", names)
    folder = _folder()
    source = source_of(pipeline)
    if _java.any_open():
        _let_go_of_the_last_error()
    bar = bar_for(progress, rank)
    if names is not None:
        source.names = names
        source.template = None
    cluster = _cluster(bootstrap, registry, secret_file, kafka_config)
    named = (cluster or {}).pop("graphs", "")
    graphs = named if graph_dir is None else _arguments.path("graph_dir", graph_dir)
    given: dict[str, Any] = {
        "cluster": cluster,
        "file": source.file,
        "steps": source.steps,
        "directory": folder,
        "name": source.name,
        "names": source.names,
        "graph_dir": os.path.abspath(graphs) if graphs else None,
    }
    said.update({key: value for key, value in given.items() if value})
    return Feed(source, said, memory_mb * _MIB, bar, tells_page=rank == 0 and progress is not False, ahead=ahead)
