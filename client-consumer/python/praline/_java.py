"""The one Java process of this Python process, and how it is started, asked and ended."""

from __future__ import annotations

import atexit
import json
import os
import select
import signal
import subprocess
import sys
import threading
import weakref
from typing import Any

from . import _runtime
from ._archive import Archive
from ._errors import PralineError, Unreachable
from ._memory import outlived

_START_SECONDS = 60.0
_END_SECONDS = 25.0
_LOOK = "its lines on standard error tell why"
#: Java opens a file for each of its jars, and what it says where that fails names anything but the limit
_FILES = 512

_lock = threading.Lock()
_process: subprocess.Popen[bytes] | None = None
_owner = 0  # the process id of who started it
_archive: Archive | None = None
_heard = bytearray()  # of its answers
_prepares = False  # what was started is a checkout's script, which builds or makes an archive: Java does not run yet
_open_feeds: weakref.WeakSet[Any] = weakref.WeakSet()
_threads: list[threading.Thread] = []


def _start() -> subprocess.Popen[bytes]:
    global _archive
    words, _archive = _runtime.words()
    # TensorFlow's greeting is no news; its warnings are
    environment = {"TF_CPP_MIN_LOG_LEVEL": "1", **os.environ}
    if sys.getfilesystemencoding() == "utf-8":
        # names of files are UTF-8 for Python, whatever the locale; Java goes by that alone
        environment["LC_ALL"] = "C.UTF-8"
    try:
        # a session of its own: Ctrl-C goes to all of a terminal's processes, and this one ends when told
        return subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=environment,
            start_new_session=True,
            bufsize=0,
        )
    except OSError as refused:
        raise Unreachable(
            f"the Java side of Praline cannot be started: {refused}",
            "raise what the line says is short (ulimit -u, ulimit -n, memory), or mend the words of PRALINE_FEED where that is set",
        ) from refused


def ended() -> str:
    """How the Java process ended, in words; said when a pipe to it has closed."""
    process = _process
    if process is None:
        return "the Java process of this program has ended"
    try:
        code = process.wait(5.0)  # its pipes are closed before it is gone, on a busy machine long before
    except subprocess.TimeoutExpired:
        return f"the Java process {process.pid} of this program closed its pipe"
    how = f"was killed by signal {-code}" if code < 0 else f"ended with code {code}"
    return f"the Java process {process.pid} of this program {how}"


def _why() -> str:
    """What to do where it has ended."""
    import resource  # here, since other systems have none: a feed is refused there in a sentence

    most = resource.getrlimit(resource.RLIMIT_NOFILE)[1]  # Java raises its own to that
    if 0 <= most < _FILES:
        return f"raise the limit of open files, which is {most} (ulimit -Hn): Java needs {_FILES}; {_LOOK}"
    return _LOOK


