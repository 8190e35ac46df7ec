package io.praline.deploy.chaos.trainer;

import io.praline.client.CacheMode;
import io.praline.policy.Counted;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * One job of a run.
 *
 * @param shape its pipeline
 * @param records of its files, or integers
 * @param consumers how many trainers share it
 * @param batch elements of a batch
 * @param seed of the job
 * @param step what a trainer takes for a batch
 * @param cache what of it is kept; empty: what is usual, where workers have no store
 */
public record JobPlan(
        Shape shape,
        long records,
        int epochs,
        int consumers,
        int batch,
        long seed,
        Duration step,
        Optional<CacheMode> cache) {

    public JobPlan {
        if (records < 1 || epochs < 1 || consumers < 1 || batch < 1) {
            throw new IllegalArgumentException("records, epochs, consumers and batch must be at least 1, are " + records
                    + ", " + epochs + ", " + consumers + " and " + batch);
        }
    }

    /** A job of which nothing is kept. */
    public JobPlan(Shape shape, long records, int epochs, int consumers, int batch, long seed, Duration step) {
        this(shape, records, epochs, consumers, batch, seed, step, Optional.empty());
    }

    /** Elements over all epochs. */
    public long elements() {
        return shape.elements(records) * epochs;
    }

    /** Every element that must be trained on once. */
    public List<Element> expected() {
        List<Element> all = new ArrayList<>();
        for (int epoch = 0; epoch < epochs; epoch++) {
            int of = epoch;
            shape.numbers(records).forEach(number -> all.add(new Element(of, number)));
        }
        return all;
    }

    /**
     * One visit of an element.
     *
     * @param number what it carries
     */
    public record Element(int epoch, long number) {}

    @Override
    public String toString() {
        return shape + " of " + records + ", " + Counted.of(epochs, "epoch") + ", " + Counted.of(consumers, "trainer")
                + ", " + step.toMillis() + " ms for " + batch
                + cache.map(mode -> ", cache " + mode.name().toLowerCase(Locale.ROOT))
                        .orElse("");
    }
}
