"""What people see of a feed, and how steps are written down; nothing is started."""

import dataclasses
import json
import sys
import types

import praline
import pytest
from praline import _explain, _progress
from praline._result import Result
from praline._source import source_of

STATUS = {
    "state": "RUNNING",
    "reason": "",
    "guarantee": "EXACTLY_ONCE",
    "workers_remote": 2,
    "workers_local": 1,
    "spent": 0.412,
    "epochs": [{"epoch": 0, "elements": 30, "consumed": 18, "excluded": 2, "complete": False}],
}


def test_a_result_counts_one_as_one():
    nothing = {field.name: 0 for field in dataclasses.fields(Result)}
    told = {**nothing, "job": "j", "state": "COMPLETED", "guarantee": "EXACTLY_ONCE"}
    assert str(Result(**told)).startswith("job j COMPLETED: 0 elements in 0 batches, ")
    assert str(Result(**{**told, "elements": 1, "batches": 1})).startswith("job j COMPLETED: 1 element in 1 batch, ")


def test_a_status_is_told_in_half_a_line():
    assert _progress.in_words(STATUS, 0.031) == "trainer waits 3 %, 2 + 1 workers, 0.41 spent"
    assert _progress.in_words({**STATUS, "spent": None}, 1.2) == "trainer waits 100 %, 2 + 1 workers"
    waiting = {**STATUS, "state": "WAITING", "reason": "no worker is there"}
    assert _progress.in_words(waiting, 0.5) == "waiting: no worker is there"
    assert len(_progress.in_words({**waiting, "reason": "x" * 500}, None)) == 100


def test_a_bar_is_shown_where_somebody_looks_and_tqdm_is_there(monkeypatch):
    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=object))
    monkeypatch.setattr(_progress, "seen_by_people", lambda: False)
    assert _progress.bar_for(None, 0) is None
    assert _progress.bar_for(True, 3) is not None
    monkeypatch.setattr(_progress, "seen_by_people", lambda: True)
    assert _progress.bar_for(None, 0) is not None
    assert _progress.bar_for(None, 1) is None and _progress.bar_for(False, 0) is None
    monkeypatch.setitem(sys.modules, "tqdm.auto", None)
    assert _progress.bar_for(None, 0) is None
    with pytest.raises(praline.Refused, match="progress=True needs tqdm") as refused:
        praline.feed(b"", progress=True)
    assert "[notebook]" in refused.value.__notes__[0]


def test_the_share_of_waiting_is_that_since_it_was_last_told(monkeypatch):
    words, now = [], [100.0]
    monkeypatch.setattr(_progress.time, "monotonic", lambda: now[0])
    bar = _progress.Bar(lambda **_: types.SimpleNamespace(n=1, set_postfix_str=words.append))
    bar.begin(None)
    assert not bar.due()
    for waited in (0.5, 0.1):
        bar.waited(waited)
        now[0] += 1
        assert bar.due() and not bar.due()
        bar.told(STATUS)
    assert [one.split(",")[0] for one in words] == ["trainer waits 50 %", "trainer waits 10 %"]


def test_a_loop_that_waits_is_told_why_after_some_seconds_and_each_reason_once(monkeypatch, capsys):
    now = [100.0]
    monkeypatch.setattr(_progress.time, "monotonic", lambda: now[0])
    waits = _progress.Waits("j1")
    waits.since = now[0]
    asked = []
    for _ in range(25):
        now[0] += 1
        asked.append(waits.due())
    assert [second for second, due in enumerate(asked, 1) if due] == [10, 20]
    waits.told(STATUS)
    assert capsys.readouterr().err == ""
    for reason in ("no worker is there", "no worker is there", "it is paused"):
        waits.told({**STATUS, "state": "WAITING", "reason": reason})
    said = "praline: job j1 is waiting: no worker is there\npraline: job j1 is waiting: it is paused\n"
    assert capsys.readouterr().err == said