def _answer(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    """Within a minute of Java's start; a script in front of it may have something to do before."""
    while "preparing" in (answer := _said(process)):
        pass
    return answer


def _said(process: subprocess.Popen[bytes]) -> dict[str, Any]:
    """The next line that it says."""
    global _prepares
    assert process.stdout is not None
    coming = select.poll()  # select() takes no descriptor above 1,023
    coming.register(process.stdout, select.POLLIN)
    while b"\n" not in _heard:
        if not coming.poll(None if _prepares else _START_SECONDS * 1000):
            raise Unreachable(
                f"the Java process {process.pid} of this program has not answered for {_START_SECONDS:.0f} s",
                f"try again when this machine has less to do; {_LOOK}",
            )
        more = os.read(process.stdout.fileno(), 65536)
        if not more:
            raise Unreachable(ended(), _why())
        _heard.extend(more)
    end = _heard.index(b"\n") + 1
    line = bytes(_heard[:end])
    del _heard[:end]
    try:
        said: dict[str, Any] = json.loads(line)
    except ValueError:
        raise Unreachable(f"what was started as the Java side says {line.decode(errors='replace')!r}", _LOOK) from None
    _prepares = said.get("preparing", False)
    return said


def _kill(process: subprocess.Popen[bytes]) -> None:
    """With what it has started: a script that is gone would leave a build behind it."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        process.kill()  # it is in no session of its own
    process.wait()


def _begin(line: dict[str, int]) -> dict[str, Any]:
    global _process, _owner, _prepares
    _heard.clear()
    _prepares = False
    _process = _start()
    _owner = os.getpid()
    answer = _tell(_process, line)
    if _archive is not None:
        _archive.answered(_process.pid)
    return answer


def _tell(process: subprocess.Popen[bytes], line: dict[str, int]) -> dict[str, Any]:
    assert process.stdin is not None
    try:
        process.stdin.write(json.dumps(line).encode() + b"\n")
        return _answer(process)
    except BrokenPipeError:
        raise Unreachable(ended(), _why()) from None
    except Unreachable:
        # what it answers later would be taken for the answer to the next feed's question
        _kill(process)
        raise
    except BaseException:
        # by Ctrl-C. It would open the descriptors later, when they are those of another feed, which would get this answer
        _let_answer(process)
        raise


def _let_answer(process: subprocess.Popen[bytes]) -> None:
    """
    Waits for the answer that nobody wants; whoever interrupts that too has a process killed that may not answer at all, and so
    has who would wait for a build.
    """
    try:
        while not _prepares and "preparing" in _said(process):
            pass
        if not _prepares:
            return
    except BaseException:
        pass
    _kill(process)


def ask(line: dict[str, int]) -> None:
    """Has Java open a feed's descriptors; starts it where it does not run."""
    with _lock:
        if _process is None or _process.poll() is not None:
            try:
                answer = _begin(line)
            except Unreachable:
                if _archive is None or not _archive.forget():
                    raise
                answer = _begin(line)  # an archive that no check finds fault with may be what ended it
        else:
            answer = _tell(_process, line)
    if "error" in answer:
        raise PralineError(answer["error"], "run both by the same user, in one container: Java opens them below /proc")


def opened(feed: Any) -> None:
    """The feed is to be closed when this program ends, at the latest."""
    _open_feeds.add(feed)


def any_open() -> bool:
    """Whether this program has a feed that nobody closed."""
    return any(not feed._pipe.closed for feed in list(_open_feeds))


def before_the_end(thread: threading.Thread) -> None:
    """The thread is to be waited for when this program ends."""
    _threads[:] = [other for other in _threads if other.is_alive()] + [thread]


def pid() -> int | None:
    """The process id of the Java process; None where none runs."""
    return _process.pid if _process is not None and _process.poll() is None else None


@atexit.register
def _end() -> None:
    global _process
    for thread in _threads:
        if thread.is_alive():
            thread.join(_END_SECONDS)
    if _process is None or _owner != os.getpid():
        return
    for feed in list(_open_feeds):
        feed._abandon()
    assert _process.stdin is not None and _process.stdout is not None
    _process.stdin.close()
    try:
        _process.wait(_END_SECONDS)
    except subprocess.TimeoutExpired:
        _kill(_process)
        if _archive is not None:
            _archive.given_up()
    _process.stdout.close()
    _process = None
    if _archive is not None:
        _archive.ended()


def _forked() -> None:
    # the pipes' ends tell who is there: a child must not keep them open
    global _process, _lock
    _lock = threading.Lock()
    _threads.clear()
    for feed in list(_open_feeds):
        feed._forked()
    outlived.forked(child=True)
    if _process is not None:
        for pipe in (_process.stdin, _process.stdout):
            if pipe is not None:
                pipe.close()
        _process = None


def _fork_begins() -> None:
    for feed in list(_open_feeds):
        feed._memory.fork_begins()
    outlived.fork_begins()


def _has_child() -> None:
    for feed in list(_open_feeds):
        feed._memory.forked(child=False)
    outlived.forked(child=False)


if hasattr(os, "register_at_fork"):  # not every system forks
    os.register_at_fork(before=_fork_begins, after_in_parent=_has_child, after_in_child=_forked)
