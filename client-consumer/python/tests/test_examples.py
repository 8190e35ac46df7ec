"""The programs in ../examples, each as a user starts it, where its framework is installed."""

import os
import re
import subprocess
import sys

import pytest
from conftest import require

EXAMPLES = os.path.join(os.path.dirname(__file__), "..", "..", "examples")
ROWS, SHARED_ROWS, EPOCHS = 4096, 16384, 3

pytestmark = pytest.mark.long


def said_by(*words):
    """What it prints."""
    ended = subprocess.run([sys.executable, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, timeout=400)
    assert ended.returncode == 0, ended.stderr[-4000:]
    return ended.stdout


def example(name):
    return os.path.join(EXAMPLES, name)


def learnt(said):
    first, last = (float(loss) for loss in re.search(r"loss ([\d.]+), then ([\d.]+)", said).groups())
    return first > 1 and last < 0.01


def elements_of_each(said, who):
    return [int(elements) for elements in re.findall(who + r" \d: (\d+) elements", said)]


def test_keras_fits_to_a_dataset_that_is_distributed():
    require("tensorflow", "keras")
    said = said_by(example("keras_fit.py"))
    assert learnt(said) and said.count("128/128") == EPOCHS


def test_the_trainer_of_hugging_face_takes_batches_as_they_come():
    require("torch", "transformers", "accelerate")
    said = said_by(example("hf_trainer.py"))
    assert learnt(said) and f"COMPLETED: {EPOCHS * ROWS} elements" in said and "missing 0, duplicates 0" in said


def test_lightning_walks_over_the_feeds_epochs():
    require("torch", "lightning")
    said = said_by(example("lightning_fit.py"))
    assert learnt(said) and f"COMPLETED: {EPOCHS * ROWS} elements" in said and "missing 0, duplicates 0" in said


def test_ranks_under_torchrun_share_a_job():
    require("torch")
    said = said_by("-m", "torch.distributed.run", "--standalone", "--nproc-per-node", "2", example("torchrun_ddp.py"))
    each = elements_of_each(said, "rank")
    assert len(each) == 2 and sum(each) == SHARED_ROWS and "duplicates 0" in said


def test_processes_under_jax_distributed_share_a_job(monkeypatch):
    require("jax")
    # other tests divide their only process's host in two
    monkeypatch.delenv("XLA_FLAGS", raising=False)
    said = said_by(example("jax_distributed.py"))
    each = elements_of_each(said, "process")
    assert len(each) == 2 and sum(each) == EPOCHS * SHARED_ROWS and "duplicates 0" in said