class Unreadable:
    """A standard error that nobody reads any more."""

    def isatty(self):
        return True

    def write(self, _text):
        raise BrokenPipeError

    def flush(self):
        raise BrokenPipeError


def closed():
    made = open("/dev/null", "w")
    made.close()
    return made


@pytest.mark.parametrize("error", [None, closed(), object(), Unreadable()])
def test_a_program_without_a_standard_error_is_told_nothing_and_goes_on(monkeypatch, capsys, error):
    def shown(**_):
        raise BrokenPipeError

    monkeypatch.setitem(sys.modules, "tqdm.auto", types.SimpleNamespace(tqdm=shown))
    monkeypatch.setattr(sys, "stderr", error)
    bar = _progress.bar_for(None, 0)
    assert (bar is not None) == isinstance(error, Unreadable)
    if error.__class__ is not object:
        _progress.Waits("j1").told({**STATUS, "reason": "no worker is there"})
        _progress.tell_page(types.SimpleNamespace(job="j1", page="http://p"))
    for bar in (_progress.Bar(shown), _progress.Bar(lambda **_: Fails())):
        bar.begin(3)
        bar.came()
        bar.told(STATUS)
        bar.came()
        bar.close()
    assert capsys.readouterr().out == ""


class Fails:
    """A bar whose terminal has gone."""

    n = 1

    def __getattr__(self, _name):
        def fail(*_):
            raise OSError("Input/output error")

        return fail


def test_a_feed_is_a_table_in_a_notebook():
    html = _explain.table("a<b", "http://p/#/jobs/a&b", "open", STATUS)
    assert '<a href="http://p/#/jobs/a&amp;b" target="_blank">a&lt;b</a>' in html
    assert "20 of 30 elements, as far as they are counted<" in html and "<td>0.4120</td>" in html
    assert _explain.table("j", None, "closed", {}) == (
        '<table><tr><th style="text-align:left">job</th><td>j</td></tr>'
        '<tr><th style="text-align:left">feed</th><td>closed</td></tr></table>'
    )


def test_an_explanation_is_a_list_of_decisions_and_prints_as_the_command_does():
    told = {"decisions": [{"lines": ["0 a", "  b"], "facts": {"sequence": 0}}], "foretold": ["rate was foretold"]}
    explanation = _explain.Explanation.of(told)
    assert str(explanation) == "0 a\n  b\nrate was foretold"
    assert [str(one) for one in explanation] == ["0 a\n  b"] and explanation[0].facts == {"sequence": 0}
    assert explanation._repr_html_() == "<pre>0 a\n  b\nrate was foretold</pre>"


@pytest.mark.parametrize(
    "steps, lines",
    [
        (
            ["tfrecord", "prefetch", {"batch": {"size": 3}}],
            ['{"source": "tfrecord", "steps": [', '"prefetch",', '{"batch": {"size": 3}}]}'],
        ),
        (({"range": {"to": 5}},), ['{"source": {"range": {"to": 5}}}']),
        (
            {"source": "text", "steps": [{"batch": {"size": 3}}], "names": ["t\u00e9"]},
            ['{"source": "text", "names": ["t\u00e9"], "steps": [', '{"batch": {"size": 3}}]}'],
        ),
        ({"source": "text"}, ['{"source": "text"}']),
    ],
)
def test_steps_are_written_down_with_the_item_of_each_number_in_the_line_of_that_number(steps, lines):
    text = source_of(steps).steps
    assert text.split("\n") == lines
    json.loads(text)


def test_steps_that_no_file_could_hold_are_refused():
    with pytest.raises(praline.Refused, match="no file of steps can"):
        source_of(["tfrecord", {"batch": {"size": object()}}])
    with pytest.raises(praline.Refused, match="no file of steps can"):
        source_of(["tfrecord", {"normalise": {"mean": float("nan"), "deviation": 1}}])
