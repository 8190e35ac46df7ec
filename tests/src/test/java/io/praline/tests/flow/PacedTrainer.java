package io.praline.tests.flow;

import io.praline.client.BatchStream;
import io.praline.client.JobSpec;
import io.praline.client.PralineClient;
import io.praline.schema.AttemptPlace;
import io.praline.schema.JobStatus;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;

/** A training loop that pretends to work on each batch for a time that can be changed while it runs. Its job ends with it. */
final class PacedTrainer implements AutoCloseable {
    private final BatchStream stream;
    private final AtomicLong stepMillis;
    private final AtomicLong batches = new AtomicLong();
    private final AtomicReference<RuntimeException> failure = new AtomicReference<>();
    private final Thread loop;
    private volatile boolean ending;

    /**
     * Which workers have tasks of the job.
     *
     * @param remote of the pool
     * @param local on this host
     */
    record Mix(int remote, int local) {}

    PacedTrainer(PralineClient client, JobSpec spec, long stepMillis) {
        this.stream = client.submit(spec);
        this.stepMillis = new AtomicLong(stepMillis);
        this.loop = new Thread(this::train, "paced trainer");
        loop.start();
    }

    private void train() {
        try {
            while (stream.hasNext()) {
                stream.next().close();
                batches.incrementAndGet();
                TimeUnit.MILLISECONDS.sleep(stepMillis.get());
            }
        } catch (InterruptedException | RuntimeException ended) {
            if (!ending) {
                failure.set(new IllegalStateException("the loop ended: " + ended.getMessage(), ended));
            }
        }
    }

    String job() {
        return stream.job();
    }

    /** How long the loop works on a batch from now on. */
    void step(long millis) {
        stepMillis.set(millis);
    }

    long batches() {
        return batches.get();
    }

    /** @throws IllegalStateException if the loop has failed */
    Mix mix() {
        if (failure.get() != null) {
            throw failure.get();
        }
        Set<String> remote = new HashSet<>();
        Set<String> local = new HashSet<>();
        List<AttemptPlace> places = stream.status().map(JobStatus::getAttempts).orElse(List.of());
        for (AttemptPlace place : places) {
            if (!place.getFenced()) {
                (place.getLocal() ? local : remote).add(place.getWorker());
            }
        }
        return new Mix(remote.size(), local.size());
    }

    @Override
    public void close() {
        ending = true;
        stream.close();
        loop.interrupt();
        try {
            loop.join();
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
